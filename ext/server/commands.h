// Commands: functions of the application that any process of a server can have called in another
// one. PHP thread; run_command() parks.
#pragma once

#include <string>
#include <string_view>

#include "ext/server/state.h"

namespace stampede::classes {

struct CommandTarget {
    uint32_t inbox = 0;
    bool here = false;
    bool good = false;
};

// type: SWOOLE_SERVER_COMMAND_*, process: the number within it. Not good, with a warning, when
// there is no such process.
CommandTarget find_command_target(ServerState& state, zend_long process, zend_long type);
// Calls the command of this number there. False when there is no result.
bool run_command(ServerState& state, uint32_t number, const CommandTarget& target,
                 std::string_view data, std::string& result);

}  // namespace stampede::classes
