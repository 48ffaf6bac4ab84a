// Stampede\Blocking: blocking calls that wait in their coroutine without a hook flag.
#include "hooks/hooks.h"
#include "runtime/runtime.h"
#include "subsystems.h"
#include "zend/call.h"

#include "stubs/blocking_arginfo.h"

using namespace stampede;

ZEND_METHOD(Stampede_Blocking, wait) {
    zval* work;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_OBJECT_OF_CLASS(work, zend_ce_closure)
    ZEND_PARSE_PARAMETERS_END();
    zend::Callable callable;
    if (!zend::Callable::hold(work, callable)) {
        RETURN_THROWS();
    }
    hooks::prepare_to_wait();
    runtime::Runtime* runtime = runtime::Runtime::peek();
    runtime::Fiber* fiber = runtime != nullptr ? runtime->current() : nullptr;
    bool before = fiber != nullptr && fiber->waits_in_calls;
    if (fiber != nullptr) {
        fiber->waits_in_calls = true;
    }
    zend::call(callable, 0, nullptr, return_value);
    if (fiber != nullptr) {
        fiber->waits_in_calls = before;
    }
    callable.release();
    if (Z_TYPE_P(return_value) == IS_UNDEF) {
        ZVAL_NULL(return_value);
    }
}

namespace stampede::ext {

zend_result blocking_minit(int, int) {
    register_class_Stampede_Blocking();
    return SUCCESS;
}

}  // namespace stampede::ext
