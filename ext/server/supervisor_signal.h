// What any process of a server wants of its supervisor: to stop, or to reload. PHP thread; never
// parks.
#pragma once

#include "ext/server/state.h"

namespace stampede::classes {

// SIGTERM, SIGUSR1 or SIGUSR2. False with a warning when the server does not run. A worker that
// runs as another user may not send the supervisor a signal: it asks by a message then.
bool signal_supervisor(ServerState& state, int number);

}  // namespace stampede::classes
