// When the successor of a process that has ended may start. A process that ended before it was
// ready would most likely do so again: its place waits 1, 2, 4 ... 30 seconds. One that had been
// ready was ended by its work, a request that crashes PHP or the kernel for want of memory: its
// place is filled at once, and only a place that does nothing but start waits for its share of the
// processor. One for each place; plain state of the supervisor.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/clock.h"

namespace stampede::proc {

class RestartPace {
public:
    static constexpr Nanos kFirstPause = kSecond;
    static constexpr Nanos kLongestPause = 30 * kSecond;
    // Of a place whose processes become ready: so many starts a second in the long run, and so many
    // at once before that counts.
    static constexpr Nanos kLeastDistance = 50 * kMillisecond;
    static constexpr Nanos kBurst = kSecond;
    // Of a process whose function has returned, which may be its way to repeat.
    static constexpr Nanos kLeastDistanceOfRepeats = 5 * kMillisecond;

    // In a row, before ready.
    uint32_t failures() const { return failures_; }
    void reset() { failures_ = 0; }

    // It could not be started, or ended before it was ready: how long the place waits.
    Nanos after_failed_start() { return pause(failures_++); }
    // It ran, but for so short a time that this may be a failure: the first one costs nothing.
    Nanos after_short_life() {
        uint32_t before = failures_++;
        return before == 0 ? 0 : pause(before - 1);
    }
    // It had been ready: how long the place waits, nearly always 0.
    Nanos after_service(Nanos now) { return share(now, kLeastDistance); }
    // It has done its work without a failure, however short that was.
    Nanos after_work(Nanos now) { return share(now, kLeastDistanceOfRepeats); }

private:
    Nanos share(Nanos now, Nanos distance) {
        failures_ = 0;
        credit_used_ = std::max(credit_used_, now) + distance;
        return std::max<Nanos>(credit_used_ - now - kBurst, 0);
    }
    static Nanos pause(uint32_t doublings) {
        return std::min(kFirstPause << std::min(doublings, 5u), kLongestPause);
    }

    uint32_t failures_ = 0;
    Nanos credit_used_ = 0;  // the moment until which the starts so far are paid for
};

}  // namespace stampede::proc
