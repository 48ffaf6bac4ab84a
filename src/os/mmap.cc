#include "os/mmap.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace stampede::os {

Result<SharedMemory> SharedMemory::create(size_t size, Pages pages) {
    int flags = MAP_SHARED | MAP_ANONYMOUS | (pages == Pages::kAtOnce ? MAP_POPULATE : 0);
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

// A file that is shorter than what is mapped of it would end its reader with SIGBUS.
Result<SharedMemory> SharedMemory::map(int file, size_t size) {
    struct stat facts;
    if (::fstat(file, &facts) != 0) {
        return Error::last_errno();
    }
    if (facts.st_size < static_cast<off_t>(size)) {
        return Error::system(EINVAL);
    }
    void* data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
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
