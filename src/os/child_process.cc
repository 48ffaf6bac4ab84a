#include "os/child_process.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <memory>

namespace stampede::os {

namespace {

Error error_unless(bool done) { return done ? Error() : Error::last_errno(); }

}  // namespace

Error open_unix_pair(int type, int (&ends)[2]) {
    return error_unless(::socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) == 0);
}

Error replace_standard_streams(int fd) {
    return error_unless(::dup2(fd, STDIN_FILENO) >= 0 && ::dup2(fd, STDOUT_FILENO) >= 0 &&
                        ::dup2(fd, STDERR_FILENO) >= 0);
}

Result<ChildExit> wait_for_child(Waiting waiting) {
    ChildExit ended;
    int status = 0;
    pid_t pid = ::waitpid(-1, &status, waiting == Waiting::kLook ? WNOHANG : 0);
    if (pid < 0) {
        return Error::last_errno();
    }
    ended.pid = pid;
    if (pid > 0 && WIFSIGNALED(status)) {
        ended.signal = WTERMSIG(status);
    } else if (pid > 0) {
        ended.code = WEXITSTATUS(status);
    }
    return ended;
}

Error set_alarm(long microseconds, int which) {
    itimerval timer{};
    if (microseconds > 0) {
        timer.it_value.tv_sec = timer.it_interval.tv_sec = microseconds / 1000000;
        timer.it_value.tv_usec = timer.it_interval.tv_usec = microseconds % 1000000;
    }
    return error_unless(::setitimer(static_cast<__itimer_which_t>(which), &timer, nullptr) == 0);
}

Error set_affinity(const std::vector<int>& processors) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int processor : processors) {
        if (processor < 0 || processor >= CPU_SETSIZE) {
            return Error::system(EINVAL);
        }
        CPU_SET(processor, &set);
    }
    return error_unless(::sched_setaffinity(0, sizeof(set), &set) == 0);
}

Result<std::vector<int>> affinity() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof(set), &set) != 0) {
        return Error::last_errno();
    }
    std::vector<int> processors;
    for (int i = 0; i < CPU_SETSIZE; i++) {
        if (CPU_ISSET(i, &set)) {
            processors.push_back(i);
        }
    }
    return processors;
}

Error set_priority(int which, int who, int priority) {
    return error_unless(::setpriority(static_cast<__priority_which_t>(which),
                                      static_cast<id_t>(who), priority) == 0);
}

Result<int> priority(int which, int who) {
    errno = 0;
    int value = ::getpriority(static_cast<__priority_which_t>(which), static_cast<id_t>(who));
    if (errno != 0) {
        return Error::last_errno();
    }
    return value;
}

Error replace_program(const char* path, char* const* arguments) {
    ::execv(path, arguments);
    return Error::last_errno();
}

Error become_daemon(const DaemonOptions& options) {
    Result<pid_t> child = fork_process();
    if (!child) {
        return child.error();
    }
    if (*child > 0) {
        exit_now(0);
    }
    ::setsid();
    if (!options.keep_directory && ::chdir("/") != 0) {
        return Error::last_errno();
    }
    std::array<int, 3> streams = options.streams;
    int null = -1;
    if (!options.keep_streams) {
        null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    }
    for (int stream = 0; stream < 3; stream++) {
        int from =
            streams[static_cast<size_t>(stream)] >= 0 ? streams[static_cast<size_t>(stream)] : null;
        if (from >= 0 && ::dup2(from, stream) < 0) {
            return Error::last_errno();
        }
    }
    if (null > 2) {
        ::close(null);
    }
    return Error();
}

}  // namespace stampede::os
