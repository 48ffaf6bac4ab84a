#include "os/mmap.h"

#include <sys/mman.h>

namespace stampede::os {

Result<SharedMemory> SharedMemory::create(size_t size, Pages pages) {
    int flags = MAP_SHARED | MAP_ANONYMOUS | (pages == Pages::kAtOnce ? MAP_POPULATE : 0);
    void* data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (data == MAP_FAILED) {
        return Error::last_errno();
    }
    return SharedMemory(data, size);
}

SharedMemory::~SharedMemory() {
    if (data_ != nullptr) {
        ::munmap(data_, size_);
    }
}

}  // namespace stampede::os
