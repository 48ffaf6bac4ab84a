// What the application has left with the loop of this process beside coroutines: timers and watched
// descriptors, counted where they are made. A process of a server that is asked to end stays for
// what will come by itself, and tells the application of the rest (workerExit). PHP thread.
#pragma once

#include <algorithm>
#include <cstdint>

namespace stampede::runtime {

struct PendingWork {
    int32_t one_shot_timers = 0;
    int32_t repeating_timers = 0;
    int32_t watches = 0;
    // Announced by code of ours as no reason to stay: Stampede\LoopControl::ignore().
    int32_t ignored_timers = 0;
    int32_t ignored_watches = 0;

    // A process that ends now would lose something that was to happen.
    bool keeps_process() const {
        return one_shot_timers > std::max(ignored_timers, 0) ||
               watches > std::max(ignored_watches, 0);
    }
    bool any() const { return keeps_process() || repeating_timers > 0; }
};

// Of this process.
inline PendingWork pending_work;

}  // namespace stampede::runtime
