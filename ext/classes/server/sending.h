// The socket of a port as PHP's extension sockets shows it. PHP thread, never parks.
#pragma once

#include "ext/server/state.h"

namespace stampede::classes {

// false, with a warning, when that extension is not there or refuses.
void show_socket(const PortState& port, zval* out);

}  // namespace stampede::classes
