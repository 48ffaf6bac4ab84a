// A lock between processes over shm::SharedLock.
#include <sys/file.h>

#include <cerrno>
#include <optional>

#include "classes/shm/waiting.h"
#include "os/process.h"
#include "shm/shared_lock.h"
#include "subsystems.h"
#include "zend/class_alias.h"
#include "zend/object.h"
#include "zend/object_guards.h"
#include "zend/throw.h"

#include "stubs/lock_arginfo.h"

namespace stampede::classes {
namespace {

using Mode = shm::SharedLock::Mode;

constexpr zend_long kRwLock = 1;

struct Lock {
    std::optional<shm::SharedLock> lock;
    bool shareable = false;
    zend_object std;

    void set_error(int code) { ZVAL_LONG(OBJ_PROP_NUM(&std, 0), code); }
};

zend_object_handlers handlers;

zend_object* create(zend_class_entry* ce) { return zend::create_object<Lock>(ce, &handlers); }

void destroy(zend_object* object) {
    zend::from_object<Lock>(object).lock.reset();
    zend_object_std_dtor(object);
}

// 0, or why it was not had.
int wait_for(Lock& self, Mode mode, double timeout) {
    SharedWait wait(timeout);
    std::atomic<uint32_t>& changes = self.lock->begin_wait();
    int error = 0;
    for (;;) {
        uint32_t seen = changes.load();
        if (self.lock->try_lock(mode, os::own_pid())) {
            break;
        }
        if (!wait.step(changes, seen)) {
            error = wait.cancelled() ? ECANCELED : timeout == 0 ? EBUSY : ETIMEDOUT;
            break;
        }
    }
    self.lock->end_wait();
    return error;
}

int take(Lock& self, Mode mode, double timeout) {
    return self.lock->try_lock(mode, os::own_pid()) ? 0 : wait_for(self, mode, timeout);
}

Lock* usable(zval* value) {
    auto& self = zend::from_this<Lock>(value);
    if (!self.lock) {
        zend::throw_error(zend::error_classes.error, 0, "must call constructor first");
        return nullptr;
    }
    return &self;
}

}  // namespace
}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Lock, __construct) {
    zend_long type = 3;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(type)
    ZEND_PARSE_PARAMETERS_END();
    if (type != 1 && type != 3 && type != 5) {
        zend::throw_error(zend::error_classes.exception, EINVAL,
                          "lock type[" ZEND_LONG_FMT
                          "] is not supported: use SWOOLE_MUTEX, SWOOLE_RWLOCK or SWOOLE_SPINLOCK",
                          type);
        RETURN_THROWS();
    }
    Result<shm::SharedLock> lock = shm::SharedLock::create();
    if (!lock) {
        zend::throw_error(zend::error_classes.exception, ENOMEM,
                          "there is no memory for another lock");
        RETURN_THROWS();
    }
    auto& self = zend::from_this<Lock>(ZEND_THIS);
    self.lock.emplace(std::move(*lock));
    self.shareable = type == kRwLock;
}

ZEND_METHOD(Swoole_Lock, lock) {
    zend_long operation = LOCK_EX;
    double timeout = -1;
    ZEND_PARSE_PARAMETERS_START(0, 2)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(operation)
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    Lock* self = usable(ZEND_THIS);
    if (self == nullptr) {
        RETURN_THROWS();
    }
    bool shared = (operation & LOCK_SH) != 0 && self->shareable;
    int error = take(*self, shared ? Mode::kShared : Mode::kExclusive,
                     (operation & LOCK_NB) != 0 ? 0 : timeout);
    self->set_error(error);
    RETURN_BOOL(error == 0);
}

ZEND_METHOD(Swoole_Lock, unlock) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    Lock* self = usable(ZEND_THIS);
    if (self == nullptr) {
        RETURN_THROWS();
    }
    bool held = self->lock->unlock(os::own_pid());
    self->set_error(held ? 0 : EPERM);
    RETURN_BOOL(held);
}

namespace stampede::ext {

zend_result lock_minit(int, int) {
    zend_class_entry* ce = register_class_Swoole_Lock();
    ce->create_object = create;
    ce->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    zend::init_handlers<Lock>(handlers, destroy);
    zend::refuse_unset(handlers);
    zend::alias_class(ce, "swoole_lock");
    return SUCCESS;
}

}  // namespace stampede::ext
