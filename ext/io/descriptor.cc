#include "io/descriptor.h"

#include <cerrno>

#include "io/bound.h"

namespace stampede::io {

using runtime::Fiber;
using runtime::Runtime;
using runtime::WakeReason;

Descriptor::Descriptor(int fd) {
    watch_.owner = this;
    watch_.on_ready = on_ready;
    adopt(fd);
}

void Descriptor::adopt(int fd) {
    fd_ = fd;
    state_ = fd >= 0 ? &state_of(fd) : nullptr;
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
        give_up(Direction::kRead);
        give_up(Direction::kWrite);
    }
    generation_ = 0;
    fd_ = -1;
    state_ = nullptr;
    return fd;
}

// The number may be another descriptor's before the coroutine runs.
void Descriptor::give_up(Direction direction) {
    if (side(direction).waits) {
        wake(direction, WakeReason::kClosed);
        state_->users.of(direction) = nullptr;
    }
}

void Descriptor::wake(Direction direction, WakeReason reason) {
    Fiber* user = side(direction).waits ? holder(direction) : nullptr;
    if (user != nullptr) {
        Runtime::peek()->wake(*user, reason);
    }
}

bool Descriptor::cancel(Direction direction) {
    Fiber* user = side(direction).waits ? holder(direction) : nullptr;
    return user != nullptr && Runtime::get().cancel(*user);
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
WakeReason Descriptor::start_watching(Direction direction) {
    loop::Loop& loop = Runtime::get().loop();
    watch_.fd = fd_;
    watch_.interest = loop::kReadable | loop::kEdge | loop::kUrgent;
    if (direction == Direction::kWrite) {
        watch_.interest |= loop::kWritable;
    }
    if (Error error = loop.watch(watch_)) {
        unpollable_ = error.is_system(EPERM);
        watch_error_ = unpollable_ ? 0 : static_cast<int>(error.code());
        return unpollable_ ? WakeReason::kReady : WakeReason::kClosed;
    }
    loop.ignore_for_liveness(1, 0);
    generation_ = Runtime::loop_generation();
    return WakeReason::kReady;
}

// Each time that the peer of a unix socket reads, the kernel reports that there is room to write,
// which wakes this process. So a descriptor is watched for room only after a coroutine has waited
// for it.
bool Descriptor::watch_for_room() {
    if (unpollable_ || (watch_.interest & loop::kWritable) != 0) {
        return true;
    }
    Error error = Runtime::get().loop().set_interest(watch_, watch_.interest | loop::kWritable);
    watch_error_ = error ? static_cast<int>(error.code()) : 0;
    return !error;
}

WakeReason Descriptor::wait(Direction direction, Nanos deadline) {
    if (may_be_ready(direction)) {
        return WakeReason::kReady;
    }
    if (!watched() && start_watching(direction) != WakeReason::kReady) {
        return WakeReason::kClosed;
    }
    if (direction == Direction::kWrite && !watch_for_room()) {
        return WakeReason::kClosed;
    }
    if (unpollable_) {
        return WakeReason::kReady;
    }
    // While somebody waits, the watch keeps the loop going; an idle one does not.
    Runtime& runtime = Runtime::get();
    Fiber* self = runtime.current();
    Fiber*& user = state_->users.of(direction);
    uint32_t generation = generation_;
    user = self;
    side(direction).waits = true;
    runtime.loop().ignore_for_liveness(-1, 0);
    WakeReason reason = runtime.park(deadline);
    if (generation == Runtime::loop_generation()) {
        runtime.loop().ignore_for_liveness(1, 0);
    }
    side(direction).waits = false;
    if (user == self) {  // else it was given up
        user = nullptr;
    }
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

}  // namespace stampede::io
