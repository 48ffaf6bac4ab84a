// Waiting for what another process does in shared memory, which the loop cannot see: a coroutine
// looks again in growing steps of 1 to 10 ms while others run, everybody else blocks in the
// kernel. PHP thread; parks.
#pragma once

#include "runtime/runtime.h"

namespace stampede::classes {

class SharedWait {
public:
    // Seconds of the API: negative waits for ever, 0 not at all.
    explicit SharedWait(double timeout)
        : deadline_(timeout < 0 || timeout > 9e9
                        ? kNever
                        : monotonic_now() +
                              static_cast<Nanos>(timeout * static_cast<double>(kSecond))) {}

    // One wait; false when the time is over or the coroutine must not wait any longer.
    template <typename Block>
    bool step(Block block) {
        Nanos left = deadline_ == kNever ? kNever : deadline_ - monotonic_now();
        if (left <= 0) {
            return false;
        }
        runtime::Runtime* runtime = runtime::Runtime::peek();
        if (runtime == nullptr || runtime->current() == nullptr) {
            block(left < kLongestBlock ? left : kLongestBlock);
            return true;
        }
        runtime::WakeReason reason = runtime->park_for(left < pause_ ? left : pause_);
        cancelled_ = reason != runtime::WakeReason::kTimeout;
        pause_ = pause_ < kLongestPause ? pause_ * 2 : kLongestPause;
        return !cancelled_;
    }
    bool cancelled() const { return cancelled_; }

private:
    // The holder of a lock may die without waking anybody: look again now and then.
    static constexpr Nanos kLongestBlock = 100 * kMillisecond;
    static constexpr Nanos kLongestPause = 10 * kMillisecond;

    Nanos deadline_;
    Nanos pause_ = kMillisecond;
    bool cancelled_ = false;
};

}  // namespace stampede::classes
