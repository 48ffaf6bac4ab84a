#include "os/epoll.h"

#include <ctime>

namespace stampede::os {

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
    int millis = -1;
    if (timeout != kNever) {
        Nanos rounded = (timeout + kMillisecond - 1) / kMillisecond;
        millis = rounded > 1'000'000'000 ? 1'000'000'000 : static_cast<int>(rounded);
    }
    int count = ::epoll_wait(epoll_fd, events, capacity, millis);
    return count < 0 ? 0 : count;
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
