#include "os/epoll.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <ctime>

namespace stampede::os {

namespace {

constexpr Nanos kLongestWait = 1'000'000 * kSecond;

}  // namespace

Result<int> epoll_open() {
    int fd = ::epoll_create1(EPOLL_CLOEXEC);
    if (fd < 0) {
        return Error::last_errno();
    }
    return fd;
}

Error epoll_update(int epoll_fd, int operation, int fd, epoll_event event) {
    return ::epoll_ctl(epoll_fd, operation, fd, &event) == 0 ? Error() : Error::last_errno();
}

int epoll_wait_for(int epoll_fd, epoll_event* events, int capacity, Nanos timeout) {
    // For 0 and for ever both calls do the same, and the one without a structure costs less.
    if (timeout == 0 || timeout == kNever) {
        return std::max(::epoll_wait(epoll_fd, events, capacity, timeout == 0 ? 0 : -1), 0);
    }
    static std::atomic<bool> has_nanoseconds{true};  // Linux 5.11; a filter may forbid the call
    timeout = std::min(timeout, kLongestWait);
    // Nobody misses a part of a millisecond in a second, and milliseconds cost less.
    if (timeout < kSecond && has_nanoseconds.load(std::memory_order_relaxed)) {
        timespec limit = {0, timeout};
        int count = static_cast<int>(
            ::syscall(__NR_epoll_pwait2, epoll_fd, events, capacity, &limit, nullptr, 0));
        if (count >= 0 || (errno != ENOSYS && errno != EPERM)) {
            return std::max(count, 0);
        }
        has_nanoseconds.store(false, std::memory_order_relaxed);
    }
    auto millis = static_cast<int>((timeout + kMillisecond - 1) / kMillisecond);
    return std::max(::epoll_wait(epoll_fd, events, capacity, millis), 0);
}

bool poll_beside(int fd, short& events, int other_fd, Nanos timeout) {
    pollfd both[2] = {{fd, events, 0}, {other_fd, POLLIN, 0}};
    timespec limit = {timeout / kSecond, timeout % kSecond};
    int count = ::ppoll(both, 2, timeout == kNever ? nullptr : &limit, nullptr);
    events = both[0].revents;
    return count > 0 && events != 0;
}

void poll_now(pollfd* fds, int count) { (void)::poll(fds, static_cast<nfds_t>(count), 0); }

}  // namespace stampede::os
