#include "io/descriptor.h"

#include <cerrno>

#include "io/bound.h"
#include "os/fd.h"

namespace stampede::io {

using runtime::Fiber;
using runtime::Runtime;
using runtime::WakeReason;

Descriptor::Descriptor(int fd) : fd_(fd) {
    watch_.owner = this;
    watch_.on_ready = on_ready;
}

void Descriptor::adopt(int fd) {
    fd_ = fd;
    sides_[0] = sides_[1] = Side();
    ended_ = urgent_ = unpollable_ = false;
    watch_error_ = 0;
}

bool Descriptor::watched() const {
    return generation_ != 0 && generation_ == Runtime::loop_generation();
}

int Descriptor::forget() {
    int fd = fd_;
    if (watched()) {
        loop::Loop& loop = Runtime::peek()->loop();
        loop.unwatch(watch_);
        loop.ignore_for_liveness(-1, 0);
        if (duplicated_) {
            os::close_fd(watch_.fd);
        }
        wake(Direction::kRead, WakeReason::kClosed);
        wake(Direction::kWrite, WakeReason::kClosed);
    }
    generation_ = 0;
    duplicated_ = false;
    fd_ = -1;
    return fd;
}

void Descriptor::wake(Direction direction, WakeReason reason) {
    if (Fiber* holder = side(direction).holder) {
        Runtime::peek()->wake(*holder, reason);
    }
}

bool Descriptor::cancel(Direction direction) {
    Fiber* holder = side(direction).holder;
    return holder != nullptr && Runtime::get().cancel(*holder);
}

void Descriptor::on_ready(loop::Watch& watch, uint32_t events) {
    Descriptor& self = *static_cast<Watched&>(watch).owner;
    if ((events & (loop::kHangup | loop::kEdge)) != 0) {
        self.ended_ = true;
    }
    self.urgent_ = self.urgent_ || (events & loop::kUrgent) != 0;
    if ((events & (loop::kReadable | loop::kHangup | loop::kEdge)) != 0) {
        self.side(Direction::kRead).ready = true;
        self.wake(Direction::kRead, WakeReason::kReady);
    }
    if ((events & (loop::kWritable | loop::kHangup)) != 0) {
        self.side(Direction::kWrite).ready = true;
        self.wake(Direction::kWrite, WakeReason::kReady);
    }
}

// kReady when it is watched now, or never blocks.
WakeReason Descriptor::start_watching() {
    loop::Loop& loop = Runtime::get().loop();
    watch_.fd = fd_;
    watch_.interest = loop::kReadable | loop::kWritable | loop::kEdge | loop::kUrgent;
    Error error = loop.watch(watch_);
    if (error.is_system(EEXIST)) {
        if (Result<int> second = os::duplicate(fd_)) {
            watch_.fd = *second;
            duplicated_ = true;
            error = loop.watch(watch_);
        }
    }
    if (error) {
        unpollable_ = error.is_system(EPERM);
        watch_error_ = unpollable_ ? 0 : static_cast<int>(error.code());
        return unpollable_ ? WakeReason::kReady : WakeReason::kClosed;
    }
    loop.ignore_for_liveness(1, 0);
    generation_ = Runtime::loop_generation();
    return WakeReason::kReady;
}

WakeReason Descriptor::wait(Direction direction, Nanos deadline) {
    if (may_be_ready(direction)) {
        return WakeReason::kReady;
    }
    if (!watched() && start_watching() != WakeReason::kReady) {
        return WakeReason::kClosed;
    }
    if (unpollable_) {
        return WakeReason::kReady;
    }
    // While somebody waits, the watch keeps the loop going; an idle one does not.
    Runtime& runtime = Runtime::get();
    Side& mine = side(direction);
    uint32_t generation = generation_;
    mine.holder = runtime.current();
    runtime.loop().ignore_for_liveness(-1, 0);
    WakeReason reason = runtime.park(deadline);
    if (generation == Runtime::loop_generation()) {
        runtime.loop().ignore_for_liveness(1, 0);
    }
    mine.holder = nullptr;
    return reason;
}

bool refuse_second_user(const Descriptor& descriptor, Direction direction) {
    Fiber* holder = descriptor.holder(direction);
    if (EXPECTED(holder == nullptr)) {
        return false;
    }
    const char* doing = direction == Direction::kRead ? "reading" : "writing";
    throw_bound_socket(descriptor.fd(), *holder, doing, doing);
    return true;
}

namespace {

struct OneWait : loop::Watch {
    Fiber* fiber;
    uint32_t events = 0;
};

void on_event(loop::Watch& watch, uint32_t events) {
    auto& self = static_cast<OneWait&>(watch);
    self.events |= events;
    Runtime::peek()->wake(*self.fiber, WakeReason::kReady);
}

}  // namespace

Readiness wait_for_events(int fd, uint32_t interest, Nanos deadline) {
    Runtime& runtime = Runtime::get();
    Readiness result;
    // Nothing the loop can see may lie on a coroutine's stack.
    auto* wait = static_cast<OneWait*>(emalloc(sizeof(OneWait)));
    new (wait) OneWait();
    wait->fd = fd;
    wait->interest = interest;
    wait->on_ready = on_event;
    wait->fiber = runtime.current();
    Error error = runtime.loop().watch(*wait);
    if (error.is_system(EEXIST)) {
        if (Result<int> second = os::duplicate(fd)) {
            wait->fd = *second;
            error = runtime.loop().watch(*wait);
        }
    }
    if (!error) {
        uint32_t generation = Runtime::loop_generation();
        result.reason = runtime.park(deadline);
        result.events = wait->events;
        if (generation == Runtime::loop_generation()) {
            runtime.loop().unwatch(*wait);
        }
    } else if (error.is_system(EPERM)) {
        result.events = interest & (loop::kReadable | loop::kWritable);
    } else {
        result.error = static_cast<int>(error.code());
    }
    if (wait->fd != fd) {
        os::close_fd(wait->fd);
    }
    efree(wait);
    return result;
}

}  // namespace stampede::io
