// How many workers a running server has. PHP thread; never parks.
#pragma once

#include <string>

#include "ext/server/state.h"

namespace stampede::classes {

// In the supervisor. One sentence when it cannot be so many.
std::string set_worker_count(ServerState& state, zend_long number);
// In any process: the supervisor is asked. One sentence when it is known to be refused.
std::string request_worker_count(ServerState& state, zend_long number);

}  // namespace stampede::classes
