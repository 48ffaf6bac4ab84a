// Counters in shared memory. Each has a mapping of its own, so that neither forks nor frees in
// one process concern the others.
#include <algorithm>
#include <atomic>
#include <cerrno>

#include "classes/coroutine/coroutine.h"
#include "classes/shm/waiting.h"
#include "os/mmap.h"
#include "shm/wake_count.h"
#include "subsystems.h"
#include "zend/class_alias.h"
#include "zend/object.h"
#include "zend/throw.h"

#include "stubs/atomic_arginfo.h"
#include "stubs/atomic_long_arginfo.h"

namespace stampede::classes {
namespace {

template <typename Number>
struct Counter {
    struct Shared {
        std::atomic<Number> value;
        shm::WakeCount wakes;
    };

    os::SharedMemory memory;
    zend_object std;

    Shared* shared() { return static_cast<Shared*>(memory.data()); }
    std::atomic<Number>* place() { return memory.data() != nullptr ? &shared()->value : nullptr; }
};
using Atomic = Counter<uint32_t>;
using Long = Counter<int64_t>;

zend_object_handlers atomic_handlers;
zend_object_handlers long_handlers;

template <typename Number>
void free_counter(zend_object* object) {
    auto& counter = zend::from_object<Counter<Number>>(object);
    counter.memory = os::SharedMemory();
    zend_object_std_dtor(object);
}

zend_object* create_atomic(zend_class_entry* ce) {
    return zend::create_object<Atomic>(ce, &atomic_handlers);
}

zend_object* create_long(zend_class_entry* ce) {
    return zend::create_object<Long>(ce, &long_handlers);
}

template <typename Number>
void construct(INTERNAL_FUNCTION_PARAMETERS) {
    zend_long value = 0;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(value)
    ZEND_PARSE_PARAMETERS_END();
    static_cast<void>(return_value);
    auto& self = zend::from_this<Counter<Number>>(ZEND_THIS);
    Result<os::SharedMemory> memory =
        os::SharedMemory::create(sizeof(typename Counter<Number>::Shared));
    if (!memory) {
        zend::throw_error(zend::error_classes.exception, ENOMEM,
                          "there is no memory for another shared counter");
        return;
    }
    self.memory = std::move(*memory);
    new (self.memory.data()) typename Counter<Number>::Shared{static_cast<Number>(value), {}};
}

// The counter, or null after throwing.
template <typename Number>
std::atomic<Number>* counter_of(zval* self) {
    auto* place = zend::from_this<Counter<Number>>(self).place();
    if (UNEXPECTED(place == nullptr)) {
        zend::throw_error(zend::error_classes.error, 0, "must call constructor first");
    }
    return place;
}

template <typename Number>
void add_by(INTERNAL_FUNCTION_PARAMETERS, Number sign) {
    zend_long value = 1;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(value)
    ZEND_PARSE_PARAMETERS_END();
    if (auto* place = counter_of<Number>(ZEND_THIS)) {
        // Unsigned arithmetic: it wraps.
        uint64_t change = static_cast<uint64_t>(value) * static_cast<uint64_t>(sign);
        auto before = static_cast<uint64_t>(place->fetch_add(static_cast<Number>(change)));
        RETURN_LONG(static_cast<zend_long>(static_cast<Number>(before + change)));
    }
}

template <typename Number>
void get(INTERNAL_FUNCTION_PARAMETERS) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    if (auto* place = counter_of<Number>(ZEND_THIS)) {
        RETURN_LONG(static_cast<zend_long>(place->load()));
    }
}

template <typename Number>
void set(INTERNAL_FUNCTION_PARAMETERS) {
    zend_long value;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(value)
    ZEND_PARSE_PARAMETERS_END();
    static_cast<void>(return_value);
    if (auto* place = counter_of<Number>(ZEND_THIS)) {
        place->store(static_cast<Number>(value));
    }
}

template <typename Number>
void compare_and_set(INTERNAL_FUNCTION_PARAMETERS) {
    zend_long expected, value;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_LONG(expected)
        Z_PARAM_LONG(value)
    ZEND_PARSE_PARAMETERS_END();
    if (auto* place = counter_of<Number>(ZEND_THIS)) {
        auto seen = static_cast<Number>(expected);
        RETURN_BOOL(place->compare_exchange_strong(seen, static_cast<Number>(value)));
    }
}

bool wait_for_wake(shm::WakeCount& wakes, uint32_t began_with, double timeout) {
    SharedWait wait(timeout);
    for (;;) {
        uint32_t seen = wakes.sequence();
        if (wakes.take(began_with)) {
            return true;
        }
        if (!wait.step(wakes.word(), seen)) {
            return wakes.take(began_with);  // given just now
        }
    }
}

}  // namespace
}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Atomic, __construct) { construct<uint32_t>(INTERNAL_FUNCTION_PARAM_PASSTHRU); }
ZEND_METHOD(Swoole_Atomic, add) { add_by<uint32_t>(INTERNAL_FUNCTION_PARAM_PASSTHRU, 1); }
ZEND_METHOD(Swoole_Atomic, sub) { add_by<uint32_t>(INTERNAL_FUNCTION_PARAM_PASSTHRU, -1U); }
ZEND_METHOD(Swoole_Atomic, get) { get<uint32_t>(INTERNAL_FUNCTION_PARAM_PASSTHRU); }
ZEND_METHOD(Swoole_Atomic, set) { set<uint32_t>(INTERNAL_FUNCTION_PARAM_PASSTHRU); }
ZEND_METHOD(Swoole_Atomic, cmpset) { compare_and_set<uint32_t>(INTERNAL_FUNCTION_PARAM_PASSTHRU); }

ZEND_METHOD(Swoole_Atomic, wait) {
    double timeout = 1.0;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    std::atomic<uint32_t>* place = counter_of<uint32_t>(ZEND_THIS);
    if (place == nullptr) {
        RETURN_THROWS();
    }
    uint32_t ready = 1;
    if (place->compare_exchange_strong(ready, 0)) {
        RETURN_TRUE;
    }
    shm::WakeCount& wakes = zend::from_this<Atomic>(ZEND_THIS).shared()->wakes;
    wakes.begin_wait();
    uint32_t began_with = wakes.sequence();
    ready = 1;
    if (place->compare_exchange_strong(ready, 0)) {
        wakes.end_wait();
        RETURN_TRUE;
    }
    bool woken = wait_for_wake(wakes, began_with, timeout);
    wakes.end_wait();
    // One of those that were woken has the 1, the others know that they were.
    ready = 1;
    RETURN_BOOL(woken && place->compare_exchange_strong(ready, 0));
}

ZEND_METHOD(Swoole_Atomic, wakeup) {
    zend_long count = 1;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(count)
    ZEND_PARSE_PARAMETERS_END();
    if (std::atomic<uint32_t>* place = counter_of<uint32_t>(ZEND_THIS)) {
        uint32_t waited_for = 0;
        if (place->compare_exchange_strong(waited_for, 1)) {
            zend::from_this<Atomic>(ZEND_THIS).shared()->wakes.wake(
                static_cast<uint32_t>(std::clamp<zend_long>(count, 1, INT32_MAX)));
        }
        RETURN_TRUE;
    }
}

ZEND_METHOD(Swoole_Atomic_Long, __construct) {
    construct<int64_t>(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}
ZEND_METHOD(Swoole_Atomic_Long, add) { add_by<int64_t>(INTERNAL_FUNCTION_PARAM_PASSTHRU, 1); }
ZEND_METHOD(Swoole_Atomic_Long, sub) { add_by<int64_t>(INTERNAL_FUNCTION_PARAM_PASSTHRU, -1); }
ZEND_METHOD(Swoole_Atomic_Long, get) { get<int64_t>(INTERNAL_FUNCTION_PARAM_PASSTHRU); }
ZEND_METHOD(Swoole_Atomic_Long, set) { set<int64_t>(INTERNAL_FUNCTION_PARAM_PASSTHRU); }
ZEND_METHOD(Swoole_Atomic_Long, cmpset) {
    compare_and_set<int64_t>(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

namespace stampede::ext {

zend_result atomic_minit(int, int) {
    runtime::Runtime::on_fork([] { loop::WordWatcher::get().abandon(); });
    zend_class_entry* ce = register_class_Swoole_Atomic();
    ce->create_object = create_atomic;
    ce->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    zend::init_handlers<Atomic>(atomic_handlers, free_counter<uint32_t>);
    zend::alias_class(ce, "swoole_atomic");
    ce = register_class_Swoole_Atomic_Long();
    ce->create_object = create_long;
    ce->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    zend::init_handlers<Long>(long_handlers, free_counter<int64_t>);
    zend::alias_class(ce, "swoole_atomic_long");
    return SUCCESS;
}

}  // namespace stampede::ext
