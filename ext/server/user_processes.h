// Processes of the application that live with the server: addProcess(). PHP thread.
#pragma once

#include "ext/server/state.h"

namespace stampede::classes {

// In the supervisor, when one has been forked: its object shows the number.
void note_user_process(ServerState& state, const proc::WorkerPlace& place, pid_t pid);
// The life of one; on the main context. The script is on its way out when this returns.
void run_user_process(ServerState& state);

}  // namespace stampede::classes
