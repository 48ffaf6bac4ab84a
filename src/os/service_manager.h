// What a service manager hands to a process and wants to hear of it, as systemd does: listening
// sockets in the environment (LISTEN_FDS), and a socket for notices (NOTIFY_SOCKET). The process's
// first thread; never parks.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"

namespace stampede::os {

// A listening stream socket that was handed over, for good: non-blocking, not for children. name:
// as LISTEN_FDNAMES has it; empty: the first one that nobody has taken. Error: there is none
// (ENOENT), or it is no such socket (ENOTSOCK).
Result<int> take_inherited_listener(std::string_view name);

// "READY=1" and the like, in lines. Nothing happens when nobody wants to know.
void notify_manager(const std::string& state);

// How long the manager waits for a sign of life of this process (WATCHDOG_USEC); 0: it does not.
Nanos manager_patience();

}  // namespace stampede::os
