#include "os/mmap.h"

#include <sys/mman.h>
#include <unistd.h>

#include "os/memory_file.h"

namespace stampede::os {

Result<SharedMemory> SharedMemory::create(size_t size, Pages pages) {
    int flags = MAP_SHARED | MAP_ANONYMOUS;
    flags |= pages == Pages::kAtOnce ? MAP_POPULATE : 0;
    flags |= pages == Pages::kWhenTouched ? MAP_NORESERVE : 0;
    void* data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (data == MAP_FAILED) {
        return Error::last_errno();
    }
    return SharedMemory(data, size);
}

Result<SharedMemory> SharedMemory::create(size_t size, Fd& file) {
    file = Fd(::memfd_create("stampede-shared", MFD_CLOEXEC));
    if (!file || ::ftruncate(file.get(), static_cast<off_t>(size)) != 0) {
        return Error::last_errno();
    }
    return map(file.get(), size);
}

Result<SharedMemory> SharedMemory::map(int file, size_t size) {
    Result<void*> data = map_memory_file(file, size, PROT_READ | PROT_WRITE);
    if (!data) {
        return data.error();
    }
    return SharedMemory(*data, size);
}

SharedMemory::~SharedMemory() {
    if (data_ != nullptr) {
        ::munmap(data_, size_);
    }
}

}  // namespace stampede::os
