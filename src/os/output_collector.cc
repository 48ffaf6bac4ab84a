#include "os/output_collector.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <string_view>

#include "os/fd.h"
#include "os/log_object.h"

namespace stampede::os {

namespace {

// Out of the way of programs that expect their own descriptors from 3 on.
constexpr int kFirstDescriptor = 10;
// A line that does not end, such as a question, is shown after so long.
constexpr int kIdleMillis = 200;

struct Printed {
    std::string_view source;
    std::string_view level;
    int from;
    int to;
    bool open = true;
    std::string kept{};

    void read_some();
    // Whole lines; with the rest, what has no end yet as well.
    void write_lines();
    void write_rest();
};

// A log that takes nothing any more must not stop those that print.
void write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        ssize_t count = ::write(fd, bytes.data(), bytes.size());
        if (count < 0 && errno == EAGAIN) {
            pollfd ready{fd, POLLOUT, 0};
            (void)::poll(&ready, 1, -1);
        } else if (count < 0 && errno != EINTR) {
            return;
        } else if (count > 0) {
            bytes.remove_prefix(static_cast<size_t>(count));
        }
    }
}

void Printed::read_some() {
    char bytes[64 * 1024];
    ssize_t count = ::read(from, bytes, sizeof(bytes));
    if (count > 0) {
        kept.append(bytes, static_cast<size_t>(count));
        write_lines();
    } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
        open = false;
        write_rest();
    }
}

void Printed::write_lines() {
    std::string out;
    std::string_view rest = kept;
    for (size_t end; (end = rest.find('\n')) != std::string_view::npos || !rest.empty();) {
        if (end == std::string_view::npos && rest.size() <= kLongestMessage) {
            break;
        }
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
            out += log_object(line, {.level = level, .source = source});
        }
    }
    kept = std::string(rest);
    write_all(to, out);
}

void Printed::write_rest() {
    if (!kept.empty()) {
        kept += '\n';
        write_lines();
    }
}

[[noreturn]] void run_collector(int output, int errors) {
    sigset_t all;
    sigfillset(&all);
    (void)::sigprocmask(SIG_SETMASK, &all, nullptr);  // it ends when all that print have ended
    (void)::setsid();
    (void)::prctl(PR_SET_NAME, "stampede log");
    if (::chdir("/") != 0) {
        _exit(1);
    }
    (void)::dup2(output, kFirstDescriptor);
    (void)::dup2(errors, kFirstDescriptor + 1);
    for (int fd = 3; fd < kFirstDescriptor; fd++) {
        (void)::close(fd);
    }
    (void)close_between(kFirstDescriptor + 2, ~0U);
    Printed all_printed[] = {
        {"stdout", "info", kFirstDescriptor, STDOUT_FILENO},
        {"stderr", "notice", kFirstDescriptor + 1, STDERR_FILENO},
    };
    while (all_printed[0].open || all_printed[1].open) {
        pollfd ready[2];
        for (int i = 0; i < 2; i++) {
            ready[i] = {all_printed[i].open ? all_printed[i].from : -1, POLLIN, 0};
        }
        int count = ::poll(ready, 2, kIdleMillis);
        for (int i = 0; i < 2; i++) {
            if (ready[i].revents != 0) {
                all_printed[i].read_some();
            } else if (count == 0) {
                all_printed[i].write_rest();
            }
        }
    }
    _exit(0);
}

// Two pipes, moved out of the way of 1 and 2 where these are closed.
bool open_pipe_aside(int (&ends)[2]) {
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        return false;
    }
    for (int& end : ends) {
        int moved = ::fcntl(end, F_DUPFD_CLOEXEC, kFirstDescriptor + 2);
        (void)::close(end);
        end = moved;
    }
    return ends[0] >= 0 && ends[1] >= 0;
}

}  // namespace

Result<int> collect_output() {
    int former = ::fcntl(STDERR_FILENO, F_DUPFD, kFirstDescriptor);
    int output[2];
    int errors[2];
    if (former < 0 || !open_pipe_aside(output) || !open_pipe_aside(errors)) {
        return Error::last_errno();
    }
    // Not a child of this process, which counts and waits for those that it has.
    pid_t between = ::fork();
    if (between < 0) {
        return Error::last_errno();
    }
    if (between == 0) {
        if (::fork() == 0) {
            run_collector(output[0], errors[0]);
        }
        _exit(0);
    }
    while (::waitpid(between, nullptr, 0) < 0 && errno == EINTR) {
    }
    (void)::dup2(output[1], STDOUT_FILENO);
    (void)::dup2(errors[1], STDERR_FILENO);
    for (int fd : {output[0], output[1], errors[0], errors[1]}) {
        (void)::close(fd);
    }
    return former;
}

}  // namespace stampede::os
