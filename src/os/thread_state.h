// What a thread of this process is at, as far as another thread can see. Made on the thread itself,
// read from any other one; never parks.
#pragma once

#include <ctime>

#include "base/clock.h"
#include "base/error.h"
#include "os/fd.h"

namespace stampede::os {

class ThreadState {
public:
    ThreadState() = default;
    static Result<ThreadState> of_this_thread();

    // It computes, or would if a processor were free; false while it waits in the kernel.
    bool is_runnable() const;
    // That it has used since it was started.
    Nanos cpu_time() const;
    // How long it has been runnable without a processor; 0 where the kernel does not count that.
    Nanos delay() const;

private:
    Fd status_;
    Fd schedule_;
    clockid_t clock_ = CLOCK_THREAD_CPUTIME_ID;
};

}  // namespace stampede::os
