// Names of files. What changes a folder waits for the disk's journal and goes to a helper thread.
// Looking something up stays in place on local file systems: the kernel has nearly every name it is
// asked for in memory, and the read of a folder's block that it takes otherwise is shorter than a
// hand-over; on remote ones it goes to the thread, too.
#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "hooks/descriptors.h"
#include "hooks/fairness.h"
#include "hooks/files.h"
#include "hooks/hooks.h"
#include "hooks/offload.h"
#include "hooks/remote_paths.h"

namespace stampede::hooks {

namespace {

bool stays_in_place(const char* path) { return path == nullptr || !may_wait_for_files(); }

// The text is copied: a caller that is cancelled frees its own while the thread still uses it. What
// the call does on the disk happens all the same then.
template <typename Work>
int offload_path(const char* path, Work work) {
    return static_cast<int>(offload([own = std::string(path), work] { return work(own.c_str()); }));
}

template <typename Work>
int offload_paths(const char* one, const char* other, Work work) {
    return static_cast<int>(offload([first = std::string(one), second = std::string(other), work] {
        return work(first.c_str(), second.c_str());
    }));
}

int hooked_unlink(const char* path) {
    return stays_in_place(path) ? ::unlink(path) : offload_path(path, ::unlink);
}

int hooked_rmdir(const char* path) {
    return stays_in_place(path) ? ::rmdir(path) : offload_path(path, ::rmdir);
}

int hooked_remove(const char* path) {
    return stays_in_place(path) ? ::remove(path) : offload_path(path, ::remove);
}

int hooked_mkdir(const char* path, mode_t mode) {
    return stays_in_place(path)
               ? ::mkdir(path, mode)
               : offload_path(path, [mode](const char* own) { return ::mkdir(own, mode); });
}

int hooked_chmod(const char* path, mode_t mode) {
    return stays_in_place(path)
               ? ::chmod(path, mode)
               : offload_path(path, [mode](const char* own) { return ::chmod(own, mode); });
}

int hooked_chown(const char* path, uid_t user, gid_t group) {
    return stays_in_place(path)
               ? ::chown(path, user, group)
               : offload_path(path, [=](const char* own) { return ::chown(own, user, group); });
}

int hooked_lchown(const char* path, uid_t user, gid_t group) {
    return stays_in_place(path)
               ? ::lchown(path, user, group)
               : offload_path(path, [=](const char* own) { return ::lchown(own, user, group); });
}

int hooked_truncate(const char* path, off_t size) {
    return stays_in_place(path)
               ? ::truncate(path, size)
               : offload_path(path, [size](const char* own) { return ::truncate(own, size); });
}

int hooked_rename(const char* from, const char* to) {
    return to == nullptr || stays_in_place(from) ? ::rename(from, to)
                                                 : offload_paths(from, to, ::rename);
}

int hooked_link(const char* from, const char* to) {
    return to == nullptr || stays_in_place(from) ? ::link(from, to)
                                                 : offload_paths(from, to, ::link);
}

int hooked_symlink(const char* target, const char* name) {
    return target == nullptr || stays_in_place(name) ? ::symlink(target, name)
                                                     : offload_paths(target, name, ::symlink);
}

int hooked_utime(const char* path, const utimbuf* times) {
    if (stays_in_place(path)) {
        return ::utime(path, times);
    }
    utimbuf own = times != nullptr ? *times : utimbuf{};
    bool given = times != nullptr;
    return offload_path(path,
                        [=](const char* name) { return ::utime(name, given ? &own : nullptr); });
}

int hooked_utimes(const char* path, const timeval* times) {
    if (stays_in_place(path)) {
        return ::utimes(path, times);
    }
    struct Times {
        timeval pair[2];
    } own{};
    bool given = times != nullptr;
    if (given) {
        own = {{times[0], times[1]}};
    }
    return offload_path(
        path, [=](const char* name) { return ::utimes(name, given ? own.pair : nullptr); });
}

// Makes a name out of a pattern and the file to it.
struct Making final : OffloadJob {
    std::string pattern;
    int fd = -1;

    ~Making() override { os::close_fd(fd); }
    void call() override { fd = ::mkstemp(pattern.data()); }
};

// The pattern is the caller's memory, so the thread works on a copy. Nobody removes the file of one
// that gave up: its name is not known then.
int hooked_mkstemp(char* pattern) {
    if (stays_in_place(pattern)) {
        return ::mkstemp(pattern);
    }
    auto* job = new Making();
    job->pattern = pattern;
    if (!run_offloaded(job)) {
        return -1;
    }
    std::memcpy(pattern, job->pattern.data(), job->pattern.size());
    int fd = job->fd;
    int error = job->error;
    job->fd = -1;
    delete job;
    errno = error;
    return fd;
}

// The kernel has what is asked for in memory, so thousands of these would let nobody else on.
template <typename Look>
int look_in_place(Look look) {
    int status = look();
    make_room_after_call(fairness::kPerCall);
    return status;
}

// Looking something up on a remote file system; the result is copied once it is there.
template <typename Response>
struct Asking final : OffloadJob {
    std::string path;
    int (*ask)(const char*, Response*);
    Response response;
    int status = 0;

    void call() override { status = ask(path.c_str(), &response); }
};

template <typename Response>
int look_up(const char* path, Response* out, int (*ask)(const char*, Response*)) {
    if (stays_in_place(path)) {
        return ask(path, out);
    }
    if (!is_remote(path)) {
        return look_in_place([&] { return ask(path, out); });
    }
    auto* job = new Asking<Response>();
    job->path = path;
    job->ask = ask;
    if (!run_offloaded(job)) {
        return -1;
    }
    int status = job->status;
    int error = job->error;
    if (status == 0) {
        *out = job->response;
    }
    delete job;
    errno = error;
    return status;
}

// On 64-bit machines the names with and without 64 mean the same.
static_assert(sizeof(off_t) == 8 && sizeof(ino_t) == 8);

int hooked_stat(const char* path, struct stat* out) {
    return look_up<struct stat>(path, out, ::stat);
}

int hooked_lstat(const char* path, struct stat* out) {
    return look_up<struct stat>(path, out, ::lstat);
}

// As programs import them that were built with an older C library.
int hooked_old_stat(int, const char* path, struct stat* out) { return hooked_stat(path, out); }
int hooked_old_lstat(int, const char* path, struct stat* out) { return hooked_lstat(path, out); }

int hooked_fstatat(int directory, const char* path, struct stat* out, int flags) {
    if (directory == AT_FDCWD && flags == 0) {
        return hooked_stat(path, out);
    }
    if (directory == AT_FDCWD && flags == AT_SYMLINK_NOFOLLOW) {
        return hooked_lstat(path, out);
    }
    return ::fstatat(directory, path, out, flags);
}

int hooked_access(const char* path, int mode) {
    if (stays_in_place(path)) {
        return ::access(path, mode);
    }
    if (!is_remote(path)) {
        return look_in_place([&] { return ::access(path, mode); });
    }
    return offload_path(path, [mode](const char* own) { return ::access(own, mode); });
}

// Free space is asked of the device.
int hooked_statvfs(const char* path, struct statvfs* out) {
    if (stays_in_place(path)) {
        return ::statvfs(path, out);
    }
    auto* job = new Asking<struct statvfs>();
    job->path = path;
    job->ask = ::statvfs;
    if (!run_offloaded(job)) {
        return -1;
    }
    int status = job->status;
    int error = job->error;
    *out = job->response;
    delete job;
    errno = error;
    return status;
}

// Opens a folder and reads through it once beside the loop, so that readdir() finds it in memory.
// The descriptor of the second open shares nothing with the DIR: its reading does not move the
// caller's place.
struct Listing final : OffloadJob {
    static constexpr int kMostReads = 64;

    std::string path;
    DIR* folder = nullptr;

    ~Listing() override {
        if (folder != nullptr) {
            ::closedir(folder);
        }
    }
    void call() override {
        folder = ::opendir(path.c_str());
        int error = errno;
        if (folder != nullptr) {
            warm(::openat(::dirfd(folder), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        }
        errno = error;
    }
    static void warm(int fd) {
        char entries[16384];
        for (int i = 0; fd >= 0 && i < kMostReads; i++) {
            if (::syscall(SYS_getdents64, fd, entries, sizeof(entries)) <= 0) {
                break;
            }
        }
        os::close_fd(fd);
    }
};

DIR* hooked_opendir(const char* path) {
    if (stays_in_place(path)) {
        return ::opendir(path);
    }
    auto* job = new Listing();
    job->path = path;
    if (!run_offloaded(job)) {
        return nullptr;
    }
    DIR* folder = job->folder;
    int error = job->error;
    job->folder = nullptr;
    delete job;
    errno = error;
    return folder;
}

// A folder that is read is in use while others get their turn, so closedir() lets this call leave
// first. It makes room before it reads: what readdir() gives lies in the folder's buffer.
dirent* hooked_readdir(DIR* folder) {
    if (folder != nullptr && may_wait_for_files()) {
        make_room_in_folder(::dirfd(folder));
    }
    return ::readdir(folder);
}

int hooked_closedir(DIR* folder) {
    if (folder != nullptr && has_tables_of_descriptors()) {
        forget_descriptor(::dirfd(folder));
    }
    return ::closedir(folder);
}

struct Globbing final : OffloadJob {
    std::string pattern;
    int flags;
    glob_t found{};
    int status = GLOB_NOMATCH;

    ~Globbing() override { ::globfree(&found); }
    void call() override { status = ::glob(pattern.c_str(), flags, nullptr, &found); }
};

// Callbacks and state of the caller's would be used on the thread: those calls stay in place. The
// list is made by libc's allocator on the thread and freed by the caller with globfree(), which any
// thread may do.
int hooked_glob(const char* pattern, int flags, int (*on_error)(const char*, int), glob_t* out) {
    constexpr int kWithState = GLOB_APPEND | GLOB_DOOFFS | GLOB_ALTDIRFUNC;
    if (on_error != nullptr || (flags & kWithState) != 0 || stays_in_place(pattern)) {
        return ::glob(pattern, flags, on_error, out);
    }
    auto* job = new Globbing();
    job->pattern = pattern;
    job->flags = flags;
    if (!run_offloaded(job)) {
        *out = {};
        return GLOB_ABORTED;
    }
    *out = job->found;
    job->found = {};
    int status = job->status;
    int error = job->error;
    delete job;
    errno = error;
    return status;
}

}  // namespace

const Redirect kPathRedirects[] = {
    redirect<hooked_unlink>("unlink", Group::kFile),
    redirect<hooked_rmdir>("rmdir", Group::kFile),
    redirect<hooked_remove>("remove", Group::kFile),
    redirect<hooked_mkdir>("mkdir", Group::kFile),
    redirect<hooked_chmod>("chmod", Group::kFile),
    redirect<hooked_chown>("chown", Group::kFile),
    redirect<hooked_lchown>("lchown", Group::kFile),
    redirect<hooked_truncate>("truncate", Group::kFile),
    redirect<hooked_truncate>("truncate64", Group::kFile),
    redirect<hooked_rename>("rename", Group::kFile),
    redirect<hooked_link>("link", Group::kFile),
    redirect<hooked_symlink>("symlink", Group::kFile),
    redirect<hooked_utime>("utime", Group::kFile),
    redirect<hooked_utimes>("utimes", Group::kFile),
    redirect<hooked_mkstemp>("mkstemp", Group::kFile),
    redirect<hooked_mkstemp>("mkstemp64", Group::kFile),
    redirect<hooked_stat>("stat", Group::kFile),
    redirect<hooked_stat>("stat64", Group::kFile),
    redirect<hooked_lstat>("lstat", Group::kFile),
    redirect<hooked_lstat>("lstat64", Group::kFile),
    redirect<hooked_old_stat>("__xstat", Group::kFile),
    redirect<hooked_old_stat>("__xstat64", Group::kFile),
    redirect<hooked_old_lstat>("__lxstat", Group::kFile),
    redirect<hooked_old_lstat>("__lxstat64", Group::kFile),
    redirect<hooked_fstatat>("fstatat", Group::kFile),
    redirect<hooked_fstatat>("fstatat64", Group::kFile),
    redirect<hooked_access>("access", Group::kFile),
    redirect<hooked_statvfs>("statvfs", Group::kFile),
    redirect<hooked_statvfs>("statvfs64", Group::kFile),
    redirect<hooked_opendir>("opendir", Group::kFile),
    redirect<hooked_readdir>("readdir", Group::kFile),
    redirect<hooked_readdir>("readdir64", Group::kFile),
    redirect<hooked_closedir>("closedir", Group::kFile),
    redirect<hooked_glob>("glob", Group::kFile),
    redirect<hooked_glob>("glob64", Group::kFile),
};
const size_t kPathRedirectCount = sizeof(kPathRedirects) / sizeof(kPathRedirects[0]);

}  // namespace stampede::hooks
