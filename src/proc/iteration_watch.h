// Ends iterations of workers' loops that last too long: an endless loop, or a call that blocks. Of
// the supervisor, its thread, never parks.
#pragma once

#include "proc/family.h"

namespace stampede::proc {

class IterationWatch {
public:
    // longest: of one iteration; 0: any.
    IterationWatch(shm::Scoreboard& board, Nanos longest) : board_(board), longest_(longest) {}

    bool active() const { return longest_ != 0; }
    // First the worker is asked to end the iteration and to say where it was, then it is killed.
    void look_at(Family& family);

private:
    Nanos busy_time(Process& process, Nanos now);

    shm::Scoreboard& board_;
    Nanos longest_;
};

}  // namespace stampede::proc
