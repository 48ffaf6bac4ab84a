// Timers of the loop that call PHP. Firing only queues; the ready phase starts the callback in a
// coroutine.
#include <algorithm>
#include <utility>
#include <vector>

#include "classes/coroutine/coroutine.h"
#include "classes/event.h"
#include "runtime/pending_work.h"
#include "subsystems.h"
#include "zend/class_alias.h"
#include "zend/throw.h"
#include "zend/object_guards.h"

#include "ext/spl/spl_array.h"

#include "stubs/timer_arginfo.h"
#define ext_functions timer_functions
#include "stubs/timer_functions_arginfo.h"
#undef ext_functions
#include "stubs/timer_iterator_arginfo.h"

namespace stampede::classes {

using runtime::Runtime;

namespace {

enum class Kind : uint8_t { kOnce, kRepeating };

// What a Callable keeps of a call, and no more: a burst of timers should lie in few cache lines.
struct HeldCall {
    zval name;  // undefined: none
    zend_function* function;
    zend_object* object;
    zend_class_entry* called_scope;

    static HeldCall take(const zend::Callable& callable);
    zend::Callable callable() const;
};

// Owned by the table until it is removed; while its callback is being started it outlives that by a
// moment. It waits for its time or for its turn, never for both.
struct UserTimer {
    union {
        loop::Timer alarm;
        loop::Task call;
    };
    bool queued = false;  // `call` is what lives in the union
    Kind kind;
    bool starting = false;
    bool removed = false;
    uint32_t argc;  // of argv, whose first value is the number of a repeating timer
    zend_long id;
    zend_long milliseconds;
    uint32_t exec_count = 0;
    uint32_t round = 0;
    Nanos due = 0;  // its next call, or the present one
    HeldCall held;

    UserTimer() : alarm() {}
    ~UserTimer() {}
    zval* argv() { return reinterpret_cast<zval*>(this + 1); }
};
static_assert(sizeof(UserTimer) <= 112);  // an allocation class of the engine

HeldCall HeldCall::take(const zend::Callable& callable) {
    HeldCall held;
    ZVAL_COPY_VALUE(&held.name, &callable.fci.function_name);
    held.function = callable.fcc.function_handler;
    held.object = callable.fcc.object;
    held.called_scope = callable.fcc.called_scope;
    return held;
}

zend::Callable HeldCall::callable() const {
    zend::Callable out = {};
    out.fci.size = sizeof(out.fci);
    ZVAL_COPY_VALUE(&out.fci.function_name, &name);
    out.fci.object = object;
    out.fcc.function_handler = function;
    out.fcc.object = object;
    out.fcc.called_scope = called_scope;
    return out;
}

void on_fire(loop::Timer& alarm);

zend_class_entry* iterator_class;
runtime::IdMap<UserTimer> timers;
zend_long last_id;
uint32_t rounds;
UserTimer* called;  // whose callback is being started; a cleared one is in no table any more

// Timers of the application that are due at the same time fire in the order in which they were
// made, after the others.
uint64_t rank_of(const loop::Timer& timer) {
    return timer.on_fire == on_fire
               ? static_cast<uint64_t>(reinterpret_cast<const UserTimer&>(timer).id)
               : 0;
}

void count(Kind kind, int32_t change) {
    auto& pending = runtime::pending_work;
    (kind == Kind::kOnce ? pending.one_shot_timers : pending.repeating_timers) += change;
    if (kind == Kind::kRepeating) {
        // It is armed anew with each call, but goes before timers that were made later.
        Runtime::get().loop().timers().rank_by(rank_of);
        Runtime::get().loop().timers().need_ranks(change);
    }
}

void destroy(UserTimer* timer) {
    zend::Callable callable = timer->held.callable();
    for (uint32_t i = 0; i < timer->argc; i++) {
        zval_ptr_dtor(&timer->argv()[i]);
    }
    efree(timer);
    callable.release();
}

Nanos whole_interval(const UserTimer& timer) {
    constexpr Nanos kLongest = kNever / 4;
    return timer.milliseconds > kLongest / kMillisecond ? kLongest
                                                        : timer.milliseconds * kMillisecond;
}

// From the time at which the last call was due, not from the call: 100 calls a second of a timer of
// 10 ms, however late each was. Times that have passed meanwhile are left out.
void step_to_next(UserTimer& timer) {
    Nanos interval = whole_interval(timer);
    Nanos late = std::max<Nanos>(monotonic_now() - timer.due, 0);
    timer.due += (late / interval + 1) * interval;
}

void wait_for_time(UserTimer* timer) {
    new (&timer->alarm) loop::Timer();
    timer->alarm.on_fire = on_fire;
    timer->queued = false;
    Runtime::get().loop().arm_at(timer->alarm, timer->due);
}

void remove(UserTimer* timer) {
    timer->removed = true;
    if (timer->queued) {
        timer->call.unlink();
    } else {
        Runtime::get().loop().disarm(timer->alarm);
    }
    timers.erase(timer->id);
    count(timer->kind, -1);
    if (!timer->starting) {
        destroy(timer);
    }
}

void start_callback(loop::Task& task) {
    UserTimer* timer = reinterpret_cast<UserTimer*>(&task);
    if (Runtime::get().ending()) {
        return;
    }
    timer->exec_count++;
    timer->round = rounds;
    timer->starting = true;
    if (timer->kind == Kind::kRepeating) {
        step_to_next(*timer);
        wait_for_time(timer);
    }
    zend::Callable callable = timer->held.callable();
    callable.fci.param_count = timer->argc;
    callable.fci.params = timer->argv();
    UserTimer* caller = std::exchange(called, timer);
    classes::start_callback(callable.fci, callable.fcc);
    called = caller;
    timer->starting = false;
    if (timer->removed) {
        destroy(timer);
    } else if (timer->kind == Kind::kOnce) {
        remove(timer);
    }
}

void on_fire(loop::Timer& alarm) {
    rounds++;
    UserTimer* timer = reinterpret_cast<UserTimer*>(&alarm);
    new (&timer->call) loop::Task();
    timer->call.run = start_callback;
    timer->queued = true;
    Runtime::peek()->loop().enqueue(timer->call);
}

UserTimer* make(Kind kind, zend_long milliseconds, zend_fcall_info& fci,
                zend_fcall_info_cache& fcc) {
    uint32_t extra = kind == Kind::kRepeating ? 1 : 0;
    uint32_t argc = fci.param_count + extra;
    void* place = emalloc(sizeof(UserTimer) + argc * sizeof(zval));
    auto* timer = new (place) UserTimer();
    timer->id = ++last_id;
    timer->milliseconds = milliseconds;
    timer->kind = kind;
    timer->argc = argc;
    if (extra != 0) {
        ZVAL_LONG(&timer->argv()[0], timer->id);
    }
    for (uint32_t i = 0; i < fci.param_count; i++) {
        ZVAL_COPY(&timer->argv()[extra + i], &fci.params[i]);
    }
    timer->held = HeldCall::take(zend::Callable::hold(fci, fcc));
    return timer;
}

void add(Kind kind, INTERNAL_FUNCTION_PARAMETERS) {
    zend_long milliseconds;
    zend_fcall_info fci;
    zend_fcall_info_cache fcc;
    ZEND_PARSE_PARAMETERS_START(2, -1)
        Z_PARAM_LONG(milliseconds)
        Z_PARAM_FUNC(fci, fcc)
        Z_PARAM_VARIADIC('*', fci.params, fci.param_count)
    ZEND_PARSE_PARAMETERS_END();
    if (milliseconds < 1) {
        zend_release_fcall_info_cache(&fcc);
        zend::warning("Timer must be greater than or equal to 1");
        RETURN_FALSE;
    }
    UserTimer* timer = make(kind, milliseconds, fci, fcc);
    timers.insert(timer->id, timer);
    count(kind, 1);
    timer->due = monotonic_now() + whole_interval(*timer);
    wait_for_time(timer);
    RETURN_LONG(timer->id);
}

// False after throwing.
bool parse_id(INTERNAL_FUNCTION_PARAMETERS, zend_long& id) {
    static_cast<void>(return_value);
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(id)
    ZEND_PARSE_PARAMETERS_END_EX(return false);
    return true;
}

UserTimer* parse_timer(INTERNAL_FUNCTION_PARAMETERS) {
    zend_long id;
    return parse_id(INTERNAL_FUNCTION_PARAM_PASSTHRU, id) ? timers.find(id) : nullptr;
}

// Also the one that its own callback has cleared.
UserTimer* parse_known_timer(INTERNAL_FUNCTION_PARAMETERS) {
    zend_long id;
    if (!parse_id(INTERNAL_FUNCTION_PARAM_PASSTHRU, id)) {
        return nullptr;
    }
    return called != nullptr && called->id == id ? called : timers.find(id);
}

std::vector<UserTimer*> all_timers() {
    std::vector<UserTimer*> all;
    timers.each([&](int64_t, UserTimer& timer) { all.push_back(&timer); });
    std::sort(all.begin(), all.end(), [](UserTimer* a, UserTimer* b) { return a->id < b->id; });
    return all;
}

}  // namespace

void clear_timers() {
    for (UserTimer* timer : all_timers()) {
        remove(timer);
    }
}

}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_FUNCTION(swoole_timer_tick) { add(Kind::kRepeating, INTERNAL_FUNCTION_PARAM_PASSTHRU); }

ZEND_FUNCTION(swoole_timer_after) { add(Kind::kOnce, INTERNAL_FUNCTION_PARAM_PASSTHRU); }

ZEND_FUNCTION(swoole_timer_exists) {
    RETURN_BOOL(parse_timer(INTERNAL_FUNCTION_PARAM_PASSTHRU) != nullptr);
}

ZEND_FUNCTION(swoole_timer_info) {
    UserTimer* timer = parse_known_timer(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    if (timer == nullptr) {
        RETURN_NULL();
    }
    array_init(return_value);
    add_assoc_long(return_value, "exec_msec", timer->milliseconds);
    add_assoc_long(return_value, "exec_count", timer->exec_count);
    add_assoc_long(return_value, "interval",
                   timer->kind == Kind::kRepeating ? timer->milliseconds : 0);
    add_assoc_long(return_value, "round", timer->round);
    add_assoc_bool(return_value, "removed", timer->removed);
}

ZEND_FUNCTION(swoole_timer_stats) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    array_init(return_value);
    add_assoc_bool(return_value, "initialized", last_id > 0);
    add_assoc_long(return_value, "num", static_cast<zend_long>(timers.size()));
    add_assoc_long(return_value, "round", rounds);
}

ZEND_FUNCTION(swoole_timer_list) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    zval ids;
    array_init(&ids);
    for (UserTimer* timer : all_timers()) {
        add_next_index_long(&ids, timer->id);
    }
    object_init_ex(return_value, iterator_class);
    zend_call_known_instance_method_with_1_params(iterator_class->constructor,
                                                  Z_OBJ_P(return_value), nullptr, &ids);
    zval_ptr_dtor(&ids);
}

ZEND_FUNCTION(swoole_timer_clear) {
    UserTimer* timer = parse_timer(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    if (timer == nullptr) {
        RETURN_FALSE;
    }
    remove(timer);
    RETURN_TRUE;
}

ZEND_FUNCTION(swoole_timer_clear_all) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    if (last_id == 0) {
        RETURN_FALSE;
    }
    clear_timers();
    RETURN_TRUE;
}

namespace stampede::ext {

zend_result timer_minit(int, int) {
    zend_class_entry* ce = register_class_Swoole_Timer();
    zend::refuse_new(ce);
    zend::alias_class(ce, "swoole_timer");
    Runtime::on_fork(clear_timers);
    iterator_class = register_class_Swoole_Timer_Iterator(spl_ce_ArrayIterator);
    return zend_register_functions(nullptr, timer_functions, nullptr, MODULE_PERSISTENT);
}

zend_result timer_rshutdown(int, int) {
    if (!CG(unclean_shutdown)) {
        clear_timers();
    }
    timers.clear();
    runtime::pending_work.one_shot_timers = runtime::pending_work.repeating_timers = 0;
    called = nullptr;
    last_id = 0;
    rounds = 0;
    return SUCCESS;
}

}  // namespace stampede::ext
