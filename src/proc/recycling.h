// Which workers and task workers are to be replaced because they have grown or are old: one at a
// time. Of the supervisor, its thread, never parks.
#pragma once

#include "proc/family.h"

namespace stampede::proc {

class Recycling {
public:
    explicit Recycling(const MasterSettings& settings) : settings_(settings) {}

    bool active() const { return settings_.most_memory != 0 || settings_.most_age != 0; }
    // It serves from now on.
    void note_birth(Process& process) const;
    // It is time to look: then next_due() asks, unless something is being replaced already.
    bool is_due(Nanos now);
    // The first that has reached a limit, said in the log; null when none has.
    Process* next_due(const Family& family, Nanos now) const;

private:
    const char* reason(const Process& process, Nanos now) const;

    const MasterSettings& settings_;
    Nanos look_at_ = 0;
};

}  // namespace stampede::proc
