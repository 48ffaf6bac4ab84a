// One coroutine waits for the first event of several descriptors that belong to something else, and
// that may be closed, reused or watched otherwise when the wait is over. It lies on the heap, since
// nothing that the loop sees may lie on a coroutine's stack: begin(), add() each, park, end().
// PHP thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "loop/loop.h"
#include "runtime/runtime.h"

namespace stampede::io {

class GroupWait {
public:
    struct Part : loop::Watch {
        GroupWait* group;
        uint32_t events = 0;  // that came
        int error = 0;        // errno when it cannot be watched
    };

    // For at most so many descriptors, and the current coroutine.
    static GroupWait* begin(size_t most);
    // Nothing more is watched; frees it.
    void end();

    void add(int fd, uint32_t interest);
    const Part& part(size_t index) const { return parts_[index]; }
    // What cannot be watched (a regular file) is always ready, and what is no descriptor says so:
    // there is nothing to park for.
    bool ready_at_once() const { return ready_at_once_; }

private:
    runtime::Fiber* fiber_;
    uint32_t generation_;
    size_t count_;
    bool ready_at_once_;
    Part parts_[1];
};

// For one. Returns the events that came, as loop::kReadable and so on; 0 with the reason otherwise.
struct Readiness {
    uint32_t events = 0;
    runtime::WakeReason reason = runtime::WakeReason::kReady;
    int error = 0;  // errno when it cannot be watched
};
Readiness wait_for_events(int fd, uint32_t interest, Nanos deadline);

}  // namespace stampede::io
