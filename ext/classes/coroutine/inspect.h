// What can be seen of coroutines from outside: lists, numbers, stack traces. PHP thread, never
// parks.
#pragma once

#include "runtime/runtime.h"

namespace stampede::classes {

// Prints the trace of any coroutine.
void print_trace(runtime::Fiber& fiber, int options, int limit);

}  // namespace stampede::classes
