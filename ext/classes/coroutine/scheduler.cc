#include "classes/coroutine/coroutine.h"
#include "subsystems.h"
#include "zend/class_alias.h"
#include "zend/gc_roots.h"
#include "zend/object.h"
#include "zend/throw.h"

#include "stubs/scheduler_arginfo.h"

namespace stampede::classes {

using runtime::Runtime;

namespace {

struct Task {
    zend::Callable callable;
    uint32_t count;  // coroutines to make of it
    uint32_t argc;
    zval* argv;
};

struct Scheduler {
    Task* tasks = nullptr;
    uint32_t size = 0;
    uint32_t capacity = 0;
    bool started = false;
    zend_object std;
};

zend_object_handlers handlers;

void add_task(Scheduler& scheduler, uint32_t count, zend_fcall_info& fci,
              zend_fcall_info_cache& fcc) {
    if (scheduler.size == scheduler.capacity) {
        scheduler.capacity = scheduler.capacity == 0 ? 4 : scheduler.capacity * 2;
        scheduler.tasks =
            static_cast<Task*>(safe_erealloc(scheduler.tasks, scheduler.capacity, sizeof(Task), 0));
    }
    Task& task = scheduler.tasks[scheduler.size++];
    task.argc = fci.param_count;
    task.argv =
        task.argc > 0 ? static_cast<zval*>(safe_emalloc(task.argc, sizeof(zval), 0)) : nullptr;
    for (uint32_t i = 0; i < task.argc; i++) {
        ZVAL_COPY(&task.argv[i], &fci.params[i]);
    }
    task.count = count;
    task.callable = zend::Callable::hold(fci, fcc);
}

void release_task(Task& task) {
    for (uint32_t i = 0; i < task.argc; i++) {
        zval_ptr_dtor(&task.argv[i]);
    }
    if (task.argv != nullptr) {
        efree(task.argv);
    }
    task.callable.release();
}

void release_tasks(Scheduler& scheduler) {
    Task* tasks = scheduler.tasks;
    uint32_t size = scheduler.size;
    scheduler.tasks = nullptr;
    scheduler.size = scheduler.capacity = 0;
    for (uint32_t i = 0; i < size; i++) {
        release_task(tasks[i]);
    }
    if (tasks != nullptr) {
        efree(tasks);
    }
}

void start_task(Task& task) {
    for (uint32_t i = 0; i < task.count; i++) {
        zend_fcall_info fci = task.callable.fci;
        zend_fcall_info_cache fcc = task.callable.fcc;
        fci.param_count = task.argc;
        fci.params = task.argv;
        spawn_call(fci, fcc);
    }
}

zend_object* create(zend_class_entry* ce) { return zend::create_object<Scheduler>(ce, &handlers); }

void destroy(zend_object* object) {
    release_tasks(zend::from_object<Scheduler>(object));
    zend_object_std_dtor(object);
}

HashTable* list_references(zend_object* object, zval** table, int* count) {
    auto& scheduler = zend::from_object<Scheduler>(object);
    zend::GcRoots roots;
    for (uint32_t i = 0; i < scheduler.size; i++) {
        Task& task = scheduler.tasks[i];
        roots.add(task.callable);
        for (uint32_t argument = 0; argument < task.argc; argument++) {
            roots.add(&task.argv[argument]);
        }
    }
    return roots.with_properties(object, table, count);
}

}  // namespace
}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Coroutine_Scheduler, add) {
    zend_fcall_info fci;
    zend_fcall_info_cache fcc;
    ZEND_PARSE_PARAMETERS_START(1, -1)
        Z_PARAM_FUNC(fci, fcc)
        Z_PARAM_VARIADIC('*', fci.params, fci.param_count)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<Scheduler>(ZEND_THIS);
    if (self.started) {
        zend::warning("scheduler is running, unable to execute Scheduler::add()");
        zend_release_fcall_info_cache(&fcc);
        RETURN_FALSE;
    }
    add_task(self, 1, fci, fcc);
}

ZEND_METHOD(Swoole_Coroutine_Scheduler, parallel) {
    zend_long count;
    zend_fcall_info fci;
    zend_fcall_info_cache fcc;
    ZEND_PARSE_PARAMETERS_START(2, -1)
        Z_PARAM_LONG(count)
        Z_PARAM_FUNC(fci, fcc)
        Z_PARAM_VARIADIC('*', fci.params, fci.param_count)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<Scheduler>(ZEND_THIS);
    if (self.started) {
        zend::warning("scheduler is running, unable to execute Scheduler::parallel()");
        zend_release_fcall_info_cache(&fcc);
        RETURN_FALSE;
    }
    add_task(self, count > 0 ? static_cast<uint32_t>(count) : 0, fci, fcc);
}

ZEND_METHOD(Swoole_Coroutine_Scheduler, set) {
    zval* settings;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ARRAY(settings)
    ZEND_PARSE_PARAMETERS_END();
    set_coroutine_options(Z_ARRVAL_P(settings));
}

ZEND_METHOD(Swoole_Coroutine_Scheduler, getOptions) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    if (zend_array* options = coroutine_options()) {
        GC_ADDREF(options);
        RETURN_ARR(options);
    }
    RETURN_NULL();
}

ZEND_METHOD(Swoole_Coroutine_Scheduler, start) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    Runtime& runtime = Runtime::get();
    if (!may_run_loop(runtime)) {
        zend::warning(
            "eventLoop has already been created. unable to start Swoole\\Coroutine\\Scheduler");
        RETURN_FALSE;
    }
    auto& self = zend::from_this<Scheduler>(ZEND_THIS);
    if (self.started) {
        zend::warning("scheduler is started, unable to execute Scheduler::start()");
        RETURN_FALSE;
    }
    if (self.size == 0) {
        zend::warning("no coroutine task");
        RETURN_FALSE;
    }
    self.started = true;
    int64_t before = runtime.last_cid();
    for (uint32_t i = 0; i < self.size && !zend::exception_pending(); i++) {
        start_task(self.tasks[i]);
    }
    run_made_after(runtime, before);
    release_tasks(self);
    self.started = false;
    RETURN_TRUE;
}

namespace stampede::ext {

zend_result scheduler_minit(int, int) {
    zend_class_entry* ce = register_class_Swoole_Coroutine_Scheduler();
    ce->create_object = create;
    ce->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    zend::init_handlers<Scheduler>(handlers, destroy);
    handlers.get_gc = list_references;
    zend::alias_short_name(ce, "Co\\Scheduler");
    return SUCCESS;
}

}  // namespace stampede::ext
