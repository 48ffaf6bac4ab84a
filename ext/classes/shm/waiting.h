// Waiting for what another process does in shared memory: a coroutine parks until a word changes
// (loop/word_watcher.h), everybody else blocks in the kernel. Both look again now and then, since
// the holder of a lock may die without waking anybody. PHP thread; parks.
#pragma once

#include "loop/word_watcher.h"
#include "os/futex.h"
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

    // One wait, while the word is what was seen; false when the time is over or the coroutine must
    // not wait any longer.
    bool step(std::atomic<uint32_t>& word, uint32_t seen) {
        Nanos left = deadline_ == kNever ? kNever : deadline_ - monotonic_now();
        if (left <= 0) {
            return false;
        }
        left = std::min(left, kLongestStep);
        runtime::Runtime* runtime = runtime::Runtime::peek();
        if (runtime == nullptr || runtime->current() == nullptr) {
            os::futex_wait(word, seen, left);
            return true;
        }
        return park(*runtime, word, seen, left);
    }
    // The same without a word: looks again after 1, 2, 4 ... 10 ms.
    template <typename Block>
    bool step(Block block) {
        Nanos left = deadline_ == kNever ? kNever : deadline_ - monotonic_now();
        if (left <= 0) {
            return false;
        }
        runtime::Runtime* runtime = runtime::Runtime::peek();
        if (runtime == nullptr || runtime->current() == nullptr) {
            block(std::min(left, kLongestStep));
            return true;
        }
        return park_blindly(*runtime, left);
    }
    bool cancelled() const { return cancelled_; }

private:
    static constexpr Nanos kLongestStep = 100 * kMillisecond;
    static constexpr Nanos kLongestPause = 10 * kMillisecond;

    struct FiberWatch : loop::WordWatch {
        runtime::Fiber* fiber;
    };

    bool park(runtime::Runtime& runtime, std::atomic<uint32_t>& word, uint32_t seen, Nanos left) {
        FiberWatch watch;
        watch.word = &word;
        watch.seen = seen;
        watch.fiber = runtime.current();
        watch.on_change = [](loop::WordWatch& changed) {
            runtime::Runtime::get().wake(*static_cast<FiberWatch&>(changed).fiber,
                                         runtime::WakeReason::kReady);
        };
        loop::WordWatcher& watcher = loop::WordWatcher::get();
        if (!watcher.watch(runtime.loop(), watch)) {
            return park_blindly(runtime, left);
        }
        runtime::WakeReason reason = runtime.park_for(left);
        watcher.unwatch(watch);
        cancelled_ =
            reason != runtime::WakeReason::kTimeout && reason != runtime::WakeReason::kReady;
        return !cancelled_;
    }
    bool park_blindly(runtime::Runtime& runtime, Nanos left) {
        runtime::WakeReason reason = runtime.park_for(std::min(left, pause_));
        cancelled_ = reason != runtime::WakeReason::kTimeout;
        pause_ = std::min(pause_ * 2, kLongestPause);
        return !cancelled_;
    }

    Nanos deadline_;
    Nanos pause_ = kMillisecond;
    bool cancelled_ = false;
};

}  // namespace stampede::classes
