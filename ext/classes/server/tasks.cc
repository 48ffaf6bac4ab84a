// Swoole\Server: giving tasks and waiting for them.
#include "ext/server/tasks.h"

#include <cerrno>

#include "classes/server/server_object.h"
#include "runtime/runtime.h"
#include "zend/throw.h"

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Server, task) {
    zval* data;
    zend_long index = -1;
    zend_fcall_info fci = empty_fcall_info;
    zend_fcall_info_cache fcc = empty_fcall_info_cache;
    ZEND_PARSE_PARAMETERS_START(1, 3)
        Z_PARAM_ZVAL(data)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(index)
        Z_PARAM_FUNC_OR_NULL(fci, fcc)
    ZEND_PARSE_PARAMETERS_END();

    ServerState& state = *server_of(Z_OBJ_P(ZEND_THIS))->state;
    bool has_callback = ZEND_FCI_INITIALIZED(fci);
    zend::Callable callback =
        has_callback ? zend::Callable::hold(fci, fcc) : zend::Callable::none();
    int64_t id = give_task(state, data, index, callback);
    if (id < 0) {
        RETURN_FALSE;
    }
    RETURN_LONG(id);
}

ZEND_METHOD(Swoole_Server, taskwait) {
    zval* data;
    double timeout = 0.5;
    zend_long index = -1;
    ZEND_PARSE_PARAMETERS_START(1, 3)
        Z_PARAM_ZVAL(data)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout)
        Z_PARAM_LONG(index)
    ZEND_PARSE_PARAMETERS_END();

    ServerState& state = *server_of(Z_OBJ_P(ZEND_THIS))->state;
    if (!may_wait_for_tasks(state, index)) {
        RETURN_FALSE;
    }
    if (!run_task(state, data, index, timeout, return_value) && !zend::exception_pending()) {
        RETURN_FALSE;
    }
}

ZEND_METHOD(Swoole_Server, taskWaitMulti) {
    HashTable* tasks;
    double timeout = 0.5;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_ARRAY_HT(tasks)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();

    ServerState& state = *server_of(Z_OBJ_P(ZEND_THIS))->state;
    uint32_t count = zend_hash_num_elements(tasks);
    if (!may_wait_for_tasks(state, -1) ||
        !run_tasks(state, tasks, timeout, kTaskWaitAll, return_value)) {
        if (!zend::exception_pending()) {
            RETURN_FALSE;
        }
        RETURN_THROWS();
    }
    if (count > 0 && zend_hash_num_elements(Z_ARRVAL_P(return_value)) == 0) {
        zval_ptr_dtor(return_value);
        RETURN_FALSE;
    }
}

ZEND_METHOD(Swoole_Server, taskCo) {
    HashTable* tasks;
    double timeout = 0.5;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_ARRAY_HT(tasks)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();

    ServerState& state = *server_of(Z_OBJ_P(ZEND_THIS))->state;
    if (!runtime::Runtime::get().can_park()) {
        zend::throw_error(zend::error_classes.error, EOPNOTSUPP,
                          "taskCo() can only be called in a coroutine");
        RETURN_THROWS();
    }
    if (!may_wait_for_tasks(state, -1) ||
        !run_tasks(state, tasks, timeout, kTaskCoroutine, return_value)) {
        if (!zend::exception_pending()) {
            RETURN_FALSE;
        }
        RETURN_THROWS();
    }
}

ZEND_METHOD(Swoole_Server, finish) {
    zval* data;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ZVAL(data)
    ZEND_PARSE_PARAMETERS_END();

    ServerState& state = *server_of(Z_OBJ_P(ZEND_THIS))->state;
    if (!is_kind(state, proc::PlaceKind::kTaskWorker)) {
        zend::warning("only a task worker can finish tasks");
        RETURN_FALSE;
    }
    if (state.settings.task_enable_coroutine) {
        zend::warning(
            "with task_enable_coroutine several tasks may be in progress: use "
            "Swoole\\Server\\Task::finish()");
        RETURN_FALSE;
    }
    RETURN_BOOL(finish_present_task(data));
}
