// Stampede\limit_computing().
#include "runtime/compute_limit.h"

#include "classes/coroutine/coroutine.h"
#include "runtime/runtime.h"
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

namespace stampede::ext {

zend_result compute_limit_minit(int, int) {
    return zend_register_functions(nullptr, ext_functions, nullptr, MODULE_PERSISTENT);
}

zend_result compute_limit_rshutdown(int, int) {
    runtime::forget_all_compute_limits();
    return SUCCESS;
}

}  // namespace stampede::ext
