#include "loop/epoll_poller.h"

#include "os/epoll.h"
#include "os/fd.h"

namespace stampede::loop {

namespace {

uint32_t events_for(const Watch& watch) {
    uint32_t events = 0;
    if (watch.interest & kReadable) {
        events |= EPOLLIN;
    }
    if (watch.interest & kWritable) {
        events |= EPOLLOUT;
    }
    if (watch.interest & kExclusive) {
        events |= EPOLLEXCLUSIVE;
    }
    if (watch.interest & kEdge) {
        events |= EPOLLET | EPOLLRDHUP;
    }
    if (watch.interest & kUrgent) {
        events |= EPOLLPRI;
    }
    if (watch.interest & kOnce) {
        events |= EPOLLONESHOT;
    }
    return events;
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
    auto number = static_cast<size_t>(watch.fd);
    if (number >= slots_.size()) {
        slots_.resize(number + number / 2 + 64);
    }
    Slot& slot = slots_[number];
    slot.added++;
    Error error = update(EPOLL_CTL_ADD, watch);
    if (error) {
        slot.added--;  // another watch may have the descriptor
    } else {
        slot.watch = &watch;
    }
    return error;
}

Error EpollPoller::modify(Watch& watch) {
    if (watch.interest & kExclusive) {  // the kernel refuses to modify an exclusive entry
        remove(watch);
        return add(watch);
    }
    return update(EPOLL_CTL_MOD, watch);
}

Error EpollPoller::update(int operation, Watch& watch) {
    auto number = static_cast<size_t>(watch.fd);
    epoll_event event{};
    event.events = events_for(watch);
    event.data.u64 = number | uint64_t{slots_[number].added} << 32;
    return os::epoll_update(fd_, operation, watch.fd, event);
}

void EpollPoller::remove(Watch& watch) {
    // Fails only when the descriptor is closed already, which removed it from the set.
    (void)os::epoll_update(fd_, EPOLL_CTL_DEL, watch.fd, epoll_event{});
    forget(watch);
}

void EpollPoller::forget(Watch& watch) {
    auto number = static_cast<size_t>(watch.fd);
    if (number < slots_.size() && slots_[number].watch == &watch) {
        slots_[number].watch = nullptr;
    }
}

int EpollPoller::wait(Ready* out, int capacity, Nanos timeout) {
    epoll_event events[512];
    if (capacity > 512) {
        capacity = 512;
    }
    int count = os::epoll_wait_for(fd_, events, capacity, timeout);
    int ready = 0;
    for (int i = 0; i < count; i++) {
        const Slot& slot = slots_[static_cast<uint32_t>(events[i].data.u64)];
        if (slot.watch != nullptr && slot.added == events[i].data.u64 >> 32) {
            out[ready++] = {slot.watch, events_of(events[i].events)};
        }
    }
    return ready;
}

void EpollPoller::abandon() {
    // Closing the inherited number leaves the parent's set as it is; removing entries would not.
    os::close_fd(fd_);
    fd_ = -1;
}

}  // namespace stampede::loop
