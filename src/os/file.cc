#include "os/file.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "os/fd.h"

namespace stampede::os {

int make_temporary(char* path) { return ::mkostemp(path, O_CLOEXEC); }

bool write_all(int fd, std::string_view data) {
    while (!data.empty()) {
        long count = write_some(fd, data.data(), data.size());
        if (count <= 0) {
            return false;
        }
        data.remove_prefix(static_cast<size_t>(count));
    }
    return true;
}

FileInfo open_regular(const char* path) {
    FileInfo info;
    // Never waits for the writer of a pipe that has the name.
    int fd = ::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    if (fd < 0) {
        return info;
    }
    if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        close_fd(fd);
        errno = S_ISDIR(status.st_mode) ? EISDIR : ENOTSUP;
        return info;
    }
    info.fd = fd;
    info.size = static_cast<uint64_t>(status.st_size);
    info.modified = status.st_mtime;
    return info;
}

int open_for_writing(const char* path, uint64_t offset) {
    int fd = ::open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (offset == 0 ? O_TRUNC : 0), 0644);
    if (fd >= 0 && offset > 0 && ::lseek(fd, static_cast<off_t>(offset), SEEK_SET) < 0) {
        int error = errno;
        close_fd(fd);
        errno = error;
        return -1;
    }
    return fd;
}

bool is_directory(const char* path) {
    struct stat status;
    return ::stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool make_directories(const std::string& path, const std::string& owner) {
    passwd* account = owner.empty() ? nullptr : ::getpwnam(owner.c_str());
    for (size_t end = path.find('/', 1); !path.empty(); end = path.find('/', end + 1)) {
        std::string part = path.substr(0, end);
        if (::mkdir(part.c_str(), 0755) == 0) {
            if (account != nullptr) {
                (void)!::chown(part.c_str(), account->pw_uid, account->pw_gid);
            }
        } else if (errno != EEXIST) {
            return false;
        }
        if (end == std::string::npos) {
            break;
        }
    }
    return is_directory(path.c_str());
}

bool is_writable_directory(const char* path) {
    struct stat status;
    return ::stat(path, &status) == 0 && S_ISDIR(status.st_mode) &&
           ::access(path, W_OK | X_OK) == 0;
}

void remove_path(const char* path) { (void)::unlink(path); }

bool set_mode(const char* path, unsigned mode) { return ::chmod(path, mode) == 0; }

uint64_t file_mark(const char* path) {
    struct stat status;
    if (::stat(path, &status) != 0) {
        return 0;
    }
    uint64_t mark = 14695981039346656037ull;
    for (uint64_t part :
         {static_cast<uint64_t>(status.st_ino), static_cast<uint64_t>(status.st_size),
          static_cast<uint64_t>(status.st_mtim.tv_sec),
          static_cast<uint64_t>(status.st_mtim.tv_nsec)}) {
        mark = (mark ^ part) * 1099511628211ull;
    }
    return mark | 1;
}

}  // namespace stampede::os
