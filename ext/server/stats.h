// The numbers of a server. PHP thread of any of its processes; never parks.
#pragma once

#include "ext/server/state.h"

namespace stampede::classes {

// Puts them into the array: those of the whole server, and of this process.
void add_stats(ServerState& state, zval* out);

}  // namespace stampede::classes
