// Wake-ups that processes give each other by shared memory, counted: a wake-up of two ends the
// waits of two, whatever becomes of the value beside it, and none that begins later. Lies in memory
// that processes share; any process, never parks.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

#include "os/futex.h"

namespace stampede::shm {

class WakeCount {
public:
    // What a wait begins with.
    uint32_t sequence() const { return sequence_of(state_.load()); }
    // For os::futex_wait(): changes with each wake-up.
    std::atomic<uint32_t>& word() {
        static_assert(std::endian::native == std::endian::little);
        // Only the kernel and loads read it so: the half of state_ that is the sequence.
        void* sequence = &state_;
        return *static_cast<std::atomic<uint32_t>*>(sequence);
    }

    // No more than wait now: what nobody was there for must end no later wait.
    void wake(uint32_t waiters) {
        uint64_t state = state_.load();
        uint64_t grants = 0;
        do {
            grants = std::min<uint64_t>(uint64_t{grants_of(state)} + waiters, waiting_.load());
        } while (!state_.compare_exchange_weak(
            state, join(sequence_of(state) + 1, static_cast<uint32_t>(grants))));
        if (waiting_.load() > 0) {
            os::futex_wake(word(), INT32_MAX);
        }
    }
    // One of the wake-ups that were given after a wait began with this sequence; false when all are
    // taken.
    bool take(uint32_t began_with) {
        uint64_t state = state_.load();
        while (sequence_of(state) != began_with && grants_of(state) > 0) {
            if (state_.compare_exchange_weak(state,
                                             join(sequence_of(state), grants_of(state) - 1))) {
                return true;
            }
        }
        return false;
    }

    // Around a wait. It begins before the sequence is read, and that before the last look at what
    // is waited for, so that a wake-up that the look misses counts this wait. A process that is
    // killed in one leaves the number too high: a wake-up of several may then end a later wait as
    // well.
    void begin_wait() { waiting_.fetch_add(1); }
    void end_wait() { waiting_.fetch_sub(1); }

private:
    static uint32_t sequence_of(uint64_t state) { return static_cast<uint32_t>(state); }
    static uint32_t grants_of(uint64_t state) { return static_cast<uint32_t>(state >> 32); }
    static uint64_t join(uint32_t sequence, uint32_t grants) {
        return static_cast<uint64_t>(grants) << 32 | sequence;
    }

    std::atomic<uint64_t> state_{0};  // wake-ups that are not taken, and how often some were given
    std::atomic<uint32_t> waiting_{0};
};

}  // namespace stampede::shm
