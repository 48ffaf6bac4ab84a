// What the methods of Swoole\Coroutine\System share: their error, their time. PHP thread.
#pragma once

#include "classes/coroutine/coroutine.h"
#include "error_numbers.h"
#include "runtime/runtime.h"
#include "zend/last_error.h"

namespace stampede::classes::system {

// What the API calls ECANCELED when a wait of a coroutine was cancelled.
inline int api_code(int code) { return code == ECANCELED ? api_error::kCanceled : code; }

// Notes why the call gives false.
inline void failed(int code) { zend::set_last_error(api_code(code)); }

// When a time of the API, counted from now, is over.
inline Nanos deadline_of(double seconds) {
    Nanos delay = timeout_of(seconds);
    return delay == kNever ? kNever : monotonic_now() + delay;
}

// False after throwing, when the caller is in no coroutine or in one that is being destroyed.
bool may_wait();

// Options of Coroutine::set() and swoole_async_set() that concern names.
void apply_dns_options(zend_array* options);

}  // namespace stampede::classes::system
