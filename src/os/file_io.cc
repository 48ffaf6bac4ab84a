#include "os/file_io.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace stampede::os {

namespace {

long result_of(long value) { return value < 0 ? -errno : value; }

}  // namespace

int open_cached_at(int directory, const char* path, int flags) {
#ifdef RESOLVE_CACHED
    open_how how{};
    how.flags = static_cast<unsigned>(flags);
    how.resolve = RESOLVE_CACHED;
    long fd = ::syscall(__NR_openat2, directory, path, &how, sizeof(how));
    if (fd >= 0) {
        return static_cast<int>(fd);
    }
    // Older kernels and some containers know neither the call nor the flag.
    return errno == ENOSYS || errno == EINVAL || errno == EPERM ? -EAGAIN : -errno;
#else
    (void)directory;
    (void)path;
    (void)flags;
    return -EAGAIN;
#endif
}

int open_cached(const char* path, int flags) {
    return open_cached_at(AT_FDCWD, path, flags | O_CLOEXEC | O_NONBLOCK);
}

int open_file(const char* path, int flags, mode_t mode) {
    return static_cast<int>(result_of(::open(path, flags | O_CLOEXEC | O_NONBLOCK, mode)));
}

FileFacts facts_of(int fd) {
    FileFacts facts;
    struct stat status;
    if (::fstat(fd, &status) != 0) {
        return facts;
    }
    if (S_ISREG(status.st_mode)) {
        facts.kind = FileKind::kRegular;
        facts.size = static_cast<uint64_t>(status.st_size);
    } else if (S_ISDIR(status.st_mode)) {
        facts.kind = FileKind::kDirectory;
    } else if (S_ISFIFO(status.st_mode)) {
        facts.kind = FileKind::kPipe;
    }
    return facts;
}

long read_cached(int fd, char* out, size_t size, int64_t offset) {
    iovec part{out, size};
    return result_of(::preadv2(fd, &part, 1, offset, RWF_NOWAIT));
}

long write_cached(int fd, const char* data, size_t size, int64_t offset) {
    iovec part{const_cast<char*>(data), size};
    return result_of(::pwritev2(fd, &part, 1, offset, RWF_NOWAIT));
}

long read_at(int fd, char* out, size_t size, int64_t offset) {
    long count;
    do {
        count = offset < 0 ? ::read(fd, out, size) : ::pread(fd, out, size, offset);
    } while (count < 0 && errno == EINTR);
    return result_of(count);
}

long write_at(int fd, const char* data, size_t size, int64_t offset) {
    long count;
    do {
        count = offset < 0 ? ::write(fd, data, size) : ::pwrite(fd, data, size, offset);
    } while (count < 0 && errno == EINTR);
    return result_of(count);
}

int stat_path(const char* path, int flags, struct statx* out) {
    unsigned mask = STATX_BASIC_STATS | STATX_BTIME;
    return static_cast<int>(result_of(::statx(AT_FDCWD, path, flags, mask, out)));
}

int sync_file(int fd) { return static_cast<int>(result_of(::fsync(fd))); }

int truncate_file(int fd) { return static_cast<int>(result_of(::ftruncate(fd, 0))); }

int close_file(int fd) { return static_cast<int>(result_of(::close(fd))); }

int try_lock(int fd, LockKind kind) {
    int operation = kind == LockKind::kShared ? LOCK_SH : LOCK_EX;
    return static_cast<int>(result_of(::flock(fd, operation | LOCK_NB)));
}

int volume_facts(const char* path, VolumeFacts& out) {
    struct statvfs facts;
    if (::statvfs(path, &facts) != 0) {
        return -errno;
    }
    out = {facts.f_bsize,  facts.f_frsize, facts.f_blocks, facts.f_bfree,
           facts.f_bavail, facts.f_files,  facts.f_ffree,  facts.f_favail,
           facts.f_fsid,   facts.f_flag,   facts.f_namemax};
    return 0;
}

}  // namespace stampede::os
