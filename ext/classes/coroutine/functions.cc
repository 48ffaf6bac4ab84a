// The functions beside Swoole\Coroutine: go, defer, run, batch, parallel, map, and the deadlock
// report.
#include <algorithm>
#include <utility>
#include <vector>

#include "classes/coroutine/coroutine.h"
#include "classes/event.h"
#include "classes/coroutine/inspect.h"
#include "ini.h"
#include "hooks/hooks.h"
#include "runtime/task_end.h"
#include "subsystems.h"
#include "zend/throw.h"

#include "stubs/coroutine_functions_arginfo.h"

#define ext_functions short_functions
#include "stubs/short_functions_arginfo.h"
#undef ext_functions

namespace stampede::classes {

using runtime::Fiber;
using runtime::Runtime;
using runtime::WakeReason;

namespace {

zend_long option_or(const char* name, zend_long usual) {
    zval* value = find_coroutine_option(name);
    return value != nullptr && zval_get_long(value) > 0 ? zval_get_long(value) : usual;
}

bool option_is(const char* name, bool usual) {
    zval* value = find_coroutine_option(name);
    return value != nullptr ? zend_is_true(value) : usual;
}

void print_waiting(Runtime& runtime) {
    std::vector<int64_t> cids;
    runtime.fibers().each([&](int64_t cid, Fiber&) { cids.push_back(cid); });
    std::sort(cids.begin(), cids.end());
    size_t limit = static_cast<size_t>(option_or("deadlock_check_limit", 32));
    int depth = static_cast<int>(option_or("deadlock_check_depth", 32));
    for (size_t i = 0; i < cids.size() && i < limit; i++) {
        php_printf("\n [Coroutine-" ZEND_LONG_FMT "]\n%.68s\n", static_cast<zend_long>(cids[i]),
                   "--------------------------------------------------------------------");
        print_trace(*runtime.find(cids[i]), DEBUG_BACKTRACE_IGNORE_ARGS, depth);
        php_printf("\n");
    }
}

}  // namespace

void report_deadlock(Runtime& runtime) {
    const char* rule = "===================================================================";
    php_printf("\n%s\n [FATAL ERROR]: all coroutines (count: %zu) are asleep - deadlock!\n%s\n",
               rule, runtime.coroutine_count(), rule);
    if (!option_is("deadlock_check_disable_trace", false)) {
        print_waiting(runtime);
    }
}

namespace {

// The option exit_condition: a function that says whether the loop, which has nothing left, may
// end.
bool may_exit() {
    zval* condition = find_coroutine_option("exit_condition");
    zend::Callable callable;
    if (condition == nullptr || !zend::Callable::hold(condition, callable)) {
        return true;
    }
    zval answer;
    bool asked = zend::call(callable, 0, nullptr, &answer) == runtime::Outcome::kReturned;
    bool yes = !asked || zend_is_true(&answer);
    zval_ptr_dtor(&answer);
    callable.release();
    return yes;
}

constexpr Nanos kAskAgain =
    50 * kMillisecond;  // signals and other processes change what it looks at

}  // namespace

void run_loop(Runtime& runtime) {
    runtime.run_until(nullptr, nullptr);
    while (!runtime.was_stopped() && !zend::exception_pending() && !may_exit()) {
        runtime.iterate_once(kAskAgain);
        runtime.run_until(nullptr, nullptr);
    }
    drop_events_after_exit();
    // Once for the same coroutines: run() and the end of the script may both find them.
    static int64_t reported = -1;
    bool stuck = runtime.coroutine_count() > 0 && !runtime.was_stopped() && !drivers_have_work();
    int64_t made = runtime.last_cid();
    if (stuck && std::exchange(reported, made) != made &&
        option_is("enable_deadlock_check", true)) {
        report_deadlock(runtime);
    }
}

namespace {

// A coroutine that was made after the one of this number; null when there is none.
Fiber* find_made_after(Runtime& runtime, int64_t cid) {
    Fiber* found = nullptr;
    runtime.fibers().each([&](int64_t other, Fiber& fiber) {
        if (other > cid && &fiber != runtime.current()) {
            found = &fiber;
        }
    });
    return found;
}

}  // namespace

bool may_run_loop(Runtime& runtime) {
    return runtime.in_last_event() || (runtime.current() == nullptr && !runtime.running());
}

void run_made_after(Runtime& runtime, int64_t cid) {
    if (!runtime.in_last_event()) {
        run_loop(runtime);
        return;
    }
    Fiber* self = runtime.current();
    if (self == nullptr) {
        runtime.run_until(
            [](void* made_before) {
                return find_made_after(Runtime::get(), *static_cast<int64_t*>(made_before)) ==
                       nullptr;
            },
            &cid);
        return;
    }
    // Not on the stack, which a fatal error leaves without destructors.
    auto* watch = static_cast<runtime::JoinWatch*>(emalloc(sizeof(runtime::JoinWatch)));
    auto reason = runtime::WakeReason::kReady;
    // The server's patience with the process is the limit.
    while (Fiber* other = find_made_after(runtime, cid)) {
        if (reason != runtime::WakeReason::kReady) {
            break;  // cancelled
        }
        *watch = {nullptr, other, self};
        runtime::link_joiner(*watch);
        self->joined_remaining = 1;
        reason = runtime.park_for(kNever);
        runtime::unlink_joiner(*watch);
    }
    efree(watch);
}

}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_FUNCTION(swoole_coroutine_create) {
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

ZEND_FUNCTION(swoole_coroutine_defer) {
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

ZEND_FUNCTION(stampede_coroutine_run) {
    zend_fcall_info fci;
    zend_fcall_info_cache fcc;
    ZEND_PARSE_PARAMETERS_START(1, -1)
        Z_PARAM_FUNC(fci, fcc)
        Z_PARAM_VARIADIC_WITH_NAMED(fci.params, fci.param_count, fci.named_params)
    ZEND_PARSE_PARAMETERS_END();
    Runtime& runtime = Runtime::get();
    if (!may_run_loop(runtime)) {
        zend_release_fcall_info_cache(&fcc);
        zend::warning_from(
            "Swoole\\Coroutine\\Scheduler::start()",
            "eventLoop has already been created. unable to start Swoole\\Coroutine\\Scheduler");
        RETURN_FALSE;
    }
    hooks::use_default_flags();
    int64_t before = runtime.last_cid();
    spawn_call(fci, fcc);
    run_made_after(runtime, before);
    RETURN_TRUE;
}

ZEND_FUNCTION(stampede_coroutine_deadlock_check) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    report_deadlock(Runtime::get());
}

namespace {

// Coroutines made by batch(), map() and parallel(): counted, their results stored under a key. On
// the heap while anybody refers to it, since a timed-out batch() returns before its tasks end.
struct Group {
    uint32_t references;
    uint32_t remaining;
    Fiber* waiter;
    zval results;
};

struct GroupJob : runtime::Job {
    Group* group;
    zend::Callable callable;
    zval argument;
    zend_string* key;
    zend_ulong index;
};

void release(Group* group) {
    if (--group->references == 0) {
        zval_ptr_dtor(&group->results);
        efree(group);
    }
}

void store_result(GroupJob& job, zval* value) {
    SEPARATE_ARRAY(&job.group->results);
    HashTable* results = Z_ARRVAL(job.group->results);
    if (job.key != nullptr) {
        zend_hash_update(results, job.key, value);
    } else {
        zend_hash_index_update(results, job.index, value);
    }
}

void run_group_job(runtime::Job& base) {
    auto& job = static_cast<GroupJob&>(base);
    zval retval;
    uint32_t argc = Z_TYPE(job.argument) == IS_UNDEF ? 0 : 1;
    if (zend::call(job.callable, argc, &job.argument, &retval) == runtime::Outcome::kReturned) {
        store_result(job, &retval);
    }
}

void end_group_job(runtime::Job& base, runtime::Outcome outcome, zend_object* exception) {
    auto& job = static_cast<GroupJob&>(base);
    Group* group = job.group;
    if (outcome != runtime::Outcome::kBailed) {
        job.callable.release();
        zval_ptr_dtor(&job.argument);
        if (job.key != nullptr) {
            zend_string_release(job.key);
        }
    }
    if (--group->remaining == 0 && group->waiter != nullptr) {
        Runtime::get().wake(*group->waiter, WakeReason::kReady);
    }
    release(group);
    efree(&job);
    if (exception != nullptr) {
        zend::rethrow(exception);
    }
}

Group* make_group(HashTable* keys) {
    auto* group = static_cast<Group*>(emalloc(sizeof(Group)));
    *group = {1, 0, nullptr, {}};
    if (keys == nullptr) {
        array_init(&group->results);
        return group;
    }
    array_init_size(&group->results, zend_hash_num_elements(keys));
    zend_string* key;
    zend_ulong index;
    zval null;
    ZVAL_NULL(&null);
    ZEND_HASH_FOREACH_KEY(keys, index, key) {
        key != nullptr ? zend_hash_add(Z_ARRVAL(group->results), key, &null)
                       : zend_hash_index_add(Z_ARRVAL(group->results), index, &null);
    }
    ZEND_HASH_FOREACH_END();
    return group;
}

void start_in_group(Group* group, const zend::Callable& callable, zval* argument, zend_string* key,
                    zend_ulong index) {
    auto* job = static_cast<GroupJob*>(emalloc(sizeof(GroupJob)));
    job->run = run_group_job;
    job->finished = end_group_job;
    job->group = group;
    job->callable = callable;
    job->key = key != nullptr ? zend_string_copy(key) : nullptr;
    job->index = index;
    if (argument != nullptr) {
        ZVAL_COPY(&job->argument, argument);
    } else {
        ZVAL_UNDEF(&job->argument);
    }
    group->references++;
    group->remaining++;
    if (Runtime::get().spawn(*job) < 0) {
        zend::warning("exceed max number of coroutine %zu", Runtime::get().limits().max_coroutines);
        end_group_job(*job, runtime::Outcome::kReturned, nullptr);
    }
}

void wait_for_group(Group* group, double timeout) {
    Runtime& runtime = Runtime::get();
    if (group->remaining > 0) {
        group->waiter = runtime.current();
        runtime.park_for(timeout_of(timeout));
        group->waiter = nullptr;
    }
}

void finish_group(Group* group, double timeout, zval* return_value) {
    wait_for_group(group, timeout);
    if (return_value != nullptr && !zend::exception_pending()) {
        ZVAL_COPY(return_value, &group->results);
    }
    release(group);
}

}  // namespace

ZEND_FUNCTION(stampede_coroutine_batch) {
    HashTable* tasks;
    double timeout = -1;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_ARRAY_HT(tasks)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    if (require_coroutine() == nullptr) {
        RETURN_THROWS();
    }
    Group* group = make_group(tasks);
    zend_string* key;
    zend_ulong index;
    zval* task;
    ZEND_HASH_FOREACH_KEY_VAL(tasks, index, key, task) {
        zend::Callable callable;
        if (!zend::Callable::hold(task, callable)) {
            zend_type_error("Swoole\\Coroutine\\batch(): every task must be callable");
            break;
        }
        start_in_group(group, callable, nullptr, key, index);
    }
    ZEND_HASH_FOREACH_END();
    finish_group(group, timeout, return_value);
}

ZEND_FUNCTION(stampede_coroutine_map) {
    HashTable* list;
    zend_fcall_info fci;
    zend_fcall_info_cache fcc;
    double timeout = -1;
    ZEND_PARSE_PARAMETERS_START(2, 3)
        Z_PARAM_ARRAY_HT(list)
        Z_PARAM_FUNC(fci, fcc)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    if (require_coroutine() == nullptr) {
        RETURN_THROWS();
    }
    Group* group = make_group(list);
    zend_string* key;
    zend_ulong index;
    zval* element;
    ZEND_HASH_FOREACH_KEY_VAL(list, index, key, element) {
        start_in_group(group, zend::Callable::hold(fci, fcc), element, key, index);
    }
    ZEND_HASH_FOREACH_END();
    finish_group(group, timeout, return_value);
}

ZEND_FUNCTION(stampede_coroutine_parallel) {
    zend_long count;
    zend_fcall_info fci;
    zend_fcall_info_cache fcc;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_LONG(count)
        Z_PARAM_FUNC(fci, fcc)
    ZEND_PARSE_PARAMETERS_END();
    if (require_coroutine() == nullptr) {
        RETURN_THROWS();
    }
    Group* group = make_group(nullptr);
    for (zend_long i = 0; i < count; i++) {
        start_in_group(group, zend::Callable::hold(fci, fcc), nullptr, nullptr,
                       static_cast<zend_ulong>(i));
    }
    finish_group(group, -1, nullptr);
}

namespace stampede::ext {

zend_result coroutine_functions_minit(int, int) {
    if (zend_register_functions(nullptr, ext_functions, nullptr, MODULE_PERSISTENT) == FAILURE) {
        return FAILURE;
    }
    return settings().use_shortname
               ? zend_register_functions(nullptr, short_functions, nullptr, MODULE_PERSISTENT)
               : SUCCESS;
}

}  // namespace stampede::ext
