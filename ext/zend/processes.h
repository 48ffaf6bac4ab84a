// Which children belong to PHP's own functions, and which signals the engine does nothing with. PHP
// thread, never parks.
#pragma once

#include <sys/types.h>

#include <vector>

namespace stampede::zend {

// The children that resources of proc_open() stand for: their ends are proc_close()'s.
std::vector<pid_t> proc_open_children();

// The engine stands in front of some signals and passes them to the function that asked for it.
// Called with its handler when a script starts.
void remember_signal_handler(const void* handler);
// The handler is the engine's and no function asked it for this signal: it would end the process.
bool is_default_action(int signal_number, const void* handler);

}  // namespace stampede::zend
