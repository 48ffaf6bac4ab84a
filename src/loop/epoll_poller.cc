#include "loop/epoll_poller.h"

#include <cerrno>

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

EpollPoller::Slot* EpollPoller::find(int fd) {
    auto number = static_cast<size_t>(fd);  // a negative one is larger than any
    return number < slots_.size() ? &slots_[number] : nullptr;
}

Error EpollPoller::add(Watch& watch) {
    auto number = static_cast<size_t>(watch.fd);
    if (watch.fd >= 0 && number >= slots_.size()) {
        slots_.resize(number + number / 2 + 64);
    }
    Slot* slot = find(watch.fd);
    if (slot == nullptr) {
        return Error::system(EBADF);
    }
    Error error = add_alone(*slot, watch);
    bool is_known = error.is_system(EEXIST) && slot->watch != nullptr;
    if (!is_known || ((slot->watch->interest | watch.interest) & kExclusive) != 0) {
        return error;
    }
    return share(*slot, watch);
}

// The kernel is asked first: when it takes the descriptor, what has the slot is of an earlier one
// that was closed, and may have been freed since.
Error EpollPoller::add_alone(Slot& slot, Watch& watch) {
    slot.added++;
    Error error = update(EPOLL_CTL_ADD, slot, watch);
    if (error) {
        slot.added--;  // the kernel's entry, if there is one, is of the count before
        return error;
    }
    if (slot.is_shared()) {
        slot.shared->clear();
    }
    slot.watch = &watch;
    return error;
}

Error EpollPoller::share(Slot& slot, Watch& watch) {
    if (slot.shared == nullptr) {
        slot.shared = std::make_unique<SharedWatch>(*this, watch.fd);
    }
    if (!slot.is_shared()) {
        slot.shared->clear();
        slot.shared->add(*slot.watch);
    }
    slot.shared->add(watch);
    Error error = update(EPOLL_CTL_MOD, slot, *slot.shared);
    if (error) {
        slot.shared->remove(watch);
    } else {
        slot.watch = slot.shared.get();
    }
    return error;
}

Error EpollPoller::modify(Watch& watch) {
    if (watch.interest & kExclusive) {  // the kernel refuses to modify an exclusive entry
        remove(watch);
        return add(watch);
    }
    Slot* slot = find(watch.fd);
    if (slot == nullptr || !slot->is_of(watch)) {
        return Error::system(ENOENT);  // the number is another's by now
    }
    if (slot->is_shared() && slot->watch != &watch) {
        slot->shared->arm(watch);
    }
    return update(EPOLL_CTL_MOD, *slot, *slot->watch);
}

Error EpollPoller::update(int operation, const Slot& slot, const Watch& watch) {
    epoll_event event{};
    event.events = events_for(watch);
    event.data.u64 = static_cast<uint32_t>(watch.fd) | uint64_t{slot.added} << 32;
    return os::epoll_update(fd_, operation, watch.fd, event);
}

void EpollPoller::remove(Watch& watch) {
    Slot* slot = find(watch.fd);
    if (slot == nullptr || !slot->is_of(watch)) {
        return;
    }
    forget(watch);
    if (slot->watch != nullptr) {
        (void)update(EPOLL_CTL_MOD, *slot, *slot->watch);
    } else {
        // Fails only when the descriptor is closed already, which removed it from the set.
        (void)os::epoll_update(fd_, EPOLL_CTL_DEL, watch.fd, epoll_event{});
    }
}

void EpollPoller::forget(Watch& watch) {
    Slot* slot = find(watch.fd);
    if (slot == nullptr || !slot->is_of(watch)) {
        return;
    }
    if (slot->is_shared()) {
        slot->shared->remove(watch);
    }
    if (slot->watch == &watch || slot->shared->empty()) {
        slot->watch = nullptr;
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

// Under the same number, with the same entries.
Error EpollPoller::part() {
    Result<int> own = os::epoll_open();
    if (!own) {
        return own.error();
    }
    if (Error error = os::move_fd(*own, fd_)) {
        return error;
    }
    for (const Slot& slot : slots_) {
        if (slot.watch != nullptr) {
            if (Error error = update(EPOLL_CTL_ADD, slot, *slot.watch)) {
                return error;
            }
        }
    }
    return Error();
}

}  // namespace stampede::loop
