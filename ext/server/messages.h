// Messages of the application from process to process, and the event pipeMessage. PHP thread.
#pragma once

#include "ext/server/state.h"

namespace stampede::classes {

// False with an exception under way, or with a warning.
bool send_pipe_message(ServerState& state, zval* message, zend_long worker);

}  // namespace stampede::classes
