#include "hooks/files.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <string>

#include "hooks/descriptors.h"
#include "hooks/fairness.h"
#include "hooks/offload.h"
#include "hooks/hooks.h"
#include "hooks/kinds.h"
#include "io/files.h"
#include "os/file_io.h"
#include "runtime/runtime.h"
#include "zend/caller.h"
#include "zend/engine_version.h"

namespace stampede::hooks {

using runtime::Runtime;
using runtime::WakeReason;

namespace {

constexpr int64_t kOwnPlace = -1;
// Written in place where the file system cannot tell whether it would wait (ext4, for one): these
// are copied to the page cache in a microsecond, a hand-over costs twenty.
constexpr size_t kSmallWrite = 16 * 1024;
// Some 50 microseconds for each MiB.
constexpr uint64_t kLongToClose = 8 * 1024 * 1024;
constexpr Nanos kPipePause = 10 * kMillisecond;

// As the C library says it.
ssize_t result_of(long result) {
    if (result >= 0) {
        return result;
    }
    errno = static_cast<int>(-result);
    return -1;
}

bool cannot_tell(long result) {
    return result == -EOPNOTSUPP || result == -ENOSYS || result == -EINVAL;
}

size_t piece_of(size_t size) { return std::min(size, kLargestPiece); }

// What is missing after the first part of a read; nothing more is no error.
ssize_t read_rest(int fd, char* data, size_t size, int64_t offset, size_t done) {
    while (done < size) {
        int64_t at = offset == kOwnPlace ? kOwnPlace : offset + static_cast<int64_t>(done);
        long count = os::read_cached(fd, data + done, piece_of(size - done), at);
        if (count == -EAGAIN || cannot_tell(count)) {
            count = io::read_beside(fd, data + done, size - done, at);
        }
        if (count <= 0) {
            return done > 0 ? static_cast<ssize_t>(done) : result_of(count);
        }
        done += static_cast<size_t>(count);
        if (done < size) {
            make_room_after_file(fd, POLLIN, count);
        }
    }
    return static_cast<ssize_t>(done);
}

ssize_t write_rest(int fd, const char* data, size_t size, int64_t offset, size_t done) {
    while (done < size) {
        int64_t at = offset == kOwnPlace ? kOwnPlace : offset + static_cast<int64_t>(done);
        long count = kind_of(fd) == Kind::kRegularWrittenBlindly
                         ? -EAGAIN
                         : os::write_cached(fd, data + done, piece_of(size - done), at);
        if (count == -EAGAIN || cannot_tell(count)) {
            count = io::write_beside(fd, data + done, size - done, at);
        }
        if (count <= 0) {
            return done > 0 ? static_cast<ssize_t>(done) : result_of(count);
        }
        done += static_cast<size_t>(count);
        if (done < size) {
            make_room_after_file(fd, POLLOUT, count);
        }
    }
    return static_cast<ssize_t>(done);
}

// The descriptor of an opening that was given up is closed again.
// O_NONBLOCK, for the thread must not hang at a pipe without a reader; open_as_asked() takes it off
// again.
struct Opening final : OffloadJob {
    int directory;
    std::string path;
    int flags;
    mode_t mode;
    int fd = -1;

    ~Opening() override { os::close_fd(fd); }
    void call() override {
        fd = ::openat(directory, path.c_str(), flags | O_NONBLOCK, mode);
        if (fd < 0 && errno == EWOULDBLOCK) {  // another process has a lease on it
            fd = ::openat(directory, path.c_str(), flags, mode);
        }
    }
};

// `directory` is the caller's descriptor, used on the thread as it is: one that is closed meanwhile
// makes the call fail, or, with its number used again, look in another directory, as threads of one
// process would.
int offload_open(int directory, const char* path, int flags, mode_t mode) {
    auto* job = new Opening();
    job->directory = directory;
    job->path = path;
    job->flags = flags;
    job->mode = mode;
    if (!run_offloaded(job)) {
        return -1;
    }
    int fd = job->fd;
    int error = job->error;
    job->fd = -1;
    delete job;
    errno = error;
    return fd;
}

// In place when the kernel has the name in memory and nothing has to be made or emptied.
// RESOLVE_CACHED opens only what needs no disk and fails with EAGAIN otherwise. A file that has to
// be made (O_CREAT) or emptied waits for the disk in any case: without these flags it tells whether
// there is one.
int open_without_waiting(int directory, const char* path, int flags, mode_t mode) {
    bool changes = (flags & (O_TRUNC | O_EXCL)) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
    if (!changes) {
        int fd = os::open_cached_at(directory, path, (flags & ~O_CREAT) | O_NONBLOCK);
        bool missing = fd == -ENOENT && (flags & O_CREAT) != 0;
        if (fd != -EAGAIN && !missing) {
            make_room_after_call(fairness::kPerCall);
            return static_cast<int>(result_of(fd));
        }
    }
    return offload_open(directory, path, flags, mode);
}

int open_as_asked(int directory, const char* path, int flags, mode_t mode) {
    int fd = open_without_waiting(directory, path, flags, mode);
    // A pipe without a reader: no event tells when one comes.
    while (fd < 0 && errno == ENXIO && (flags & (O_ACCMODE | O_NONBLOCK)) == O_WRONLY) {
        if (Runtime::get().park_for(kPipePause) != WakeReason::kTimeout) {
            errno = kGivenUp;
            return -1;
        }
        fd = ::openat(directory, path, flags | O_NONBLOCK, mode);
    }
    if (fd >= 0) {
        note_opened(fd);  // its kind is told by the fstat() that usually follows
        if ((flags & O_NONBLOCK) == 0) {
            ::fcntl(fd, F_SETFL, flags & ~(O_CREAT | O_EXCL | O_TRUNC));
        }
    }
    return fd;
}

bool opens_in_place(const char* path, int flags) {
    return path == nullptr || (flags & O_PATH) != 0 || !may_wait_for_files();
}

mode_t mode_of(int flags, va_list& arguments) {
    bool given = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
    return given ? static_cast<mode_t>(va_arg(arguments, int)) : 0;
}

int hooked_open(const char* path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return opens_in_place(path, flags) ? ::open(path, flags, mode)
                                       : open_as_asked(AT_FDCWD, path, flags, mode);
}

int hooked_open_checked(const char* path, int flags) { return hooked_open(path, flags, 0); }

int hooked_openat(int directory, const char* path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return opens_in_place(path, flags) ? ::openat(directory, path, flags, mode)
                                       : open_as_asked(directory, path, flags, mode);
}

int hooked_openat_checked(int directory, const char* path, int flags) {
    return hooked_openat(directory, path, flags, 0);
}

int hooked_creat(const char* path, mode_t mode) {
    return hooked_open(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

ssize_t hooked_pread(int fd, void* data, size_t size, off_t offset) {
    if (size == 0 || offset < 0 || !may_wait_for_files() || !is_regular(kind_of(fd))) {
        return ::pread(fd, data, size, offset);
    }
    ssize_t count = read_rest(fd, static_cast<char*>(data), size, offset, 0);
    make_room_after_file(fd, POLLIN, count);
    return count;
}

ssize_t hooked_pread_checked(int fd, void* data, size_t size, off_t offset, size_t) {
    return hooked_pread(fd, data, size, offset);
}

ssize_t hooked_pwrite(int fd, const void* data, size_t size, off_t offset) {
    if (size == 0 || offset < 0 || !may_wait_for_files() || !is_regular(kind_of(fd))) {
        return ::pwrite(fd, data, size, offset);
    }
    auto* bytes = static_cast<const char*>(data);
    ssize_t count = write_rest(fd, bytes, size, offset, 0);
    make_room_after_file(fd, POLLOUT, count);
    return count;
}

int hooked_fstat(int fd, struct stat* out) {
    int status = ::fstat(fd, out);
    if (status == 0 && waits(kFile)) {
        note_facts(fd, out->st_mode);
    }
    return status;
}

int hooked_old_fstat(int, int fd, struct stat* out) { return hooked_fstat(fd, out); }

int hooked_fsync(int fd) {
    return may_wait_for_files()
               ? static_cast<int>(offload_on(fd, [](int own) { return ::fsync(own); }))
               : ::fsync(fd);
}

int hooked_fdatasync(int fd) {
    return may_wait_for_files()
               ? static_cast<int>(offload_on(fd, [](int own) { return ::fdatasync(own); }))
               : ::fdatasync(fd);
}

int hooked_ftruncate(int fd, off_t size) {
    if (!may_wait_for_files()) {
        return ::ftruncate(fd, size);
    }
    return static_cast<int>(offload_on(fd, [size](int own) { return ::ftruncate(own, size); }));
}

// The thread works on copies of the two offsets: the caller's are gone when the wait was given up.
ssize_t offload_copy(int from, off_t* from_at, int to, off_t* to_at, size_t size) {
    Result<int> target = os::duplicate(to);
    if (!target) {
        return -1;
    }
    off_t from_place = from_at != nullptr ? *from_at : 0;
    off_t to_place = to_at != nullptr ? *to_at : 0;
    long count = offload_on(from, [=, own_to = os::Fd(*target), has_from = from_at != nullptr,
                                   has_to = to_at != nullptr](int own_from) mutable {
        return ::copy_file_range(own_from, has_from ? &from_place : nullptr, own_to.get(),
                                 has_to ? &to_place : nullptr, size, 0);
    });
    if (count > 0 && from_at != nullptr) {
        *from_at += count;
    }
    if (count > 0 && to_at != nullptr) {
        *to_at += count;
    }
    note_written(to, count);
    return count;
}

ssize_t hooked_copy_file_range(int from, off_t* from_at, int to, off_t* to_at, size_t size,
                               unsigned flags) {
    return flags == 0 && may_wait_for_files()
               ? offload_copy(from, from_at, to, to_at, size)
               : ::copy_file_range(from, from_at, to, to_at, size, flags);
}

// The cache may have held only the first part: a short read is the end of the file alone.
ssize_t read_on(int fd, char* data, size_t size, size_t done) {
    long more = os::read_cached(fd, data + done, piece_of(size - done), kOwnPlace);
    bool ended = more == 0 || (more == -EAGAIN && !is_regular(look_again(fd)));
    if (ended || (more < 0 && more != -EAGAIN && !cannot_tell(more))) {
        return static_cast<ssize_t>(done);
    }
    return read_rest(fd, data, size, kOwnPlace, done + (more > 0 ? static_cast<size_t>(more) : 0));
}

}  // namespace

// Only in a function of an extension, that is, not where the engine reads code to include it: its
// compiler keeps state in globals while it reads, and a second coroutine would compile into the
// middle of that. Nor while a class is loaded: another coroutine would load it a second time.
bool may_wait_for_files() {
    return waits(kFile) && zend::in_internal_function() && !zend::loads_class();
}

bool may_wait_for_files_too() {
    return waits_too(kFile) && zend::in_internal_function() && !zend::loads_class();
}

std::optional<ssize_t> read_file(int fd, char* data, size_t size) {
    size_t piece = piece_of(size);
    long count = os::read_cached(fd, data, piece, kOwnPlace);
    if (count == 0 || count == static_cast<long>(size)) {
        return count;
    }
    if (count == static_cast<long>(piece)) {
        make_room_after_file(fd, POLLIN, count);
        return is_regular(look_again(fd)) ? read_rest(fd, data, size, kOwnPlace, piece) : count;
    }
    if (count > 0) {
        return read_on(fd, data, size, static_cast<size_t>(count));
    }
    if (count != -EAGAIN && !cannot_tell(count)) {
        return result_of(count);
    }
    if (!is_regular(look_again(fd))) {
        return std::nullopt;
    }
    return read_rest(fd, data, size, kOwnPlace, 0);
}

// Never EAGAIN for a regular file: callers do not expect it. The kind is a memory (kinds.h): each
// way that could block checks it with the kernel first.
std::optional<ssize_t> write_file(int fd, const char* data, size_t size) {
    if (kind_of(fd) == Kind::kRegularWrittenBlindly) {
        // A write that is no try must not meet a socket under the same number.
        if (!is_regular(look_again(fd))) {
            return std::nullopt;
        }
        note_kind(fd, Kind::kRegularWrittenBlindly);
    } else {
        long count = os::write_cached(fd, data, piece_of(size), kOwnPlace);
        bool all = count == static_cast<long>(size);
        if (all || (count < 0 && count != -EAGAIN && !cannot_tell(count))) {
            return result_of(count);
        }
        if (!is_regular(look_again(fd))) {
            return count >= 0 ? std::optional<ssize_t>(count) : std::nullopt;
        }
        if (count >= 0 || count == -EAGAIN) {
            return write_rest(fd, data, size, kOwnPlace,
                              count > 0 ? static_cast<size_t>(count) : 0);
        }
        note_kind(fd, Kind::kRegularWrittenBlindly);
    }
    if (size <= kSmallWrite) {
        return result_of(os::write_at(fd, data, size, kOwnPlace));
    }
    return write_rest(fd, data, size, kOwnPlace, 0);
}

void note_written(int fd, ssize_t count) {
    DescriptorState* state = find_state(fd);
    if (count > 0 && state != nullptr) {
        state->written += static_cast<uint64_t>(count);
    }
}

bool is_long_to_close(int fd) {
    const DescriptorState* state = find_state(fd);
    return state != nullptr && state->written >= kLongToClose && is_regular(state->kind);
}

// The thread has the last number of the file, so the work is done by its close(). A coroutine that
// gives the wait up is told that the file is closed: its number is, and must not be closed again.
int close_long_written(int fd) {
    Result<int> last = os::duplicate(fd);
    int closed = ::close(fd);
    if (!last || closed < 0) {
        return closed;
    }
    long result = offload([held = os::Fd(*last)]() mutable { return ::close(held.release()); });
    return result < 0 && errno == kGivenUp ? 0 : static_cast<int>(result);
}

const Redirect kFileRedirects[] = {
    as_it_is("open", reinterpret_cast<void*>(hooked_open), Group::kFile),
    as_it_is("open64", reinterpret_cast<void*>(hooked_open), Group::kFile),
    redirect<hooked_open_checked>("__open_2", Group::kFile),
    redirect<hooked_open_checked>("__open64_2", Group::kFile),
    as_it_is("openat", reinterpret_cast<void*>(hooked_openat), Group::kFile),
    as_it_is("openat64", reinterpret_cast<void*>(hooked_openat), Group::kFile),
    redirect<hooked_openat_checked>("__openat_2", Group::kFile),
    redirect<hooked_openat_checked>("__openat64_2", Group::kFile),
    redirect<hooked_creat>("creat", Group::kFile),
    redirect<hooked_creat>("creat64", Group::kFile),
    redirect<hooked_pread>("pread", Group::kFile),
    redirect<hooked_pread>("pread64", Group::kFile),
    redirect<hooked_pread_checked>("__pread_chk", Group::kFile),
    redirect<hooked_pread_checked>("__pread64_chk", Group::kFile),
    redirect<hooked_pwrite>("pwrite", Group::kFile),
    redirect<hooked_pwrite>("pwrite64", Group::kFile),
    redirect<hooked_fstat>("fstat", Group::kFile),
    redirect<hooked_fstat>("fstat64", Group::kFile),
    redirect<hooked_old_fstat>("__fxstat", Group::kFile),
    redirect<hooked_old_fstat>("__fxstat64", Group::kFile),
    redirect<hooked_fsync>("fsync", Group::kFile),
    redirect<hooked_fdatasync>("fdatasync", Group::kFile),
    redirect<hooked_ftruncate>("ftruncate", Group::kFile),
    redirect<hooked_ftruncate>("ftruncate64", Group::kFile),
    redirect<hooked_copy_file_range>("copy_file_range", Group::kFile),
};
const size_t kFileRedirectCount = sizeof(kFileRedirects) / sizeof(kFileRedirects[0]);

}  // namespace stampede::hooks
