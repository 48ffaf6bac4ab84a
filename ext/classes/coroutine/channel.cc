// Values in a ring, coroutines in two lists. The coroutine that waits longest is served first and,
// as in go() and resume(), runs at once. What lies between the method and the switch is in line,
// see runtime.h.
#include "classes/coroutine/channel.h"

#include "classes/coroutine/coroutine.h"
#include "subsystems.h"
#include "zend/class_alias.h"
#include "zend/gc_roots.h"
#include "zend/object.h"
#include "zend/object_guards.h"
#include "zend/throw.h"

#include "stubs/channel_arginfo.h"

namespace stampede::classes {

using runtime::Fiber;
using runtime::Runtime;
using runtime::WakeReason;

zend_class_entry* channel_class;

namespace {

enum : zend_long { kOk = 0, kTimeout = -1, kClosed = -2, kCanceled = -3 };

// Declared properties come first in an object, in the order of the stub.
constexpr uint32_t kCapacitySlot = 0;
constexpr uint32_t kErrCodeSlot = 1;

using Waiters = List<Fiber::WaitNode>;

struct Channel {
    zval* ring = nullptr;
    uint32_t head = 0;
    uint32_t size = 0;
    uint32_t allocated = 0;
    zend_ulong capacity = 1;
    bool closed = false;
    bool constructed = false;
    Waiters producers;
    Waiters consumers;
    zend_object std;

    bool full() const { return size >= capacity; }
    bool takes_at_once() const {
        return size < capacity && size < allocated && !closed && consumers.empty() &&
               producers.empty();
    }
};

zend_object_handlers handlers;

zend_always_inline void set_result(Channel& channel, zend_long code) {
    zval* slot = OBJ_PROP_NUM(&channel.std, kErrCodeSlot);
    if (EXPECTED(Z_TYPE_P(slot) == IS_LONG)) {
        Z_LVAL_P(slot) = code;
    } else {  // the script has written something else there, or made it a reference
        zend_update_property_long(channel.std.ce, &channel.std, ZEND_STRL("errCode"), code);
    }
}

void grow(Channel& channel) {
    uint32_t wanted = channel.allocated == 0 ? 4 : channel.allocated * 2;
    auto* ring = static_cast<zval*>(safe_emalloc(wanted, sizeof(zval), 0));
    for (uint32_t i = 0; i < channel.size; i++) {
        ZVAL_COPY_VALUE(&ring[i], &channel.ring[(channel.head + i) & (channel.allocated - 1)]);
    }
    if (channel.ring != nullptr) {
        efree(channel.ring);
    }
    channel.ring = ring;
    channel.head = 0;
    channel.allocated = wanted;
}

zend_always_inline void put(Channel& channel, zval* value) {
    if (UNEXPECTED(channel.size == channel.allocated)) {
        grow(channel);
    }
    ZVAL_COPY_VALUE(&channel.ring[(channel.head + channel.size++) & (channel.allocated - 1)],
                    value);
}

zend_always_inline void take(Channel& channel, zval* out) {
    ZVAL_COPY_VALUE(out, &channel.ring[channel.head]);
    channel.head = (channel.head + 1) & (channel.allocated - 1);
    channel.size--;
}

zend_always_inline void run_first(Waiters& waiters) {
    if (Fiber::WaitNode* node = waiters.pop_front()) {
        Runtime::peek()->resume_now(*node->fiber, WakeReason::kReady);
    }
}

// Waits for a turn; kOk when it has come.
zend_always_inline zend_long wait_in(Waiters& waiters, Fiber& self, double timeout) {
    waiters.push_back(self.wait);
    WakeReason reason = Runtime::peek()->park_for(timeout_of(timeout));
    self.wait.unlink();
    switch (reason) {
        case WakeReason::kReady:
            return kOk;
        case WakeReason::kTimeout:
            return kTimeout;
        case WakeReason::kClosed:
            return kClosed;
        default:
            return kCanceled;
    }
}

// The consumer that waits longest gets the value without a detour.
zend_always_inline bool hand_over(Channel& channel, zval* value) {
    if (channel.size > 0) {
        return false;
    }
    Fiber::WaitNode* node = channel.consumers.pop_front();
    if (node == nullptr) {
        return false;
    }
    ZVAL_COPY(node->slot, value);
    set_result(channel, kOk);
    Runtime::peek()->resume_now(*node->fiber, WakeReason::kReady);
    return true;
}

zend_always_inline bool push(Channel& channel, Fiber& self, zval* value, double timeout) {
    if (channel.closed) {
        set_result(channel, kClosed);
        return false;
    }
    if (hand_over(channel, value)) {
        return true;
    }
    if (channel.full() || !channel.producers.empty()) {
        zend_long result = wait_in(channel.producers, self, timeout);
        if (result == kOk && channel.closed) {
            result = kClosed;
        }
        if (result != kOk) {
            set_result(channel, result);
            return false;
        }
    }
    Z_TRY_ADDREF_P(value);
    put(channel, value);
    set_result(channel, kOk);
    return true;
}

// out is undefined until there is a value.
zend_always_inline bool wait_for_value(Channel& channel, Fiber& self, double timeout, zval* out) {
    zend_long result = kClosed;
    if (!channel.closed) {
        ZVAL_UNDEF(out);
        self.wait.slot = out;
        result = wait_in(channel.consumers, self, timeout);
        if (EXPECTED(Z_TYPE_P(out) != IS_UNDEF)) {
            return true;
        }
    }
    if (result == kOk) {
        result = kClosed;
    }
    set_result(channel, result);
    return false;
}

zend_always_inline bool pop(Channel& channel, Fiber& self, double timeout, zval* out) {
    if (channel.size == 0) {
        return wait_for_value(channel, self, timeout, out);
    }
    take(channel, out);
    set_result(channel, kOk);
    run_first(channel.producers);
    return true;
}

void wake_all(Waiters& waiters) {
    while (Fiber::WaitNode* node = waiters.pop_front()) {
        Runtime::peek()->resume_now(*node->fiber, WakeReason::kClosed);
    }
}

zend_long count(Waiters& waiters) {
    zend_long number = 0;
    for (Fiber::WaitNode* node = waiters.front(); node != nullptr; node = waiters.after(*node)) {
        number++;
    }
    return number;
}

zend_always_inline Channel* usable(zval* self) {
    auto& channel = zend::from_this<Channel>(self);
    if (UNEXPECTED(!channel.constructed)) {
        zend::throw_error(zend::error_classes.error, 0, "must call constructor first");
        return nullptr;
    }
    return &channel;
}

zend_object* create(zend_class_entry* ce) { return zend::create_object<Channel>(ce, &handlers); }

void destroy(zend_object* object) {
    auto& channel = zend::from_object<Channel>(object);
    while (channel.size > 0) {
        zval value;
        take(channel, &value);
        zval_ptr_dtor(&value);
    }
    if (channel.ring != nullptr) {
        efree(channel.ring);
    }
    channel.producers.~Waiters();
    channel.consumers.~Waiters();
    zend_object_std_dtor(object);
}

HashTable* list_references(zend_object* object, zval** table, int* count) {
    auto& channel = zend::from_object<Channel>(object);
    zend::GcRoots roots;
    for (uint32_t i = 0; i < channel.size; i++) {
        roots.add(&channel.ring[(channel.head + i) & (channel.allocated - 1)]);
    }
    return roots.with_properties(object, table, count);
}

}  // namespace
}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Coroutine_Channel, __construct) {
    zend_long size = 1;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(size)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<Channel>(ZEND_THIS);
    if (self.constructed) {
        zend::throw_error(zend::error_classes.error, 0, "The constructor of %s was called already.",
                          ZSTR_VAL(self.std.ce->name));
        RETURN_THROWS();
    }
    self.capacity = size > 0 ? static_cast<zend_ulong>(size) : 1;
    self.constructed = true;
    ZVAL_LONG(OBJ_PROP_NUM(&self.std, kCapacitySlot), static_cast<zend_long>(self.capacity));
}

// The methods handle themselves what needs neither parsing nor a switch, and go on here by a jump
// otherwise: so they need not save what only a switch needs saved.
static zend_never_inline void push_in_full(INTERNAL_FUNCTION_PARAMETERS) {
    zval* data;
    double timeout = -1;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_ZVAL(data)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    Fiber* fiber = require_coroutine();
    Channel* self = fiber != nullptr ? usable(ZEND_THIS) : nullptr;
    if (UNEXPECTED(self == nullptr)) {
        RETURN_THROWS();
    }
    RETURN_BOOL(push(*self, *fiber, data, timeout));
}

static zend_never_inline void pop_in_full(INTERNAL_FUNCTION_PARAMETERS) {
    double timeout = -1;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    Fiber* fiber = require_coroutine();
    Channel* self = fiber != nullptr ? usable(ZEND_THIS) : nullptr;
    if (UNEXPECTED(self == nullptr)) {
        RETURN_THROWS();
    }
    if (!pop(*self, *fiber, timeout, return_value)) {
        RETURN_FALSE;
    }
}

ZEND_METHOD(Swoole_Coroutine_Channel, push) {
    auto& channel = zend::from_this<Channel>(ZEND_THIS);
    if (ZEND_NUM_ARGS() != 1 || !channel.takes_at_once() || Runtime::peek()->current() == nullptr) {
        runtime::return_by_jump(execute_data, return_value, push_in_full);
        return;
    }
    zval* data = ZEND_CALL_ARG(execute_data, 1);
    ZVAL_DEREF(data);
    Z_TRY_ADDREF_P(data);
    put(channel, data);
    set_result(channel, kOk);
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Coroutine_Channel, pop) {
    auto& channel = zend::from_this<Channel>(ZEND_THIS);
    if (ZEND_NUM_ARGS() != 0 || channel.size == 0 || !channel.producers.empty() ||
        Runtime::peek()->current() == nullptr) {
        runtime::return_by_jump(execute_data, return_value, pop_in_full);
        return;
    }
    take(channel, return_value);
    set_result(channel, kOk);
}

ZEND_METHOD(Swoole_Coroutine_Channel, close) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<Channel>(ZEND_THIS);
    if (self.closed) {
        RETURN_FALSE;
    }
    self.closed = true;
    wake_all(self.producers);
    wake_all(self.consumers);
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Coroutine_Channel, isEmpty) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_BOOL(zend::from_this<Channel>(ZEND_THIS).size == 0);
}

ZEND_METHOD(Swoole_Coroutine_Channel, isFull) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_BOOL(zend::from_this<Channel>(ZEND_THIS).full());
}

ZEND_METHOD(Swoole_Coroutine_Channel, length) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_LONG(zend::from_this<Channel>(ZEND_THIS).size);
}

ZEND_METHOD(Swoole_Coroutine_Channel, stats) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<Channel>(ZEND_THIS);
    array_init(return_value);
    add_assoc_long(return_value, "consumer_num", count(self.consumers));
    add_assoc_long(return_value, "producer_num", count(self.producers));
    add_assoc_long(return_value, "queue_num", self.size);
}

namespace stampede::ext {

zend_result channel_minit(int, int) {
    channel_class = register_class_Swoole_Coroutine_Channel();
    channel_class->create_object = create;
    channel_class->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    zend::init_handlers<Channel>(handlers, destroy);
    zend::refuse_unset(handlers);
    handlers.get_gc = list_references;
    zend::alias_short_name(channel_class, "Chan");
    zend::alias_short_name(channel_class, "Co\\Channel");
    return SUCCESS;
}

}  // namespace stampede::ext
