// A descriptor of our own that coroutines wait for: at most one of them to read, one to write; who
// they are stands in the state of the descriptor. Watched edge-triggered from its first wait on,
// for room to write from the first wait for it on, so that other waits cost no system call.
// Embedded in the object that owns the descriptor (a socket, a pipe); PHP thread; wait() parks.
#pragma once

#include <cstdint>

#include "io/descriptor_state.h"
#include "loop/loop.h"
#include "runtime/runtime.h"

namespace stampede::io {

class Descriptor {
public:
    explicit Descriptor(int fd = -1);
    ~Descriptor() { forget(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int fd() const { return fd_; }
    // For one that has none. It should be non-blocking; closing it stays with the owner, after
    // forget().
    void adopt(int fd);
    // Not watched any more; a waiting coroutine is woken with kClosed. Gives the descriptor back.
    int forget();

    // False when a try is known to give EAGAIN: one said so, or moved less than it could have, and
    // nothing has come since.
    bool may_be_ready(Direction direction) const {
        return side(direction).ready || ended_ || unpollable_;
    }
    // A try gave EAGAIN.
    void blocked(Direction direction) {
        side(direction).ready = false;
        ended_ = false;
        urgent_ = urgent_ && direction != Direction::kRead;
    }
    // A stream moved less than was asked for: the next try would give EAGAIN. Unless it was a read
    // that has ended at a mark of urgent data.
    void drained(Direction direction) {
        side(direction).ready = urgent_ && direction == Direction::kRead;
    }

    // Somebody else has seen that a try is worth it.
    void seems_ready(Direction direction) { side(direction).ready = true; }

    // Parks until there is something to read or room to write, the absolute time has come, or the
    // wait is cancelled or the descriptor given up (kClosed, also when it cannot be watched: see
    // watch_error()). kReady at once when it may be ready. holder() is null and
    // Runtime::can_park() true.
    runtime::WakeReason wait(Direction direction, Nanos deadline);
    int watch_error() const { return watch_error_; }  // errno, 0 = it could be watched
    // The coroutine that waits in this direction, or is about to go on after such a wait.
    runtime::Fiber* holder(Direction direction) const {
        return state_ != nullptr ? state_->users.of(direction) : nullptr;
    }
    // Its wait fails as cancelled. False when nobody waits.
    bool cancel(Direction direction);

private:
    struct Side {
        bool ready = true;   // until tried
        bool waits = false;  // the descriptor's user waits here
    };
    struct Watched : loop::Watch {
        Descriptor* owner;
    };

    Side& side(Direction direction) { return sides_[static_cast<int>(direction)]; }
    const Side& side(Direction direction) const { return sides_[static_cast<int>(direction)]; }
    bool watched() const;
    runtime::WakeReason start_watching(Direction direction);
    bool watch_for_room();
    void wake(Direction direction, runtime::WakeReason reason);
    void give_up(Direction direction);
    static void on_ready(loop::Watch& watch, uint32_t events);

    Watched watch_;
    int fd_ = -1;
    DescriptorState* state_ = nullptr;
    uint32_t generation_ = 0;  // of the loop it is watched by, 0 = of none
    int watch_error_ = 0;
    Side sides_[2];
    bool ended_ = false;       // an end or error came: calls say so themselves
    bool urgent_ = false;      // a mark of urgent data came: there may be more after a short read
    bool unpollable_ = false;  // regular files never block
};

// Throws the API's error when another coroutine waits in this direction: names it and the line
// where it waits.
bool refuse_second_user(const Descriptor& descriptor, Direction direction);

// Seconds of the API -> time from now: never for what is not positive.
inline Nanos timeout_of(double seconds) {
    if (!(seconds > 0) || seconds > 9e9) {
        return kNever;
    }
    return static_cast<Nanos>(seconds * static_cast<double>(kSecond));
}

// From now; never for what is negative.
inline Nanos deadline_in(Nanos delay) {
    return delay == kNever || delay < 0 ? kNever : monotonic_now() + delay;
}

}  // namespace stampede::io
