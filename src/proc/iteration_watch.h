// Ends iterations of workers' loops that last too long (an endless loop, or a call that blocks),
// and tasks of task workers, with all programs that they wait for. Of the supervisor, its thread,
// never parks.
#pragma once

#include "proc/family.h"

namespace stampede::proc {

class IterationWatch {
public:
    // 0: any.
    struct Longest {
        Nanos iteration;
        Nanos task;
    };
    IterationWatch(shm::Scoreboard& board, Longest longest) : board_(board), longest_(longest) {}

    bool active() const { return longest_.iteration != 0 || longest_.task != 0; }
    // First the worker is asked to end the iteration and to say where it was, then it is killed.
    void look_at(Family& family);

private:
    void look_at(Family& family, Process& process, Nanos lasted);
    Nanos longest(const Process& process) const;
    Nanos busy_time(Process& process, Nanos now);

    shm::Scoreboard& board_;
    Longest longest_;
};

}  // namespace stampede::proc
