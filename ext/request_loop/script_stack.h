// What happens when a script fills the C stack of its process: as in a coroutine
// (runtime/stack_overflow.h) an Error where PHP code comes next, else a fatal error. Either way the
// client has status 500 and the log the place. PHP thread of a forked child.
#pragma once

namespace stampede::request_loop {

// When the module starts: opcache compiles the address of the engine's interrupt function.
void install_stack_interrupt();
// Until this process ends.
void watch_stack();

}  // namespace stampede::request_loop
