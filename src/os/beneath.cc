#include "os/beneath.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>

#include "os/fd.h"

namespace stampede::os {
namespace {

int64_t nanoseconds_of(const timespec& time) {
    return static_cast<int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

FileMark mark_of(const struct stat& facts) {
    return {facts.st_dev, facts.st_ino, static_cast<uint64_t>(facts.st_size),
            nanoseconds_of(facts.st_mtim), nanoseconds_of(facts.st_ctim)};
}

// Kernels and containers without openat2(): folder by folder, and no links at all.
int open_by_steps(int folder, const char* path, int flags) {
    int at = ::fcntl(folder, F_DUPFD_CLOEXEC, 0);
    while (at >= 0) {
        const char* slash = std::strchr(path, '/');
        std::string step(path,
                         slash != nullptr ? static_cast<size_t>(slash - path) : std::strlen(path));
        bool last = slash == nullptr || slash[1] == 0;
        int how = last ? flags | O_NOFOLLOW : O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
        int next = ::openat(at, step.empty() ? "." : step.c_str(), how);
        int error = errno;
        close_fd(at);
        errno = error;
        if (last || next < 0) {
            return next;
        }
        at = next;
        path = slash + 1;
    }
    return -1;
}

int open_at(int folder, const char* path, int flags, Links links) {
    if (links == Links::kAnywhere) {
        return ::openat(folder, path, flags);
    }
    open_how how{};
    how.flags = static_cast<uint64_t>(flags);
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    for (int attempt = 0; attempt < 3; attempt++) {
        auto fd = static_cast<int>(::syscall(__NR_openat2, folder, path, &how, sizeof(how)));
        if (fd >= 0 || errno != EAGAIN) {  // EAGAIN: something was renamed meanwhile
            return fd < 0 && (errno == ENOSYS || errno == EPERM)
                       ? open_by_steps(folder, path, flags)
                       : fd;
        }
    }
    return -1;
}

bool is_refusal(int error) { return error == EACCES || error == EPERM; }

}  // namespace

int open_folder(const char* path) { return ::open(path, O_PATH | O_DIRECTORY | O_CLOEXEC); }

Opened open_beneath(int folder, const char* path, Links links) {
    Opened opened;
    // Never waits for the writer of a pipe that has the name.
    constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    int fd = open_at(folder, *path == 0 ? "." : path, kFlags, links);
    if (fd < 0) {
        opened.kind = is_refusal(errno) ? EntryKind::kForbidden : EntryKind::kNone;
        return opened;
    }
    struct stat facts;
    bool known = ::fstat(fd, &facts) == 0;
    if (known && S_ISREG(facts.st_mode)) {
        opened.kind = EntryKind::kFile;
        opened.fd = fd;
        opened.mark = mark_of(facts);
        return opened;
    }
    opened.kind = known && S_ISDIR(facts.st_mode) ? EntryKind::kFolder : EntryKind::kForbidden;
    close_fd(fd);
    return opened;
}

bool mark_beneath(int folder, const char* path, FileMark& out) {
    struct stat facts;
    if (::fstatat(folder, path, &facts, 0) != 0 || !S_ISREG(facts.st_mode)) {
        return false;
    }
    out = mark_of(facts);
    return true;
}

std::string path_of(int fd) {
    char name[32];
    std::snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
    char path[PATH_MAX];
    ssize_t length = ::readlink(name, path, sizeof(path));
    bool whole = length > 0 && length < static_cast<ssize_t>(sizeof(path)) && path[0] == '/';
    return whole ? std::string(path, static_cast<size_t>(length)) : std::string();
}

bool is_without_links(int folder, const char* path) {
    int fd = open_by_steps(folder, path, O_PATH | O_CLOEXEC);
    struct stat facts;
    bool found = fd >= 0 && ::fstat(fd, &facts) == 0 && !S_ISLNK(facts.st_mode);
    close_fd(fd);
    return found;
}

bool read_whole(int fd, char* out, size_t size) {
    size_t done = 0;
    while (done < size) {
        ssize_t count = ::pread(fd, out + done, size - done, static_cast<off_t>(done));
        if (count <= 0) {
            return false;
        }
        done += static_cast<size_t>(count);
    }
    return true;
}

std::vector<FolderEntry> list_beneath(int folder, const char* path, Links links, size_t most) {
    std::vector<FolderEntry> entries;
    int fd = open_at(folder, *path == 0 ? "." : path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, links);
    DIR* listing = fd >= 0 ? ::fdopendir(fd) : nullptr;
    if (listing == nullptr) {
        close_fd(fd);
        return entries;
    }
    while (entries.size() < most) {
        const dirent* entry = ::readdir(listing);
        if (entry == nullptr) {
            break;
        }
        if (entry->d_name[0] == '.') {
            continue;
        }
        Opened target = open_beneath(fd, entry->d_name, links);
        if (target.kind == EntryKind::kFile || target.kind == EntryKind::kFolder) {
            entries.push_back({entry->d_name, target.kind == EntryKind::kFolder, target.mark.size,
                               target.mark.modified()});
            close_fd(target.fd);
        }
    }
    ::closedir(listing);
    return entries;
}

}  // namespace stampede::os
