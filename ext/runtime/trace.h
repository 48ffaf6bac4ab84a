// Stack traces of coroutines, this one or another. PHP thread, never parks.
#pragma once

#include "runtime/runtime.h"
#include "zend_builtin_functions.h"

namespace stampede::runtime {

inline void trace_of(Fiber& fiber, int options, int limit, zval* out) {
    with_execute_data_of(fiber, [&] { zend_fetch_debug_backtrace(out, 0, options, limit); });
}

}  // namespace stampede::runtime
