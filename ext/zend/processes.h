// Which children belong to PHP's own functions, and which signals the engine does nothing with. PHP
// thread, never parks.
#pragma once

#include <sys/types.h>

namespace stampede::zend {

// A resource of proc_open() stands for this child: its end is proc_close()'s.
bool belongs_to_proc_open(pid_t pid);

// The engine stands in front of some signals and passes them to whoever asked it. Called with its
// handler when a script starts.
void remember_signal_handler(const void* handler);
// The handler is the engine's and nobody asked it for this signal: it would end the process.
bool is_default_action(int signal_number, const void* handler);

}  // namespace stampede::zend
