// A hierarchical timer wheel: arming, moving and disarming cost the same few instructions however
// many timers there are. Timers are embedded in their owners. Owned by one Loop, its thread only,
// never parks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/clock.h"
#include "base/list.h"

namespace stampede::loop {

struct Timer : ListNode {
    using Callback = void (*)(Timer&);

    uint64_t tick = 0;  // absolute millisecond at which it fires
    Callback on_fire = nullptr;

    bool armed() const { return linked(); }
};

class TimerWheel {
public:
    explicit TimerWheel(Nanos now);

    void arm(Timer& timer, Nanos now, Nanos delay);
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

private:
    static constexpr int kLevels = 6;
    static constexpr int kSlotBits = 6;
    static constexpr uint64_t kSlots = 1ull << kSlotBits;

    static uint64_t to_tick(Nanos time) { return static_cast<uint64_t>(time / kMillisecond); }
    void place(Timer& timer);
    void cascade(int level);
    void fire_slot(List<Timer>& slot, void (*after_each)(void*), void* arg);
    bool skip_empty(uint64_t target);

    List<Timer> slots_[kLevels][kSlots];
    uint64_t occupied_[kLevels] = {};
    uint64_t current_;
    size_t size_ = 0;
    const Timer* upcoming_ = nullptr;
};

}  // namespace stampede::loop
