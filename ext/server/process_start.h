// What each process of a server does before code of the application runs in it. PHP thread.
#pragma once

#include <string>

#include "ext/server/state.h"

namespace stampede::classes {

// Who the process is (user, group, chroot), how it calls functions, its hooks and limits. A
// sentence when it cannot be, else empty.
std::string start_process(ServerState& state);

// A worker or task worker receives SIGTERM, SIGINT and SIGRTMIN by its loop. It ignores the signals
// that only the supervisor acts on (reload, stop at once), since a terminal sends a signal to all
// processes of the server. False, with an error in the log, when no descriptor is left. The caller
// lets signals through (os::unblock_all_signals()) when it watches them.
bool take_worker_signals();

// $worker_id and $worker_pid of the server object.
void show_worker(ServerState& state);

}  // namespace stampede::classes
