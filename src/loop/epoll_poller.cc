#include "loop/epoll_poller.h"

#include "os/epoll.h"
#include "os/fd.h"

namespace stampede::loop {

namespace {

epoll_event event_for(Watch& watch) {
    epoll_event event{};
    event.data.ptr = &watch;
    if (watch.interest & kReadable) {
        event.events |= EPOLLIN;
    }
    if (watch.interest & kWritable) {
        event.events |= EPOLLOUT;
    }
    if (watch.interest & kExclusive) {
        event.events |= EPOLLEXCLUSIVE;
    }
    if (watch.interest & kEdge) {
        event.events |= EPOLLET | EPOLLRDHUP;
    }
    if (watch.interest & kUrgent) {
        event.events |= EPOLLPRI;
    }
    if (watch.interest & kOnce) {
        event.events |= EPOLLONESHOT;
    }
    return event;
}

uint32_t events_of(uint32_t bits) {
    uint32_t events = 0;
    if (bits & EPOLLIN) {
        events |= kReadable;
    }
    if (bits & EPOLLOUT) {
        events |= kWritable;
    }
    if (bits & (EPOLLHUP | EPOLLERR)) {
        events |= kHangup;
    }
    if (bits & EPOLLRDHUP) {
        events |= kEdge;
    }
    if (bits & EPOLLPRI) {
        events |= kUrgent;
    }
    return events;
}

}  // namespace

Result<std::unique_ptr<EpollPoller>> EpollPoller::create() {
    Result<int> fd = os::epoll_open();
    if (!fd) {
        return fd.error();
    }
    return std::unique_ptr<EpollPoller>(new EpollPoller(*fd));
}

EpollPoller::~EpollPoller() { os::close_fd(fd_); }

Error EpollPoller::add(Watch& watch) {
    return os::epoll_update(fd_, EPOLL_CTL_ADD, watch.fd, event_for(watch));
}

Error EpollPoller::modify(Watch& watch) {
    if (watch.interest & kExclusive) {  // the kernel refuses to modify an exclusive entry
        remove(watch);
        return add(watch);
    }
    return os::epoll_update(fd_, EPOLL_CTL_MOD, watch.fd, event_for(watch));
}

void EpollPoller::remove(Watch& watch) {
    // Fails only when the descriptor is closed already, which removed it from the set.
    (void)os::epoll_update(fd_, EPOLL_CTL_DEL, watch.fd, epoll_event{});
}

int EpollPoller::wait(Ready* out, int capacity, Nanos timeout) {
    epoll_event events[512];
    if (capacity > 512) {
        capacity = 512;
    }
    int count = os::epoll_wait_for(fd_, events, capacity, timeout);
    for (int i = 0; i < count; i++) {
        out[i].watch = static_cast<Watch*>(events[i].data.ptr);
        out[i].events = events_of(events[i].events);
    }
    return count;
}

void EpollPoller::abandon() {
    // Closing the inherited number leaves the parent's set as it is; removing entries would not.
    os::close_fd(fd_);
    fd_ = -1;
}

}  // namespace stampede::loop
