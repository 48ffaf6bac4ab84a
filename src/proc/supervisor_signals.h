// The signals by which a supervisor is told what to do. One per process, its loop's thread, never
// parks.
#pragma once

#include "base/error.h"
#include "loop/loop.h"

namespace stampede::proc {

// Those that have come.
class SignalSet {
public:
    explicit SignalSet(uint64_t bits) : bits_(bits) {}
    bool has(int number) const { return (bits_ >> (number - 1) & 1) != 0; }

private:
    uint64_t bits_;
};

class SupervisorSignals {
public:
    explicit SupervisorSignals(loop::Loop& loop);
    SupervisorSignals(const SupervisorSignals&) = delete;
    SupervisorSignals& operator=(const SupervisorSignals&) = delete;
    ~SupervisorSignals();

    // From now on they come here instead of ending the process.
    Error open();
    // What has come since the last call.
    SignalSet take();
    // In a child: they do again what they did before, and the loop is the parent's.
    void abandon();

private:
    struct Inbox : loop::Watch {
        uint64_t arrived = 0;
    };

    loop::Loop& loop_;
    Inbox inbox_;
};

}  // namespace stampede::proc
