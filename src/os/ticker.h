// A helper thread that calls a function at a steady pace until the process ends. The function runs
// on that thread and may only set atomic flags and take locks of its own. Gone after fork: start it
// again in the child.
#pragma once

#include "base/clock.h"
#include "base/error.h"

namespace stampede::os {

Error start_ticker(Nanos period, void (*tick)());

}  // namespace stampede::os
