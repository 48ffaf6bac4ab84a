#include "os/mapped_temporary.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#include "os/fd.h"

namespace stampede::os {
namespace {

int open_nameless(const std::string& folder) {
    int fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0) {
        return fd;
    }
    std::string path = folder + "/stampede.XXXXXX";  // a file system that has none without a name
    fd = ::mkostemp(path.data(), O_CLOEXEC);
    if (fd >= 0) {
        ::unlink(path.c_str());
    }
    return fd;
}

}  // namespace

Result<char*> map_temporary(const std::string& folder, size_t bytes) {
    Fd file(open_nameless(folder));
    if (file.get() < 0 || ::fallocate(file.get(), 0, 0, static_cast<off_t>(bytes)) != 0) {
        return Error::last_errno();
    }
    void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    if (memory == MAP_FAILED) {
        return Error::last_errno();
    }
    ::madvise(memory, bytes, MADV_DONTFORK);
    return static_cast<char*>(memory);
}

// The pages are the file's: they leave the table of this process alone.
void part_with_temporary(char* memory, size_t bytes) {
    auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
    uintptr_t begin = reinterpret_cast<uintptr_t>(memory) & ~(page - 1);
    ::madvise(reinterpret_cast<void*>(begin), reinterpret_cast<uintptr_t>(memory) + bytes - begin,
              MADV_DONTNEED);
}

void unmap_temporary(char* memory, size_t bytes) { ::munmap(memory, bytes); }

}  // namespace stampede::os
