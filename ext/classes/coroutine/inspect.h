// What can be seen of coroutines from outside: lists, numbers, stack traces. PHP thread, never
// parks.
#pragma once

#include "runtime/runtime.h"

namespace stampede::classes {

// The trace of any coroutine.
void trace_of(runtime::Fiber& fiber, int options, int limit, zval* out);
void print_trace(runtime::Fiber& fiber, int options, int limit);

}  // namespace stampede::classes
