#include "os/memory_file.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

namespace stampede::os {

// A file that is shorter than its sender says would end the reader with SIGBUS: it is measured
// first.
Result<void*> map_memory_file(int fd, size_t size, int protection) {
    struct stat facts;
    if (::fstat(fd, &facts) != 0) {
        return Error::last_errno();
    }
    if (size == 0 || facts.st_size < static_cast<off_t>(size)) {
        return Error::system(EINVAL);
    }
    void* data = ::mmap(nullptr, size, protection, MAP_SHARED | MAP_POPULATE, fd, 0);
    if (data == MAP_FAILED) {
        return Error::last_errno();
    }
    return data;
}

Result<MappedFile> MappedFile::map(int fd, size_t size) {
    Result<void*> data = map_memory_file(fd, size, PROT_READ);
    if (!data) {
        return data.error();
    }
    return MappedFile(*data, size);
}

MappedFile::~MappedFile() {
    if (data_ != nullptr) {
        ::munmap(data_, size_);
    }
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
}

}  // namespace stampede::os
