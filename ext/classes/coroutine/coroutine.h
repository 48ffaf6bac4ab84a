// What other classes share with Swoole\Coroutine: starting PHP code in a coroutine, options,
// warnings of the API. PHP thread; spawn_call() runs PHP code at once.
#pragma once

#include "io/descriptor.h"
#include "runtime/runtime.h"
#include "zend/call.h"

namespace stampede::classes {

// Starts a callable that parsing has just found, with its arguments, in a coroutine. The number, or
// a negative error after the warning or exception that belongs to it. fcc is used up.
int64_t spawn_call(zend_fcall_info& fci, zend_fcall_info_cache& fcc);
// The same for the function of a timer, a signal or an event, which runs outside coroutines when
// enable_coroutine is off.
void start_callback(zend_fcall_info& fci, zend_fcall_info_cache& fcc);

// The current coroutine, or null after throwing "API must be called in the coroutine".
runtime::Fiber* require_coroutine();
void throw_outside_coroutine();

using io::timeout_of;

// What Coroutine::set() and Scheduler::set() have collected; null when nothing was set.
zend_array* coroutine_options();
void set_coroutine_options(zend_array* options);
zval* find_coroutine_option(const char* name);

// The deadlock report, when coroutines are left that nothing can ever wake.
void report_deadlock(runtime::Runtime& runtime);
// Drivers of other event loops watch things that do not keep ours going: a coroutine that waits for
// those is in no deadlock.
bool drivers_have_work();
// Runs the loop until nothing is left, then reports a deadlock where there is one.
void run_loop(runtime::Runtime& runtime);
// Whether run(), Scheduler::start() and Event::wait() may do so here: outside of coroutines and of
// the loop, and in the last event of a server's process.
bool may_run_loop(runtime::Runtime& runtime);
// Does so; in that last event, until the coroutines that were made after the one of this number
// have ended, while the process's loop runs on.
void run_made_after(runtime::Runtime& runtime, int64_t cid);

extern zend_class_entry* coroutine_context_class;
extern zend_class_entry* coroutine_iterator_class;

inline runtime::Fiber* require_coroutine() {
    runtime::Runtime* runtime = runtime::Runtime::peek();
    runtime::Fiber* fiber = EXPECTED(runtime != nullptr) ? runtime->current() : nullptr;
    if (UNEXPECTED(fiber == nullptr)) {
        throw_outside_coroutine();
    }
    return fiber;
}

}  // namespace stampede::classes
