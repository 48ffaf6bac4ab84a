#include "os/mmap.h"

#include <sys/mman.h>

namespace stampede::os {

Result<SharedMemory> SharedMemory::create(size_t size) {
    void* data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
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
