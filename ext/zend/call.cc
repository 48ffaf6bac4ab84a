#include "zend/call.h"

#include "zend/throw.h"

namespace stampede::zend {

Callable Callable::none() {
    Callable empty = {};
    ZVAL_UNDEF(&empty.fci.function_name);
    return empty;
}

Callable Callable::hold(const zend_fcall_info& fci, const zend_fcall_info_cache& fcc) {
    Callable held = {fci, fcc};
    if (held.fcc.function_handler != nullptr &&
        (held.fcc.function_handler->common.fn_flags & ZEND_ACC_CALL_VIA_TRAMPOLINE) != 0) {
        // A __call() trampoline serves one call: it is made anew from the name each time.
        zend_release_fcall_info_cache(&held.fcc);
        held.fcc = {};
    }
    Z_TRY_ADDREF(held.fci.function_name);
    if (held.fcc.object != nullptr) {
        GC_ADDREF(held.fcc.object);
    }
    held.fci.params = nullptr;
    held.fci.param_count = 0;
    held.fci.named_params = nullptr;
    return held;
}

bool Callable::hold(zval* value, Callable& out) {
    zend_fcall_info fci;
    zend_fcall_info_cache fcc;
    if (zend_fcall_info_init(value, 0, &fci, &fcc, nullptr, nullptr) != SUCCESS) {
        out = none();
        return false;
    }
    out = hold(fci, fcc);
    return true;
}

void Callable::release() {
    zend_object* object = fcc.object;
    zval name;
    ZVAL_COPY_VALUE(&name, &fci.function_name);
    *this = none();
    if (object != nullptr) {
        OBJ_RELEASE(object);
    }
    zval_ptr_dtor(&name);
}

Outcome outcome_of_exception() {
    zend_object* exception = EG(exception);
    if (exception == nullptr) {
        return Outcome::kReturned;
    }
    if (zend_is_unwind_exit(exception)) {
        // Since 8.2.35 the engine reports a memory limit by unwinding the way exit() does.
        bool fatal = EG(exit_status) == 255 && (PG(last_error_type) & E_FATAL_ERRORS) != 0;
        return fatal ? Outcome::kBailed : Outcome::kExited;
    }
    if (zend_is_graceful_exit(exception)) {
        return Outcome::kDestroyed;
    }
    return is_exit_exception(exception) ? Outcome::kExited : Outcome::kThrew;
}

Outcome call(const Callable& callable, uint32_t argc, zval* argv, zval* retval) {
    zend_fcall_info fci = callable.fci;
    zend_fcall_info_cache fcc = callable.fcc;
    zval ignored;
    ZVAL_UNDEF(&ignored);
    fci.retval = retval != nullptr ? retval : &ignored;
    fci.params = argv;
    fci.param_count = argc;
    ZVAL_UNDEF(fci.retval);
    zend_call_function(&fci, &fcc);
    Outcome outcome = outcome_of_exception();
    zval_ptr_dtor(&ignored);
    return outcome;
}

Outcome call_guarded(const Callable& callable, uint32_t argc, zval* argv, zval* retval) {
    volatile Outcome outcome = Outcome::kBailed;
    zend_try { outcome = call(callable, argc, argv, retval); }
    zend_end_try();
    return outcome;
}

}  // namespace stampede::zend
