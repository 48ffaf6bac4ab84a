#include "os/children.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string_view>
#include <utility>

#include "os/fd.h"
#include "os/socket_io.h"

extern char** environ;

namespace stampede::os {

namespace {

// Every signal acts as usual in the command, whatever the server ignores.
void usual_signals(posix_spawnattr_t& attributes) {
    sigset_t all, none;
    sigfillset(&all);
    sigdelset(&all, SIGKILL);
    sigdelset(&all, SIGSTOP);
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
}

}  // namespace

namespace {

constexpr size_t kMostOfFamily = 1UL << 14;  // a fork bomb gets less far

bool contains(const std::vector<pid_t>& pids, pid_t pid) {
    return std::find(pids.begin(), pids.end(), pid) != pids.end();
}

void read_children(const char* path, std::vector<pid_t>& out) {
    Fd file(::open(path, O_RDONLY | O_CLOEXEC));
    char bytes[4096];
    pid_t pid = 0;
    long count = 0;
    while (file && (count = read_some(file.get(), bytes, sizeof(bytes))) > 0) {
        for (char c : std::string_view(bytes, static_cast<size_t>(count))) {
            if (c >= '0' && c <= '9') {
                pid = pid * 10 + (c - '0');
            } else if (pid != 0) {
                out.push_back(std::exchange(pid, 0));
            }
        }
    }
}

// A process has the children of each of its threads. A kernel without these files
// (CONFIG_PROC_CHILDREN) tells of none.
void read_children(pid_t parent, std::vector<pid_t>& out) {
    char path[64];
    snprintf(path, sizeof(path), "/proc/%d/task", parent);
    std::unique_ptr<DIR, int (*)(DIR*)> threads(::opendir(path), ::closedir);
    while (const dirent* thread = threads != nullptr ? ::readdir(threads.get()) : nullptr) {
        if (thread->d_name[0] != '.') {
            char file[320];
            snprintf(file, sizeof(file), "/proc/%d/task/%s/children", parent, thread->d_name);
            read_children(file, out);
        }
    }
}

// True when one was found that was not known.
bool stop_children(std::vector<pid_t>& family) {
    bool found = false;
    for (size_t i = 0; i < family.size(); i++) {
        std::vector<pid_t> children;
        read_children(family[i], children);
        for (pid_t child : children) {
            if (family.size() < kMostOfFamily && !contains(family, child)) {
                ::kill(child, SIGSTOP);
                family.push_back(child);
                found = true;
            }
        }
    }
    return found;
}

}  // namespace

// All are stopped before the first is killed, so that none can start another. One that was just
// starting a process when it was to stop, or has ended, so that its children became another one's,
// is why this looks until nothing new is there.
void kill_family(pid_t child) {
    std::vector<pid_t> family{child};
    ::kill(child, SIGSTOP);
    while (stop_children(family)) {
    }
    for (pid_t pid : family) {
        ::kill(pid, SIGKILL);
    }
}

bool reap_all() {
    pid_t pid;
    do {
        pid = ::waitpid(-1, nullptr, WNOHANG);
    } while (pid > 0 || (pid < 0 && errno == EINTR));
    return pid < 0;
}

Result<Command> run_shell(const char* command, Capture capture) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        return Error::last_errno();
    }
    Fd reading(ends[0]), writing(ends[1]);
    static_cast<void>(set_nonblocking(reading.get()));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, writing.get(), 1);
    if (capture == Capture::kOutputAndErrors) {
        posix_spawn_file_actions_adddup2(&actions, writing.get(), 2);
    }
    posix_spawnattr_t attributes;
    usual_signals(attributes);
    const char* arguments[] = {"sh", "-c", command, nullptr};
    Command started;
    int failure = posix_spawn(&started.pid, "/bin/sh", &actions, &attributes,
                              const_cast<char**>(arguments), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) {
        return Error::system(failure);
    }
    started.output = reading.release();
    return started;
}

Result<int> open_pidfd(pid_t pid) {
    long fd = ::syscall(SYS_pidfd_open, pid, 0);
    if (fd < 0) {
        return Error::last_errno();
    }
    return static_cast<int>(fd);
}

bool has_ended(pid_t pid) {
    Result<int> opened = open_pidfd(pid);
    if (!opened) {
        return errno == ESRCH;
    }
    Fd process(*opened);
    return poll_one(process.get(), PollFor::kReading, 0) > 0;
}

Result<Fd> take_descriptor(int pidfd, int fd) {
    long taken = ::syscall(__NR_pidfd_getfd, pidfd, fd, 0);
    if (taken < 0) {
        return Error::last_errno();
    }
    return Fd(static_cast<int>(taken));
}

Result<ChildExit> reap(pid_t pid) {
    int status = 0;
    pid_t ended_pid;
    do {
        ended_pid = ::waitpid(pid, &status, WNOHANG);
    } while (ended_pid < 0 && errno == EINTR);
    if (ended_pid < 0) {
        return Error::last_errno();
    }
    ChildExit ended;
    ended.pid = ended_pid;
    if (ended_pid > 0 && WIFSIGNALED(status)) {
        ended.signal = WTERMSIG(status);
    } else if (ended_pid > 0) {
        ended.code = WEXITSTATUS(status);
    }
    return ended;
}

Result<ChildExit> look_at(pid_t pid) {
    siginfo_t info{};
    int result;
    do {
        result = ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT);
    } while (result < 0 && errno == EINTR);
    if (result < 0) {
        return Error::last_errno();
    }
    ChildExit ended;
    ended.pid = info.si_pid;
    (info.si_code == CLD_EXITED ? ended.code : ended.signal) = info.si_status;
    return ended;
}

pid_t group_of(pid_t pid) { return ::getpgid(pid); }

namespace {

std::vector<pid_t> forked;
std::vector<pid_t> before_fork;
void (*fork_listener)() = nullptr;

// The children of the calling thread, which is the one that forks.
std::vector<pid_t> list_children() {
    std::vector<pid_t> pids;
    char path[64];
    std::snprintf(path, sizeof(path), "/proc/self/task/%ld/children", ::syscall(SYS_gettid));
    read_children(path, pids);
    return pids;
}

void on_prepare() { before_fork = list_children(); }

void on_parent() {
    std::vector<pid_t> now = list_children();
    std::erase_if(forked, [&](pid_t pid) { return !contains(now, pid); });
    for (pid_t pid : now) {
        if (!contains(before_fork, pid)) {
            forked.push_back(pid);
        }
    }
    fork_listener();
}

void on_child() {
    forked.clear();
    before_fork.clear();
}

}  // namespace

void track_forks(void (*on_fork)()) {
    if (fork_listener == nullptr) {
        pthread_atfork(on_prepare, on_parent, on_child);
    }
    fork_listener = on_fork;
}

std::vector<pid_t>& forked_children() { return forked; }

}  // namespace stampede::os
