#include "classes/coroutine/coroutine.h"

#include <utility>

#include "classes/coroutine/inspect.h"
#include "error_numbers.h"
#include "runtime/task_end.h"
#include "subsystems.h"
#include "zend/class_alias.h"
#include "zend/throw.h"
#include "zend/object_guards.h"

#include "ext/spl/spl_array.h"

#include "stubs/coroutine_arginfo.h"
#include "stubs/coroutine_context_arginfo.h"

namespace stampede::classes {

using runtime::Fiber;
using runtime::Runtime;
using runtime::WakeReason;

zend_class_entry* coroutine_context_class;
zend_class_entry* coroutine_iterator_class;

namespace {

constexpr double kMinSleepSeconds = 0.001;

// Lives in the frame of go(): its code copies what it needs before it can wait.
struct GoJob : runtime::Job {
    zend_fcall_info* fci;
    zend_fcall_info_cache* fcc;
};

zend_never_inline void run_by_engine(const GoJob& go, zval* retval) {
    zend_fcall_info fci = *go.fci;
    zend_fcall_info_cache fcc = *go.fcc;
    fci.retval = retval;
    zend_call_function(&fci, &fcc);
}

void run_go(runtime::Job& job) {
    auto& go = static_cast<GoJob&>(job);
    zval retval;
    ZVAL_UNDEF(&retval);
    if (UNEXPECTED(go.fci->named_params != nullptr ||
                   !zend::call_by_value(*go.fcc, go.fci->param_count, go.fci->params, &retval))) {
        run_by_engine(go, &retval);
    }
    runtime::keep_result(retval);
    zval_ptr_dtor(&retval);
}

ZEND_COLD void refuse_spawn(int64_t error) {
    Runtime& runtime = Runtime::get();
    if (error == runtime::kErrorLimit) {
        zend::warning("exceed max number of coroutine %zu", runtime.limits().max_coroutines);
    } else {
        zend::throw_error(zend::error_classes.error, ENOMEM,
                          "no memory for the stack of another coroutine (%zu exist): lower "
                          "stack_size or raise the "
                          "limits of memory and mappings",
                          runtime.coroutine_count());
    }
}

template <auto Way>
int64_t start(zend_fcall_info& fci, zend_fcall_info_cache& fcc) {
    GoJob job;
    job.run = run_go;
    job.fci = &fci;
    job.fcc = &fcc;
    int64_t cid = (Runtime::get().*Way)(job);
    if (UNEXPECTED(cid < 0)) {
        zend_release_fcall_info_cache(&fcc);
        refuse_spawn(cid);
    }
    return cid;
}

Fiber* target_of(zend_long cid) {
    Runtime* runtime = Runtime::peek();
    if (runtime == nullptr) {
        return nullptr;
    }
    return cid == 0 ? runtime->current() : runtime->find(cid);
}

zend_object* context_object_of(Fiber& fiber) {
    if (fiber.context_object == nullptr) {
        zval object, storage, flags;
        object_init_ex(&object, coroutine_context_class);
        ZVAL_EMPTY_ARRAY(&storage);
        ZVAL_LONG(&flags, 2);  // ArrayObject::ARRAY_AS_PROPS
        zend_call_known_instance_method_with_2_params(coroutine_context_class->constructor,
                                                      Z_OBJ(object), nullptr, &storage, &flags);
        fiber.context_object = Z_OBJ(object);
    }
    return fiber.context_object;
}

bool finish_wait(WakeReason reason) {
    if (reason == WakeReason::kCancelled) {
        zend::set_last_error(api_error::kCanceled);
        return false;
    }
    return reason != WakeReason::kDestroyed;
}

}  // namespace

int64_t spawn_call(zend_fcall_info& fci, zend_fcall_info_cache& fcc) {
    return start<&Runtime::spawn>(fci, fcc);
}

void start_callback(zend_fcall_info& fci, zend_fcall_info_cache& fcc) {
    start<&Runtime::start_callback>(fci, fcc);
}

ZEND_COLD void throw_outside_coroutine() {
    zend::throw_error(zend::error_classes.error, 10001, "API must be called in the coroutine");
}

}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Coroutine, create) {
    zend_fcall_info fci;
    zend_fcall_info_cache fcc;
    ZEND_PARSE_PARAMETERS_START(1, -1)
        Z_PARAM_FUNC(fci, fcc)
        Z_PARAM_VARIADIC_WITH_NAMED(fci.params, fci.param_count, fci.named_params)
    ZEND_PARSE_PARAMETERS_END();
    int64_t cid = spawn_call(fci, fcc);
    if (UNEXPECTED(cid < 0)) {
        RETURN_FALSE;
    }
    RETURN_LONG(cid);
}

ZEND_METHOD(Swoole_Coroutine, defer) {
    zend_fcall_info fci;
    zend_fcall_info_cache fcc;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_FUNC(fci, fcc)
    ZEND_PARSE_PARAMETERS_END();
    if (Fiber* fiber = require_coroutine()) {
        runtime::add_defer(*fiber, zend::Callable::hold(fci, fcc));
    } else {
        zend_release_fcall_info_cache(&fcc);
    }
}

ZEND_METHOD(Swoole_Coroutine, set) {
    zval* options;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ARRAY(options)
    ZEND_PARSE_PARAMETERS_END();
    set_coroutine_options(Z_ARRVAL_P(options));
}

ZEND_METHOD(Swoole_Coroutine, getOptions) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    if (zend_array* options = coroutine_options()) {
        GC_ADDREF(options);
        RETURN_ARR(options);
    }
    RETURN_NULL();
}

ZEND_METHOD(Swoole_Coroutine, exists) {
    zend_long cid;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(cid)
    ZEND_PARSE_PARAMETERS_END();
    Runtime* runtime = Runtime::peek();
    RETURN_BOOL(runtime != nullptr && runtime->find(cid) != nullptr);
}

ZEND_METHOD(Swoole_Coroutine, yield) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    if (UNEXPECTED(require_coroutine() == nullptr)) {
        RETURN_THROWS();
    }
    RETURN_BOOL(finish_wait(Runtime::peek()->yield()));
}

ZEND_METHOD(Swoole_Coroutine, resume) {
    zend_long cid;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(cid)
    ZEND_PARSE_PARAMETERS_END();
    Runtime* runtime = Runtime::peek();
    Fiber* fiber = EXPECTED(runtime != nullptr) ? runtime->find(cid) : nullptr;
    if (UNEXPECTED(fiber == nullptr || fiber->state != runtime::FiberState::kYielded ||
                   fiber->ready.linked())) {
        zend::warning("can not resume the coroutine which is in IO operation or non-existent");
        RETURN_FALSE;
    }
    runtime->resume_now(*fiber, WakeReason::kReady);
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Coroutine, cancel) {
    zend_long cid;
    bool throw_exception = false;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_LONG(cid)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL(throw_exception)
    ZEND_PARSE_PARAMETERS_END();
    Runtime& runtime = Runtime::get();
    Fiber* fiber = runtime.find(cid);
    if (fiber == nullptr) {
        zend::set_last_error(api_error::kNotExists);
        RETURN_FALSE;
    }
    if (!fiber->waiting() || fiber->ready.linked()) {
        zend::set_last_error(api_error::kCannotCancel);
        RETURN_FALSE;
    }
    fiber->canceled = true;
    fiber->wait.unlink();
    if (throw_exception) {
        fiber->throw_on_resume = zend::error_classes.canceled_exception;
    }
    runtime.resume_now(*fiber, WakeReason::kCancelled);
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Coroutine, isCanceled) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    Fiber* fiber = require_coroutine();
    if (fiber == nullptr) {
        RETURN_THROWS();
    }
    RETURN_BOOL(fiber->canceled);
}

namespace {

// Those of the listed coroutines that exist, each with a watch that is not linked yet. The caller
// frees the array.
runtime::JoinWatch* make_watches(HashTable* cids, Fiber& self, uint32_t& count) {
    auto* watches = static_cast<runtime::JoinWatch*>(
        safe_emalloc(zend_hash_num_elements(cids) + 1, sizeof(runtime::JoinWatch), 0));
    zval* value;
    count = 0;
    ZEND_HASH_FOREACH_VAL(cids, value) {
        Fiber* fiber = Runtime::get().find(zval_get_long(value));
        if (fiber != nullptr && fiber != &self) {
            watches[count++] = {nullptr, fiber, &self};
        }
    }
    ZEND_HASH_FOREACH_END();
    return watches;
}

bool join_all(runtime::JoinWatch* watches, uint32_t count, Fiber& self, double timeout) {
    for (uint32_t i = 0; i < count; i++) {
        runtime::link_joiner(watches[i]);
    }
    self.joined_remaining = count;
    WakeReason reason = Runtime::get().park_for(timeout_of(timeout));
    for (uint32_t i = 0; i < count; i++) {
        runtime::unlink_joiner(watches[i]);
    }
    if (reason == WakeReason::kTimeout) {
        zend::set_last_error(api_error::kTimedOut);
        return false;
    }
    return finish_wait(reason);
}

}  // namespace

ZEND_METHOD(Swoole_Coroutine, join) {
    HashTable* cids;
    double timeout = -1;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_ARRAY_HT(cids)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    Fiber* self = require_coroutine();
    if (self == nullptr) {
        RETURN_THROWS();
    }
    if (zend_hash_num_elements(cids) == 0) {
        zend::set_last_error(api_error::kInvalidParams);
        RETURN_FALSE;
    }
    zval* value;
    ZEND_HASH_FOREACH_VAL(cids, value) {
        if (zval_get_long(value) == self->cid) {
            zend::set_last_error(api_error::kWrongOperation);
            zend::warning("can not join self");
            RETURN_FALSE;
        }
    }
    ZEND_HASH_FOREACH_END();
    uint32_t count;
    runtime::JoinWatch* watches = make_watches(cids, *self, count);
    bool joined = count > 0 && join_all(watches, count, *self, timeout);
    if (count == 0) {
        zend::set_last_error(api_error::kInvalidParams);
    }
    efree(watches);
    RETURN_BOOL(joined);
}

ZEND_METHOD(Swoole_Coroutine, setTimeLimit) {
    double timeout;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    Fiber* self = require_coroutine();
    if (self == nullptr) {
        RETURN_THROWS();
    }
    Nanos delay = timeout_of(timeout);
    if (delay != kNever) {
        runtime::set_time_limit(*self, delay);
    } else if (self->time_limit != nullptr) {
        runtime::drop_time_limit(*self);
    }
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Coroutine, sleep) {
    double seconds;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_DOUBLE(seconds)
    ZEND_PARSE_PARAMETERS_END();
    if (UNEXPECTED(seconds < kMinSleepSeconds)) {
        zend::warning("Timer must be greater than or equal to 0.001");
        RETURN_FALSE;
    }
    if (UNEXPECTED(require_coroutine() == nullptr)) {
        RETURN_THROWS();
    }
    RETURN_BOOL(finish_wait(Runtime::peek()->park_for(timeout_of(seconds))));
}

ZEND_METHOD(Swoole_Coroutine, getCid) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    Runtime* runtime = Runtime::peek();
    RETURN_LONG(runtime != nullptr ? runtime->current_cid() : -1);
}

ZEND_METHOD(Swoole_Coroutine, getPcid) {
    zend_long cid = 0;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(cid)
    ZEND_PARSE_PARAMETERS_END();
    Fiber* fiber = target_of(cid);
    if (fiber == nullptr) {
        RETURN_FALSE;
    }
    RETURN_LONG(fiber->parent_cid);
}

ZEND_METHOD(Swoole_Coroutine, getContext) {
    zend_long cid = 0;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(cid)
    ZEND_PARSE_PARAMETERS_END();
    Fiber* fiber = target_of(cid);
    if (fiber == nullptr) {
        RETURN_NULL();
    }
    RETURN_OBJ_COPY(context_object_of(*fiber));
}

ZEND_METHOD(Swoole_Coroutine, getElapsed) {
    zend_long cid = 0;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(cid)
    ZEND_PARSE_PARAMETERS_END();
    Fiber* fiber = target_of(cid);
    if (fiber == nullptr) {
        RETURN_LONG(-1);
    }
    RETURN_LONG((monotonic_now() - fiber->started_at) / kMillisecond);
}

ZEND_METHOD(Swoole_Coroutine, getExecuteTime) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    Fiber* fiber = target_of(0);
    if (fiber == nullptr) {
        RETURN_LONG(-1);
    }
    RETURN_LONG((monotonic_now() - fiber->started_at) / kMicrosecond);
}

namespace {

// True when that changes something.
bool set_preemptible(bool preemptible) {
    Fiber* self = require_coroutine();
    return self != nullptr && std::exchange(self->preemptible, preemptible) != preemptible;
}

}  // namespace

ZEND_METHOD(Swoole_Coroutine, enableScheduler) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_BOOL(set_preemptible(true));
}

ZEND_METHOD(Swoole_Coroutine, disableScheduler) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_BOOL(set_preemptible(false));
}

namespace stampede::ext {

zend_result coroutine_minit(int, int) {
    zend_class_entry* ce = register_class_Swoole_Coroutine();
    zend::refuse_new(ce);
    ce->ce_flags |= ZEND_ACC_NO_DYNAMIC_PROPERTIES;
    zend::alias_short_name(ce, "Co");
    coroutine_context_class = register_class_Swoole_Coroutine_Context(spl_ce_ArrayObject);
    coroutine_iterator_class = register_class_Swoole_Coroutine_Iterator(spl_ce_ArrayIterator);
    zend::alias_short_name(coroutine_context_class, "Co\\Context");
    zend::alias_short_name(coroutine_iterator_class, "Co\\Iterator");
    zend::error_classes.canceled_exception =
        register_class_Swoole_Coroutine_CanceledException(zend_ce_exception);
    zend::error_classes.timeout_exception =
        register_class_Swoole_Coroutine_TimeoutException(zend_ce_exception);
    return SUCCESS;
}

}  // namespace stampede::ext
