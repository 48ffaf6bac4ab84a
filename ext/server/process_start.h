// What each process of a server does before code of the application runs in it. PHP thread.
#pragma once

#include <string>

#include "ext/server/state.h"

namespace stampede::classes {

// Who the process is (user, group, chroot), how it calls functions, its hooks and limits. A
// sentence when it cannot be, else empty.
std::string start_process(ServerState& state);

// A worker or task worker hears SIGTERM, SIGINT and SIGRTMIN by its loop; signals that are for the
// supervisor alone are ignored, since a terminal sends them to all. False, and logged, when that
// cannot be. Signals are let through by os::unblock_all_signals() when they are watched.
bool take_worker_signals();

// $worker_id and $worker_pid of the server object.
void show_worker(ServerState& state);

}  // namespace stampede::classes
