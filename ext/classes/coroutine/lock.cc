// Swoole\Coroutine\Lock. Between the coroutines of a process it is handed over, in the order of
// waiting; between processes the one at the head of that order asks again and again.
#include <unistd.h>

#include <cerrno>

#include "classes/coroutine/coroutine.h"
#include "error_numbers.h"
#include "shm/shared_lock.h"
#include "subsystems.h"
#include "zend/object.h"
#include "zend/throw.h"
#include "zend/object_guards.h"

#include "stubs/coroutine_lock_arginfo.h"

namespace stampede::classes {

using runtime::Fiber;
using runtime::Runtime;
using runtime::WakeReason;
using shm::SharedLock;

namespace {

constexpr zend_long kNotBlocking = 4;  // LOCK_NB
constexpr Nanos kFirstPause = kMillisecond / 4;
constexpr Nanos kLongestPause = 8 * kMillisecond;

struct LockObject {
    SharedLock* between_processes = nullptr;
    bool constructed = false;
    int64_t holder = 0;  // the number of a coroutine, 0 = free
    pid_t process = 0;   // whose coroutine that is: a child does not hold what its parent does
    List<Fiber::WaitNode> waiters;
    zend_object std;
};

zend_object_handlers handlers;

zend_object* create(zend_class_entry* ce) { return zend::create_object<LockObject>(ce, &handlers); }

void destroy(zend_object* object) {
    auto& lock = zend::from_object<LockObject>(object);
    if (lock.between_processes != nullptr) {
        if (lock.holder != 0 && lock.process == getpid()) {
            lock.between_processes->unlock(getpid());
        }
        delete lock.between_processes;
    }
    lock.waiters.~List<Fiber::WaitNode>();
    zend_object_std_dtor(object);
}

bool fail(LockObject& lock, int error) {
    zval* code = OBJ_PROP_NUM(&lock.std, 0);
    zval_ptr_dtor(code);
    ZVAL_LONG(code, error);
    return error == 0;
}

void give_to_next(LockObject& lock) {
    Fiber::WaitNode* node = lock.waiters.pop_front();
    lock.holder = node != nullptr ? node->fiber->cid : 0;
    if (node != nullptr) {
        Runtime::get().wake(*node->fiber, WakeReason::kReady);
    }
}

// The turn within this process.
bool take_turn(LockObject& lock, Fiber& self, bool may_wait) {
    if (lock.process != getpid()) {  // forked while it was held
        lock.holder = 0;
        lock.process = getpid();
    }
    if (lock.holder == 0) {
        lock.holder = self.cid;
        return true;
    }
    if (!may_wait) {
        return fail(lock, EBUSY);
    }
    lock.waiters.push_back(self.wait);
    WakeReason reason = Runtime::get().park(kNever);
    self.wait.unlink();
    if (reason == WakeReason::kReady) {
        return true;
    }
    if (lock.holder == self.cid) {
        give_to_next(lock);
    }
    return fail(lock, ECANCELED);
}

// What the operating system knows of it, while the turn is ours.
bool take_from_processes(LockObject& lock, bool may_wait) {
    Nanos pause = kFirstPause;
    while (!lock.between_processes->try_lock(SharedLock::Mode::kExclusive, getpid())) {
        int error = may_wait ? 0 : EBUSY;
        if (error == 0 && Runtime::get().park_for(pause) != WakeReason::kTimeout) {
            error = ECANCELED;
        }
        if (error != 0) {
            give_to_next(lock);
            return fail(lock, error);
        }
        pause = pause * 2 < kLongestPause ? pause * 2 : kLongestPause;
    }
    return true;
}

Fiber* current_coroutine() {
    Runtime* runtime = Runtime::peek();
    return runtime != nullptr ? runtime->current() : nullptr;
}

LockObject* usable(zval* object) {
    auto& lock = zend::from_this<LockObject>(object);
    if (!lock.constructed) {
        zend::throw_error(zend::error_classes.error, 0, "must call constructor first");
        return nullptr;
    }
    return &lock;
}

}  // namespace
}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Coroutine_Lock, __construct) {
    bool shared = false;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL(shared)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<LockObject>(ZEND_THIS);
    if (shared && self.between_processes == nullptr) {
        Result<shm::SharedLock> made = shm::SharedLock::create();
        if (!made) {
            zend::throw_error(zend::error_classes.exception,
                              static_cast<int64_t>(made.error().code()),
                              "There is no shared memory for the lock: make room in /dev/shm.");
            RETURN_THROWS();
        }
        self.between_processes = new shm::SharedLock(std::move(*made));
    }
    self.constructed = true;
}

ZEND_METHOD(Swoole_Coroutine_Lock, lock) {
    zend_long operation = 2;  // LOCK_EX
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(operation)
    ZEND_PARSE_PARAMETERS_END();
    LockObject* self = usable(ZEND_THIS);
    if (self == nullptr) {
        RETURN_THROWS();
    }
    Fiber* fiber = current_coroutine();
    if (fiber == nullptr) {
        RETURN_BOOL(fail(*self, api_error::kOutOfCoroutine));
    }
    bool may_wait = (operation & kNotBlocking) == 0;
    fail(*self, 0);
    if (self->holder == fiber->cid && self->process == getpid()) {
        RETURN_TRUE;
    }
    RETURN_BOOL(take_turn(*self, *fiber, may_wait) &&
                (self->between_processes == nullptr || take_from_processes(*self, may_wait)));
}

ZEND_METHOD(Swoole_Coroutine_Lock, unlock) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    LockObject* self = usable(ZEND_THIS);
    if (self == nullptr) {
        RETURN_THROWS();
    }
    Fiber* fiber = current_coroutine();
    if (fiber == nullptr) {
        RETURN_BOOL(fail(*self, api_error::kOutOfCoroutine));
    }
    bool held = self->holder != 0 && self->process == getpid();
    if (!held || self->holder != fiber->cid) {
        RETURN_BOOL(fail(*self, held ? EPERM : api_error::kMutexDoubleUnlock));
    }
    if (self->between_processes != nullptr) {
        self->between_processes->unlock(getpid());
    }
    give_to_next(*self);
    RETURN_BOOL(fail(*self, 0));
}

namespace stampede::ext {

zend_result coroutine_lock_minit(int, int) {
    zend_class_entry* ce = register_class_Swoole_Coroutine_Lock();
    ce->create_object = create;
    ce->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    zend::init_handlers<LockObject>(handlers, destroy);
    zend::refuse_unset(handlers);
    return SUCCESS;
}

}  // namespace stampede::ext
