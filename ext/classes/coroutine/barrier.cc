#include "classes/coroutine/coroutine.h"
#include "subsystems.h"
#include "zend/class_alias.h"
#include "zend/object.h"
#include "zend/throw.h"

#include "stubs/barrier_arginfo.h"

namespace stampede::classes {

using runtime::Fiber;
using runtime::Runtime;
using runtime::WakeReason;

namespace {

// Outlives the object, whose end is what is waited for.
struct Gate {
    uint32_t references;
    Fiber* waiter;
    bool open;
};

struct Barrier {
    Gate* gate = nullptr;
    zend_object std;
};

zend_class_entry* barrier_class;
zend_object_handlers handlers;

void release(Gate* gate) {
    if (--gate->references == 0) {
        efree(gate);
    }
}

void open(Gate& gate) {
    if (gate.open) {
        return;
    }
    gate.open = true;
    Fiber* waiter = gate.waiter;
    if (waiter == nullptr || !waiter->waiting() || waiter->ready.linked()) {
        return;
    }
    Runtime::get().resume_now(*waiter, WakeReason::kReady);
}

zend_object* create(zend_class_entry* ce) {
    zend_object* object = zend::create_object<Barrier>(ce, &handlers);
    auto* gate = static_cast<Gate*>(emalloc(sizeof(Gate)));
    *gate = {1, nullptr, false};
    zend::from_object<Barrier>(object).gate = gate;
    return object;
}

void destroy(zend_object* object) {
    release(zend::from_object<Barrier>(object).gate);
    zend_object_std_dtor(object);
}

}  // namespace
}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Coroutine_Barrier, __destruct) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    open(*zend::from_this<Barrier>(ZEND_THIS).gate);
}

ZEND_METHOD(Swoole_Coroutine_Barrier, make) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    object_init_ex(return_value, barrier_class);
}

ZEND_METHOD(Swoole_Coroutine_Barrier, wait) {
    zval* reference;
    double timeout = -1;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_ZVAL(reference)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    zval* value = reference;
    ZVAL_DEREF(value);
    if (Z_TYPE_P(value) != IS_OBJECT || !instanceof_function(Z_OBJCE_P(value), barrier_class)) {
        zend_argument_type_error(1, "must be of type Swoole\\Coroutine\\Barrier, %s given",
                                 zend_zval_type_name(value));
        RETURN_THROWS();
    }
    Gate* gate = zend::from_object<Barrier>(Z_OBJ_P(value)).gate;
    if (gate->waiter != nullptr) {
        zend::throw_error(zend::error_classes.exception, 0,
                          "The barrier is waiting, cannot wait again.");
        RETURN_THROWS();
    }
    Fiber* fiber = require_coroutine();
    if (fiber == nullptr) {
        RETURN_THROWS();
    }
    gate->references++;
    gate->waiter = fiber;
    ZEND_TRY_ASSIGN_REF_NULL(reference);  // ours goes; the others decide when the gate opens
    if (!gate->open && !zend::exception_pending()) {
        Runtime::get().park_for(timeout_of(timeout));
    }
    gate->waiter = nullptr;
    gate->open = true;
    release(gate);
}

namespace stampede::ext {

zend_result barrier_minit(int, int) {
    barrier_class = register_class_Swoole_Coroutine_Barrier();
    barrier_class->create_object = create;
    barrier_class->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    zend::init_handlers<Barrier>(handlers, destroy);
    zend::alias_short_name(barrier_class, "Co\\Barrier");
    return SUCCESS;
}

}  // namespace stampede::ext
