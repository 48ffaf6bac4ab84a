#include "os/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <vector>

#include "os/fd.h"

namespace stampede::os {

Result<pid_t> fork_process(SignalsOfChild signals) {
    std::fflush(nullptr);  // or both sides write the same buffered bytes
    // A signal for the child waits until the child has dropped the parent's handlers (what
    // pthread_atfork() knows does that, or the child itself), or it would be lost in them.
    sigset_t all, before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = ::fork();
    int error = errno;
    if (pid != 0 || signals == SignalsOfChild::kAsBefore) {
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }
    if (pid < 0) {
        return Error::system(error);
    }
    return pid;
}

namespace {

std::atomic<pid_t> known_pid{0};

}  // namespace

// All forks of this process are libc's, which runs the handler in the child.
pid_t own_pid() {
    pid_t pid = known_pid.load(std::memory_order_relaxed);
    if (pid == 0) {
        static const int failure = ::pthread_atfork(nullptr, nullptr, forget_own_pid);
        pid = ::getpid();
        known_pid.store(failure == 0 ? pid : 0, std::memory_order_relaxed);
    }
    return pid;
}

void forget_own_pid() { known_pid.store(0, std::memory_order_relaxed); }

pid_t parent_pid() { return ::getppid(); }

namespace {

ChildExit wait_for(pid_t child, int options) {
    ChildExit ended;
    int status = 0;
    pid_t pid;
    do {
        pid = ::waitpid(child, &status, options);
    } while (pid < 0 && errno == EINTR);
    if (pid <= 0) {
        return ended;
    }
    ended.pid = pid;
    if (WIFSIGNALED(status)) {
        ended.signal = WTERMSIG(status);
    } else {
        ended.code = WEXITSTATUS(status);
    }
    return ended;
}

}  // namespace

ChildExit reap_child() { return wait_for(-1, WNOHANG); }

ChildExit block_until_ended(pid_t pid) { return wait_for(pid, 0); }

void adopt_orphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }

// The folder has a link from its parent, one from itself, and one for each thread.
bool has_one_thread() {
    struct stat tasks = {};
    return stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 3;
}

bool send_signal(pid_t pid, int signal_number) { return ::kill(pid, signal_number) == 0; }

void stop_self() { ::raise(SIGSTOP); }

void signal_on_parent_death(int signal_number) { ::prctl(PR_SET_PDEATHSIG, signal_number); }

void die_by_signal(int signal_number) {
    ::signal(signal_number, SIG_DFL);
    ::raise(signal_number);
}

void exit_now(int code) { ::_exit(code); }

void exit_flushed(int code) {
    std::fflush(nullptr);
    ::_exit(code);
}

bool run_in_batches() {
    sched_param none = {};
    return ::sched_getscheduler(0) == SCHED_OTHER &&
           ::sched_setscheduler(0, SCHED_BATCH, &none) == 0;
}

Error daemonize() {
    pid_t pid = ::fork();
    if (pid < 0) {
        return Error::last_errno();
    }
    if (pid > 0) {
        ::_exit(0);
    }
    ::setsid();
    int null_fd = ::open("/dev/null", O_RDWR);
    if (null_fd >= 0) {
        ::dup2(null_fd, 0);
        ::dup2(null_fd, 1);
        ::dup2(null_fd, 2);
        if (null_fd > 2) {
            close_fd(null_fd);
        }
    }
    return Error();
}

Error open_socket_pair(int (&ends)[2]) {
    return ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0
               ? Error()
               : Error::last_errno();
}

namespace {

std::string failure(const char* what, const std::string& name) {
    return std::string(what) + " \"" + name + "\": " + std::strerror(errno);
}

// What names of users and groups stand for. Looked up before the root directory changes: the new
// one need not have lists of them, and what it has could be anybody's, libraries included.
struct Ids {
    bool changes_user = false;
    bool changes_group = false;
    uid_t user = 0;
    gid_t group = 0;
    std::vector<gid_t> groups;  // all that the user is in
};

void list_groups(const char* user, Ids& out) {
    int count = 32;
    do {
        out.groups.resize(static_cast<size_t>(count));
    } while (::getgrouplist(user, out.group, out.groups.data(), &count) < 0 &&
             count > static_cast<int>(out.groups.size()));
    out.groups.resize(std::min(static_cast<size_t>(count), out.groups.size()));
}

std::string look_up(const Identity& identity, Ids& out) {
    if (!identity.user.empty()) {
        const passwd* account = ::getpwnam(identity.user.c_str());
        if (account == nullptr) {
            return "the user \"" + identity.user + "\" does not exist; correct the setting user";
        }
        out.changes_user = out.changes_group = true;
        out.user = account->pw_uid;
        out.group = account->pw_gid;
    }
    if (!identity.group.empty()) {
        const group* entry = ::getgrnam(identity.group.c_str());
        if (entry == nullptr) {
            return "the group \"" + identity.group + "\" does not exist; correct the setting group";
        }
        out.changes_group = true;
        out.group = entry->gr_gid;
    }
    if (out.changes_user) {
        list_groups(identity.user.c_str(), out);
    }
    return "";
}

}  // namespace

namespace {

// The kernel forgets it when the user or the group of a process changes.
class KeptDeathSignal {
public:
    KeptDeathSignal() { ::prctl(PR_GET_PDEATHSIG, &number_); }
    KeptDeathSignal(const KeptDeathSignal&) = delete;
    KeptDeathSignal& operator=(const KeptDeathSignal&) = delete;
    ~KeptDeathSignal() { ::prctl(PR_SET_PDEATHSIG, number_); }

private:
    int number_ = 0;
};

}  // namespace

std::string assume_identity(const Identity& identity) {
    Ids ids;
    KeptDeathSignal kept;
    std::string error = look_up(identity, ids);
    if (!error.empty()) {
        return error;
    }
    if (!identity.chroot.empty() && (::chroot(identity.chroot.c_str()) != 0 || ::chdir("/") != 0)) {
        return failure("cannot change the root directory to", identity.chroot);
    }
    if (ids.changes_user && ::setgroups(ids.groups.size(), ids.groups.data()) != 0) {
        return failure("cannot take the groups of the user", identity.user);
    }
    if (ids.changes_group && ::setgid(ids.group) != 0) {
        return failure("cannot change to the group", identity.group);
    }
    if (ids.changes_user && ::setuid(ids.user) != 0) {
        return failure("cannot change to the user", identity.user);
    }
    return "";
}

uint64_t descriptor_limit() {
    rlimit limit{};
    return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 1024;
}

uint64_t open_descriptors() {
    DIR* dir = ::opendir("/proc/self/fd");
    if (dir == nullptr) {
        return 16;
    }
    uint64_t count = 0;
    while (::readdir(dir) != nullptr) {
        count++;
    }
    ::closedir(dir);
    return count > 3 ? count - 3 : 0;  // ".", ".." and the directory itself
}

void raise_descriptor_limit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        (void)::setrlimit(RLIMIT_NOFILE, &limit);
    }
}

void raise_oom_score() {
    constexpr int kMore = 100;  // tenths of a percent of the memory: 10 % above its own use
    constexpr int kMost = 1000;
    Fd file(::open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC));
    char text[16] = {};
    if (!file || read_some(file.get(), text, sizeof(text) - 1) <= 0) {
        return;  // no /proc: the kernel chooses by memory alone
    }
    int length = std::snprintf(text, sizeof(text), "%d", std::min(std::atoi(text) + kMore, kMost));
    (void)::pwrite(file.get(), text, static_cast<size_t>(length), 0);
}

bool read_process_file(pid_t pid, const char* name, std::span<char> text) {
    char path[40];
    std::snprintf(path, sizeof(path), "/proc/%d/%s", static_cast<int>(pid), name);
    Fd file(::open(path, O_RDONLY | O_CLOEXEC));
    long size = file ? read_some(file.get(), text.data(), text.size() - 1) : -1;
    text[static_cast<size_t>(std::max(size, 0L))] = 0;
    return size > 0;
}

Nanos processor_delay(pid_t pid) {
    char text[128];
    long long ran = 0;
    long long delayed = 0;
    bool known = read_process_file(pid, "schedstat", text) &&
                 std::sscanf(text, "%lld %lld", &ran, &delayed) == 2;
    return known ? delayed : 0;
}

uint64_t resident_memory(pid_t pid) {
    char text[128];
    unsigned long long all = 0;
    unsigned long long resident = 0;
    bool known = read_process_file(pid, "statm", text) &&
                 std::sscanf(text, "%llu %llu", &all, &resident) == 2;
    return known ? resident * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

std::string write_pid_file(const std::string& path, pid_t pid) {
    Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (!file) {
        return failure("cannot write the pid_file", path);
    }
    std::string text = std::to_string(pid);
    if (write_some(file.get(), text.data(), text.size()) != static_cast<long>(text.size())) {
        return failure("cannot write the pid_file", path);
    }
    return "";
}

void remove_file(const std::string& path) { (void)::unlink(path.c_str()); }

}  // namespace stampede::os
