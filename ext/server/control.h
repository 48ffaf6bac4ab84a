// The commands of a server's control socket: JSON in, JSON out. They run in the supervisor, without
// code of the application. What only a process itself knows (its coroutines, its memory) is asked
// of it through the bus, with a time limit. PHP thread; never parks.
#pragma once

#include <string>

#include "ext/server/state.h"

namespace stampede::classes {

// Makes the socket of control_socket, when there is one. One sentence on failure.
std::string open_control(ServerState& state);
// From now on it is served by the loop of this process.
void serve_control(ServerState& state);
// In a forked worker: the socket and its clients are the supervisor's.
void abandon_control(ServerState& state);
// Closes it and removes its file.
void close_control(ServerState& state);

}  // namespace stampede::classes
