// Stampede\limit_computing(), Stampede\end_wait(), and what concerns requests that wait.
#include "hooks/started_programs.h"
#include "runtime/compute_limit.h"

#include "classes/coroutine/coroutine.h"
#include "classes/http/response.h"
#include "ext/server/http_handler.h"
#include "ext/server/request_jobs.h"
#include "runtime/runtime.h"
#include "zend/throw.h"
#include "subsystems.h"

#include "stubs/compute_limit_arginfo.h"

using namespace stampede;

ZEND_FUNCTION(Stampede_limit_computing) {
    double seconds;
    zend_fcall_info fci = empty_fcall_info;
    zend_fcall_info_cache fcc = empty_fcall_info_cache;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_DOUBLE(seconds)
        Z_PARAM_OPTIONAL
        Z_PARAM_FUNC_OR_NULL(fci, fcc)
    ZEND_PARSE_PARAMETERS_END();
    const runtime::Fiber* self = classes::require_coroutine();
    if (self == nullptr) {
        RETURN_THROWS();
    }
    if (seconds <= 0 || !ZEND_FCI_INITIALIZED(fci)) {
        runtime::forget_compute_limit(self->cid);
        return;
    }
    runtime::limit_computing(self->cid, io::deadline_in(classes::timeout_of(seconds)),
                             zend::Callable::hold(fci, fcc));
}

// As Coroutine::cancel(): the coroutine runs inside of this call until it waits again or ends.
ZEND_FUNCTION(Stampede_end_wait) {
    zend_long cid;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(cid)
    ZEND_PARSE_PARAMETERS_END();
    runtime::Runtime& runtime = runtime::Runtime::get();
    runtime::Fiber* fiber = runtime.find(cid);
    if (fiber == nullptr) {
        RETURN_FALSE;
    }
    fiber->out_of_time = true;
    if (!fiber->waiting() || fiber->ready.linked()) {
        RETURN_FALSE;
    }
    fiber->canceled = true;
    fiber->wait.unlink();
    fiber->throw_on_resume = zend::error_classes.canceled_exception;
    runtime.resume_now(*fiber, runtime::WakeReason::kCancelled);
    RETURN_TRUE;
}

ZEND_FUNCTION(Stampede_computing_time) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    const runtime::Fiber* self = runtime::Runtime::get().current();
    Nanos time = self != nullptr ? runtime::computing_time(self->cid) : 0;
    RETURN_DOUBLE(static_cast<double>(time) / static_cast<double>(kSecond));
}

ZEND_FUNCTION(Stampede_end_limit) {
    zend_long cid;
    bool is_over;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_LONG(cid)
        Z_PARAM_BOOL(is_over)
    ZEND_PARSE_PARAMETERS_END();
    if (is_over) {
        hooks::end_programs_of(cid);
    } else {
        hooks::forget_programs_of(cid);
    }
}

ZEND_FUNCTION(Stampede_has_client_left) {
    zend_object* object;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_OBJ_OF_CLASS(object, classes::response_class)
    ZEND_PARSE_PARAMETERS_END();
    server::Exchange* exchange = classes::response_of(object)->exchange;
    RETURN_BOOL(exchange != nullptr && classes::client_has_left(*exchange));
}

ZEND_FUNCTION(Stampede_refuse_waiting_requests) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    classes::refuse_waiting_requests();
}

namespace stampede::ext {

zend_result compute_limit_minit(int, int) {
    return zend_register_functions(nullptr, ext_functions, nullptr, MODULE_PERSISTENT);
}

zend_result compute_limit_rshutdown(int, int) {
    runtime::forget_all_compute_limits();
    return SUCCESS;
}

}  // namespace stampede::ext
