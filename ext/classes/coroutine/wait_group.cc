#include "classes/coroutine/channel.h"
#include "classes/coroutine/coroutine.h"
#include "ext/spl/spl_exceptions.h"
#include "subsystems.h"
#include "zend/class_alias.h"
#include "zend/object.h"

#include "stubs/wait_group_arginfo.h"

namespace stampede::classes {

using runtime::Fiber;
using runtime::Runtime;
using runtime::WakeReason;

namespace {

// Declared properties in the order of the stub; subclasses may look at them.
constexpr uint32_t kCountSlot = 1;
constexpr uint32_t kWaitingSlot = 2;

struct WaitGroup {
    Fiber* waiter = nullptr;
    zend_object std;

    zend_long count() { return Z_LVAL_P(OBJ_PROP_NUM(&std, kCountSlot)); }
    void set_count(zend_long count) { ZVAL_LONG(OBJ_PROP_NUM(&std, kCountSlot), count); }
    bool waiting() { return Z_TYPE_P(OBJ_PROP_NUM(&std, kWaitingSlot)) == IS_TRUE; }
    void set_waiting(bool waiting) { ZVAL_BOOL(OBJ_PROP_NUM(&std, kWaitingSlot), waiting); }
};

zend_object_handlers handlers;

void misuse(const char* text) { zend_throw_exception(spl_ce_BadMethodCallException, text, 0); }

void add(WaitGroup& group, zend_long delta) {
    if (group.waiting()) {
        misuse("WaitGroup misuse: add called concurrently with wait");
    } else if (delta > ZEND_LONG_MAX - group.count()) {
        zend_throw_exception(spl_ce_InvalidArgumentException,
                             "WaitGroup misuse: the counter holds no number as large", 0);
    } else if (group.count() + delta < 0) {
        zend_throw_exception(spl_ce_InvalidArgumentException, "WaitGroup misuse: negative counter",
                             0);
    } else {
        group.set_count(group.count() + delta);
    }
}

bool wait(WaitGroup& group, Fiber& self, double timeout) {
    group.set_waiting(true);
    group.waiter = &self;
    WakeReason reason = Runtime::get().park_for(timeout_of(timeout));
    group.waiter = nullptr;
    group.set_waiting(false);
    return reason == WakeReason::kReady;
}

zend_object* create(zend_class_entry* ce) { return zend::create_object<WaitGroup>(ce, &handlers); }

}  // namespace
}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Coroutine_WaitGroup, __construct) {
    zend_long delta = 0;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(delta)
    ZEND_PARSE_PARAMETERS_END();
    if (delta > 0) {
        add(zend::from_this<WaitGroup>(ZEND_THIS), delta);
    }
}

ZEND_METHOD(Swoole_Coroutine_WaitGroup, add) {
    zend_long delta = 1;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(delta)
    ZEND_PARSE_PARAMETERS_END();
    add(zend::from_this<WaitGroup>(ZEND_THIS), delta);
}

ZEND_METHOD(Swoole_Coroutine_WaitGroup, done) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<WaitGroup>(ZEND_THIS);
    zend_long count = self.count() - 1;
    if (count < 0) {
        misuse("WaitGroup misuse: negative counter");
        RETURN_THROWS();
    }
    self.set_count(count);
    if (count == 0 && self.waiter != nullptr && self.waiter->waiting() &&
        !self.waiter->ready.linked()) {
        Runtime::get().resume_now(*self.waiter, WakeReason::kReady);
    }
}

ZEND_METHOD(Swoole_Coroutine_WaitGroup, wait) {
    double timeout = -1;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<WaitGroup>(ZEND_THIS);
    if (self.waiting()) {
        misuse("WaitGroup misuse: reused before previous wait has returned");
        RETURN_THROWS();
    }
    if (self.count() <= 0) {
        RETURN_TRUE;
    }
    Fiber* fiber = require_coroutine();
    if (fiber == nullptr) {
        RETURN_THROWS();
    }
    RETURN_BOOL(wait(self, *fiber, timeout));
}

ZEND_METHOD(Swoole_Coroutine_WaitGroup, count) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_LONG(zend::from_this<WaitGroup>(ZEND_THIS).count());
}

namespace stampede::ext {

zend_result wait_group_minit(int, int) {
    zend_class_entry* ce = register_class_Swoole_Coroutine_WaitGroup();
    ce->create_object = create;
    ce->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    zend::init_handlers<WaitGroup>(handlers, zend_object_std_dtor);
    zend::alias_short_name(ce, "Co\\WaitGroup");
    return SUCCESS;
}

}  // namespace stampede::ext
