#include "ext/server/prompt_sending.h"

#include "runtime/runtime.h"
#include "zend/caller.h"

namespace stampede::classes {

void send_promptly(const zend_execute_data* call) {
    runtime::Runtime& runtime = runtime::Runtime::get();
    const runtime::Fiber* fiber = runtime.current();
    bool deferred_calls = fiber != nullptr && fiber->defer_count > 0;
    if (deferred_calls || zend::caller_continues(call)) {
        runtime.loop().end_group();
    }
}

}  // namespace stampede::classes
