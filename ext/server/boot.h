// The boot process of a generation: the event boot, what it leaves, and then the workers. PHP
// thread of a process that the supervisor has forked.
#pragma once

#include "ext/server/state.h"

namespace stampede::classes {

// Returns in each worker, with its place in the state. The boot process itself ends here.
void run_boot_process(ServerState& state);

}  // namespace stampede::classes
