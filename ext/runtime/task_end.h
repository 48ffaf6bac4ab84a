// What happens when a coroutine's code has ended: deferred calls, the report of an uncaught
// exception, those that joined it. Runs in the ending coroutine, PHP thread; deferred calls may
// park.
#pragma once

#include "runtime/fiber.h"

namespace stampede::runtime {

// Pushes a call to be made at the end of the coroutine, last one first.
void add_defer(Fiber& fiber, const zend::Callable& callable);
// What the function of the running coroutine has returned: its deferred calls are given it.
void keep_result(const zval& result);
void run_defers(Fiber& fiber);
void drop_defers(Fiber& fiber);

// The usual treatment of what code has left in EG(exception) by ending with this outcome. kBailed
// when the script must end: after a fatal error, an exception that nobody caught, or the handler of
// such exceptions.
Outcome settle(Outcome outcome);

// Coroutine::setTimeLimit(): a TimeoutException is thrown where the coroutine waits when the time
// is over.
void set_time_limit(Fiber& fiber, Nanos delay);
void drop_time_limit(Fiber& fiber);

// Every coroutine that waits in Coroutine::join().
void wake_joiners(Fiber& fiber);
void link_joiner(JoinWatch& watch);
void unlink_joiner(JoinWatch& watch);

}  // namespace stampede::runtime
