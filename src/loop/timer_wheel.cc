#include "loop/timer_wheel.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace stampede::loop {

TimerWheel::TimerWheel(Nanos now) : current_(to_tick(now)) {}

void TimerWheel::arm(Timer& timer, Nanos now, Nanos delay) {
    disarm(timer);
    Nanos due = delay > kNever - now - kMillisecond ? kNever - kMillisecond : now + delay;
    uint64_t step = step_of(delay);
    uint64_t tick = (to_tick(due + kTick - 1) + step - 1) & ~(step - 1);
    start(timer, tick);
}

// A power of two. Timers are rounded up to 1/32 of their delay, from a tick to a millisecond, so
// that one that waits for 1 ms waits for 1.06 ms. Where thousands fire in a second it is 1/8: a
// thousand sleepers of 10 ms would wake the process four times as often otherwise.
uint64_t TimerWheel::step_of(Nanos delay) const {
    uint64_t ticks = to_tick(std::min(delay, 32 * kMillisecond));
    return std::bit_floor(std::clamp<uint64_t>(ticks / (crowded_ ? 8 : 32), 1, 16));
}

// Sees whether many timers fire, once in a window of time.
void TimerWheel::look_at_crowd(uint64_t target) {
    if (target - window_ >= kWindow) {
        crowded_ = fired_ > kCrowd && target - window_ < 2 * kWindow;
        fired_ = 0;
        window_ = target;
    }
}

void TimerWheel::arm_at(Timer& timer, Nanos due) {
    disarm(timer);
    start(timer, to_tick(std::min(due, kNever - kMillisecond) + kTick - 1));
}

void TimerWheel::start(Timer& timer, uint64_t tick) {
    timer.tick = tick > current_ ? tick : current_ + 1;
    place(timer);
    size_++;
}

void TimerWheel::disarm(Timer& timer) {
    if (timer.armed()) {
        timer.unlink();
        size_--;
    }
}

void TimerWheel::place(Timer& timer) {
    uint64_t distance = timer.tick - current_;
    int level = 0;
    while (level < kLevels - 1 && distance >> (kSlotBits * (level + 1)) != 0) {
        level++;
    }
    uint64_t reach = (1ull << (kSlotBits * kLevels)) - 1;
    uint64_t tick = distance > reach ? current_ + reach : timer.tick;  // re-placed when it comes up
    uint64_t slot = (tick >> (kSlotBits * level)) & (kSlots - 1);
    slots_[level][slot].push_back(timer);
    occupied_[level] |= 1ull << slot;
}

void TimerWheel::cascade(int level) {
    if (level >= kLevels) {
        return;
    }
    uint64_t slot = (current_ >> (kSlotBits * level)) & (kSlots - 1);
    if (slot == 0) {
        cascade(level + 1);
    }
    List<Timer> moving;
    moving.splice_back(slots_[level][slot]);
    occupied_[level] &= ~(1ull << slot);
    while (Timer* timer = moving.pop_front()) {
        place(*timer);
    }
}

void TimerWheel::fire_slot(List<Timer>& slot, void (*after_each)(void*), void* arg) {
    List<Timer> due;
    due.splice_back(slot);
    if (ranked_ > 0) {
        sort(due);
    }
    while (Timer* timer = due.pop_front()) {
        size_--;
        fired_++;
        Timer* next = due.front();
        upcoming_ = next != nullptr ? due.after(*next) : nullptr;
        __builtin_prefetch(upcoming_);
        timer->on_fire(*timer);
        after_each(arg);
    }
    upcoming_ = nullptr;
}

// Those that are in order already stay as they are.
void TimerWheel::sort(List<Timer>& due) const {
    std::vector<Timer*> timers;
    bool in_order = true;
    for (Timer* timer = due.front(); timer != nullptr; timer = due.after(*timer)) {
        in_order = in_order && (timers.empty() || rank_(*timers.back()) <= rank_(*timer));
        timers.push_back(timer);
    }
    if (in_order) {
        return;
    }
    std::ranges::stable_sort(timers, {}, [this](const Timer* timer) { return rank_(*timer); });
    for (Timer* timer : timers) {
        timer->unlink();
        due.push_back(*timer);
    }
}

// The next tick at which something may happen: a timer fires, or those of a slot of a higher level
// come down.
uint64_t TimerWheel::next_tick() const {
    uint64_t best = UINT64_MAX;
    for (int level = 0; level < kLevels; level++) {
        if (occupied_[level] == 0) {
            continue;
        }
        uint64_t position = current_ >> (kSlotBits * level);
        int turn = static_cast<int>((position + 1) & (kSlots - 1));
        uint64_t ahead = std::rotr(occupied_[level], turn);
        uint64_t start = (position + 1 + static_cast<uint64_t>(std::countr_zero(ahead)))
                         << (kSlotBits * level);
        best = start < best ? start : best;
    }
    return best;
}

// Steps to the next tick at which something may happen; false when that lies beyond target.
bool TimerWheel::skip_empty(uint64_t target) {
    uint64_t index = current_ & (kSlots - 1);
    uint64_t ahead = index == kSlots - 1 ? 0 : occupied_[0] >> (index + 1);
    uint64_t next =
        ahead != 0 ? current_ + 1 + static_cast<uint64_t>(std::countr_zero(ahead)) : next_tick();
    if (next > target) {
        current_ = target;
        return false;
    }
    current_ = next;
    return true;
}

void TimerWheel::advance(Nanos now) {
    advance(
        now, [](void*) {}, nullptr);
}

void TimerWheel::advance(Nanos now, void (*after_each)(void*), void* arg) {
    uint64_t target = to_tick(now);
    look_at_crowd(target);
    while (current_ < target) {
        if (size_ == 0) {
            current_ = target;
            return;
        }
        if (!skip_empty(target)) {
            return;
        }
        uint64_t index = current_ & (kSlots - 1);
        if (index == 0) {
            cascade(1);
        }
        occupied_[0] &= ~(1ull << index);
        fire_slot(slots_[0][index], after_each, arg);
    }
}

Nanos TimerWheel::next_wait(Nanos now) const {
    if (size_ == 0) {
        return kNever;
    }
    Nanos due = static_cast<Nanos>(next_tick()) * kTick;
    return due > now ? due - now : 0;
}

}  // namespace stampede::loop
