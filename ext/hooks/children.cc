// Children, and libraries that are loaded later.
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "hooks/descriptors.h"
#include "hooks/offload.h"
#include "hooks/hooks.h"
#include "hooks/readiness.h"
#include "io/children.h"
#include "io/descriptor.h"
#include "os/children.h"
#include "os/fd.h"
#include "runtime/runtime.h"

namespace stampede::hooks {

using runtime::Fiber;
using runtime::Runtime;
using runtime::WakeReason;

namespace {

// Until this child has ended; false when the wait was given up.
// Only waits, and leaves asking for the exit code to the caller: the child stays a zombie until
// then, so its number cannot become another process's in between. PHP's own handlers (pcntl) may
// ask first; then the call says ECHILD, as it would have.
bool wait_for_child(pid_t pid) {
    Result<int> ended = os::open_pidfd(pid);
    if (!ended) {
        return true;  // no such process: waitpid() says so
    }
    os::Fd fd(*ended);
    note_opened(*ended);
    pollfd one{*ended, POLLIN, 0};
    Waited waited = Waited::kTryAgain;
    while (waited == Waited::kTryAgain && ::poll(&one, 1, 0) == 0) {
        waited = wait_for_any(&one, 1, kNever);
        // The end of an object waits on when it is cancelled, as it may have a connection that
        // another coroutine uses. A child is of its own coroutine alone.
        if (waited == Waited::kTryAgain && io::is_out_of_time()) {
            waited = Waited::kGivenUp;
        }
    }
    note_closed(*ended);  // at the end of this block
    if (waited == Waited::kGivenUp && io::kill_when_out_of_time(pid)) {
        io::reap_later(pid);
    }
    errno = waited == Waited::kGivenUp ? kGivenUp : errno;
    return waited != Waited::kGivenUp;
}

// Any child, or one of a group: there is no descriptor for that.
// Each try takes the exit code of a child that has ended, so there is nothing to be asked again
// after it.
pid_t wait_for_some(pid_t pid, int* status, int options, rusage* usage) {
    for (Nanos pause = kMillisecond;; pause = pause < 20 * kMillisecond ? pause * 2 : pause) {
        pid_t ended = ::wait4(pid, status, options | WNOHANG, usage);
        if (ended != 0) {
            return ended;
        }
        if (Runtime::get().park_for(pause) != WakeReason::kTimeout) {
            errno = kGivenUp;
            return -1;
        }
    }
}

pid_t hooked_wait4(pid_t pid, int* status, int options, rusage* usage) {
    if ((options & WNOHANG) != 0 || !waits(kProcess)) {
        return ::wait4(pid, status, options, usage);
    }
    // A stopped child is none that has ended.
    if (pid > 0 && (options & (WUNTRACED | WCONTINUED)) == 0) {
        return wait_for_child(pid) ? ::wait4(pid, status, options, usage) : -1;
    }
    return wait_for_some(pid, status, options, usage);
}

pid_t hooked_waitpid(pid_t pid, int* status, int options) {
    return hooked_wait4(pid, status, options, nullptr);
}

pid_t hooked_wait3(int* status, int options, rusage* usage) {
    return hooked_wait4(-1, status, options, usage);
}

pid_t hooked_wait(int* status) { return hooked_wait4(-1, status, 0, nullptr); }

// The C library alone knows the children of its popen(), so these are our own: pclose() waits for
// them like for others.
struct Opened {
    FILE* file;
    pid_t child;
};

// Of the PHP thread. An entry goes with pclose(); with fclose(), which is an error of the caller,
// it stays until the stream's address is used again.
std::vector<Opened> opened;

// With glibc posix_spawn() copies no memory of this process and runs no fork handlers (the loop and
// SQLite's threads have some). Both ends of the pipe are close-on-exec; the copy that dup2() makes
// is not.
pid_t start_shell(const char* command, int from, int to) {
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, from, to);
    const char* arguments[] = {"sh", "-c", command, nullptr};
    pid_t child = -1;
    int error = ::posix_spawn(&child, "/bin/sh", &actions, nullptr,
                              const_cast<char* const*>(arguments), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    errno = error;
    return error == 0 ? child : -1;
}

FILE* hooked_popen(const char* command, const char* mode) {
    bool reads = mode != nullptr && *mode == 'r';
    int ends[2];
    if (mode == nullptr || (*mode != 'r' && *mode != 'w') || !waits(kProcess)) {
        return ::popen(command, mode);
    }
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        return nullptr;
    }
    os::Fd ours(ends[reads ? 0 : 1]), theirs(ends[reads ? 1 : 0]);
    pid_t child = start_shell(command, theirs.get(), reads ? STDOUT_FILENO : STDIN_FILENO);
    FILE* file = child > 0 ? ::fdopen(ours.get(), reads ? "r" : "w") : nullptr;
    if (file != nullptr) {
        note_opened(ours.release());
        opened.push_back({file, child});
    }
    return file;
}

// The entry is taken out before the wait, during which others may open and close.
int hooked_pclose(FILE* file) {
    for (Opened& entry : opened) {
        if (entry.file == file) {
            pid_t child = entry.child;
            entry = opened.back();
            opened.pop_back();
            close_file(file);
            int status = 0;
            return hooked_waitpid(child, &status, 0) == child ? status : -1;
        }
    }
    if (has_tables_of_descriptors()) {
        forget_descriptor(::fileno(file));
    }
    return waits(kProcess) ? static_cast<int>(offload([file] { return ::pclose(file); }))
                           : ::pclose(file);
}

// libc looks for a name without a slash in the run path (DT_RUNPATH) of the object that calls,
// which is this module here and not the caller: what lies in a caller's own run path alone is not
// found.
void* hooked_dlopen(const char* file, int mode) {
    void* library = ::dlopen(file, mode);
    if (library != nullptr) {
        library_was_loaded();
    }
    return library;
}

}  // namespace

const Redirect kChildRedirects[] = {
    redirect<hooked_waitpid>("waitpid"), redirect<hooked_wait4>("wait4"),
    redirect<hooked_wait3>("wait3"),     redirect<hooked_wait>("wait"),
    redirect<hooked_popen>("popen"),     redirect<hooked_pclose>("pclose"),
    redirect<hooked_dlopen>("dlopen"),
};
const size_t kChildRedirectCount = sizeof(kChildRedirects) / sizeof(kChildRedirects[0]);

}  // namespace stampede::hooks
