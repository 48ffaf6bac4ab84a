// A reload: which places still have a process of an older generation, and how many of these are
// replaced at once. Of the supervisor, its thread, never parks.
#pragma once

#include "proc/family.h"

namespace stampede::proc {

class Reload {
public:
    Reload(Family& family, uint32_t at_once) : family_(family), at_once_(at_once) {}

    bool active() const { return active_; }
    // All task workers are to be replaced, and all workers, or only the first. False: one was under
    // way already, and does this, too.
    bool begin(bool workers);
    // Lets so many places begin as may. True: all have new processes, and the reload is over.
    bool go_on(uint64_t generation);
    void give_up() { active_ = false; }

private:
    bool under_way(const Slot& slot, PlaceKind kind, uint64_t generation) const;
    void replace(Slot& slot, PlaceKind kind);

    Family& family_;
    uint32_t at_once_;
    bool active_ = false;
};

}  // namespace stampede::proc
