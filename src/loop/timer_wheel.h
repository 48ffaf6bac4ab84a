// A hierarchical timer wheel: arming, moving and disarming cost the same few instructions however
// many timers there are. A timer fires at the first tick (1/16 ms) at or after its time, a long one
// at most 1/32 of its delay later (1/8 where thousands fire in a second), so that those that are
// due at about the same time fire together; none fires early. Timers are embedded in their owners.
// Owned by one Loop, its thread only, never parks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/clock.h"
#include "base/list.h"

namespace stampede::loop {

struct Timer : ListNode {
    using Callback = void (*)(Timer&);

    uint64_t tick = 0;  // absolute, at which it fires
    Callback on_fire = nullptr;

    bool armed() const { return linked(); }
};

class TimerWheel {
public:
    explicit TimerWheel(Nanos now);

    void arm(Timer& timer, Nanos now, Nanos delay);
    // Whatever its delay, at the first tick at or after this time: for timers whose order counts.
    void arm_at(Timer& timer, Nanos due);
    void disarm(Timer& timer);
    // Fires everything due at or before now. Callbacks may arm and disarm any timer.
    void advance(Nanos now);
    // The same; after_each runs after every callback.
    void advance(Nanos now, void (*after_each)(void*), void* arg);
    // While a callback runs, the next but one: for fetching its memory in time. Not to be looked
    // into.
    const Timer* upcoming() const { return upcoming_; }
    // How long from now until the wheel needs advance(); kNever when it is empty. May be early,
    // never late.
    Nanos next_wait(Nanos now) const;
    size_t size() const { return size_; }

    // Timers that fire at the same tick do so by their rank, the least first, while there are some
    // whose order of arming is not the order that their owner promises.
    using Rank = uint64_t (*)(const Timer&);
    void rank_by(Rank rank) { rank_ = rank; }
    void need_ranks(int more) { ranked_ += more; }

    static constexpr Nanos kTick = kMillisecond / 16;

private:
    static constexpr int kLevels = 6;
    static constexpr int kSlotBits = 6;
    static constexpr uint64_t kSlots = 1ull << kSlotBits;

    static constexpr uint64_t kWindow = 256;  // ticks: 16 ms
    static constexpr uint32_t kCrowd = 64;    // timers in a window

    static uint64_t to_tick(Nanos time) { return static_cast<uint64_t>(time / kTick); }
    uint64_t step_of(Nanos delay) const;
    void look_at_crowd(uint64_t target);
    void start(Timer& timer, uint64_t tick);
    void place(Timer& timer);
    void cascade(int level);
    void fire_slot(List<Timer>& slot, void (*after_each)(void*), void* arg);
    uint64_t next_tick() const;
    bool skip_empty(uint64_t target);
    void sort(List<Timer>& due) const;

    List<Timer> slots_[kLevels][kSlots];
    uint64_t occupied_[kLevels] = {};
    uint64_t current_;
    uint64_t window_ = 0;   // the tick at which counting began
    uint32_t fired_ = 0;    // timers since then
    bool crowded_ = false;  // by the last whole window
    size_t size_ = 0;
    const Timer* upcoming_ = nullptr;
    Rank rank_ = nullptr;
    int ranked_ = 0;
};

}  // namespace stampede::loop
