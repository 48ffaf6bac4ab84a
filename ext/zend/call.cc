#include "zend/call.h"

#include "zend/throw.h"

#include "zend_closures.h"
#include "zend_observer.h"

namespace stampede::zend {
namespace {

// By-reference parameters need the caller's variable, trampolines and deprecated or abstract
// functions need a look at each call: those are the engine's.
zend_always_inline bool takes_values(const zend_function& function, uint32_t argc) {
    constexpr uint32_t kSpecial =
        ZEND_ACC_CALL_VIA_TRAMPOLINE | ZEND_ACC_DEPRECATED | ZEND_ACC_ABSTRACT;
    if (function.type != ZEND_USER_FUNCTION || (function.common.fn_flags & kSpecial) != 0) {
        return false;
    }
    for (uint32_t i = 1; i <= argc; i++) {
        if (ARG_SHOULD_BE_SENT_BY_REF(&function, i)) {
            return false;
        }
    }
    return true;
}

// TOP_FUNCTION makes the VM return from zend_execute_ex() at the end of this function, instead of
// going on in a caller's code. A closure is released by the VM as it leaves, hence the reference;
// $this is not, without ZEND_CALL_RELEASE_THIS: the Callable holds it.
zend_always_inline zend_execute_data* push_frame(const zend_fcall_info_cache& callee,
                                                 uint32_t argc) {
    zend_function* function = callee.function_handler;
    uint32_t flags = ZEND_CALL_TOP_FUNCTION | ZEND_CALL_DYNAMIC;
    if ((function->common.fn_flags & ZEND_ACC_CLOSURE) != 0) {
        GC_ADDREF(ZEND_CLOSURE_OBJECT(function));  // the engine drops it when the function ends
        flags |= ZEND_CALL_CLOSURE;
        if ((function->common.fn_flags & ZEND_ACC_FAKE_CLOSURE) != 0) {
            flags |= ZEND_CALL_FAKE_CLOSURE;
        }
    }
    if (callee.object == nullptr || (function->common.fn_flags & ZEND_ACC_STATIC) != 0) {
        return zend_vm_stack_push_call_frame(flags, function, argc, callee.called_scope);
    }
    return zend_vm_stack_push_call_frame(flags | ZEND_CALL_HAS_THIS, function, argc, callee.object);
}

zend_never_inline void call_by_engine(const Callable& callable, uint32_t argc, zval* argv,
                                      zval* retval) {
    zend_fcall_info fci = callable.fci;
    zend_fcall_info_cache fcc = callable.fcc;
    fci.retval = retval;
    fci.params = argv;
    fci.param_count = argc;
    zend_call_function(&fci, &fcc);
}

}  // namespace

// zend_execute_ex() may switch away, and the callable may be released meanwhile: after it only
// `frame` and what lies in this function's own frame are used.
bool call_by_value(const zend_fcall_info_cache& callee, uint32_t argc, zval* argv, zval* retval) {
    // Profilers and debuggers that watch calls get the engine's own way.
    if (UNEXPECTED(callee.function_handler == nullptr || EG(current_execute_data) == nullptr ||
                   EG(exception) != nullptr || EG(fake_scope) != nullptr || ZEND_OBSERVER_ENABLED ||
                   !takes_values(*callee.function_handler, argc))) {
        return false;
    }
    zend_execute_data* frame = push_frame(callee, argc);
    for (uint32_t i = 0; i < argc; i++) {
        ZVAL_COPY_DEREF(ZEND_CALL_ARG(frame, i + 1), &argv[i]);
    }
    // The tracing JIT notes in it what compiled code it is in; code that is called from C starts
    // with none, and the caller's must be there again afterwards. The engine's function does the
    // same.
    uint32_t trace = EG(jit_trace_num);
    zend_init_func_execute_data(frame, &frame->func->op_array, retval);
    zend_execute_ex(frame);
    EG(jit_trace_num) = trace;
    zend_vm_stack_free_call_frame(frame);
    if (UNEXPECTED(EG(exception) != nullptr)) {
        zval_ptr_dtor(retval);
        ZVAL_UNDEF(retval);
    }
    return true;
}

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

// Emptied first: what is destroyed may run PHP code that comes back to this very Callable.
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
    zval ignored;
    ZVAL_UNDEF(&ignored);
    retval = retval != nullptr ? retval : &ignored;
    ZVAL_UNDEF(retval);
    if (UNEXPECTED(!call_by_value(callable.fcc, argc, argv, retval))) {
        call_by_engine(callable, argc, argv, retval);
    }
    Outcome outcome = outcome_of_exception();
    zval_ptr_dtor(&ignored);
    return outcome;
}

// The jump of a fatal error ends in this frame, on the same stack. Nothing that was called below is
// destroyed; EG(current_execute_data) is null after it, and the PHP stack as deep as the failed
// code left it.
Outcome call_guarded(const Callable& callable, uint32_t argc, zval* argv, zval* retval) {
    volatile Outcome outcome = Outcome::kBailed;
    zend_try { outcome = call(callable, argc, argv, retval); }
    zend_end_try();
    return outcome;
}

}  // namespace stampede::zend
