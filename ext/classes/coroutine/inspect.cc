#include "classes/coroutine/inspect.h"

#include <algorithm>
#include <vector>

#include "classes/coroutine/coroutine.h"
#include "io/files.h"
#include "io/signals.h"
#include "runtime/trace.h"

namespace stampede::classes {

using runtime::Fiber;
using runtime::Runtime;
using runtime::trace_of;

namespace {

Fiber* target_of(zend_long cid) {
    Runtime* runtime = Runtime::peek();
    if (runtime == nullptr) {
        return nullptr;
    }
    return cid == 0 ? runtime->current() : runtime->find(cid);
}

// The numbers of all coroutines, in the order they were made.
void append_cids(zval* array) {
    Runtime* runtime = Runtime::peek();
    if (runtime == nullptr) {
        return;
    }
    std::vector<int64_t> cids;
    runtime->fibers().each([&](int64_t cid, Fiber&) { cids.push_back(cid); });
    std::sort(cids.begin(), cids.end());
    for (int64_t cid : cids) {
        add_next_index_long(array, cid);
    }
}

}  // namespace

void print_trace(Fiber& fiber, int options, int limit) {
    zval trace;
    trace_of(fiber, options, limit, &trace);
    zend_string* text = zend_trace_to_string(Z_ARRVAL(trace), false);
    php_output_write(ZSTR_VAL(text), ZSTR_LEN(text));
    zend_string_release(text);
    zval_ptr_dtor(&trace);
}

}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Coroutine, getBackTrace) {
    zend_long cid = 0, options = DEBUG_BACKTRACE_PROVIDE_OBJECT, limit = 0;
    ZEND_PARSE_PARAMETERS_START(0, 3)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(cid)
        Z_PARAM_LONG(options)
        Z_PARAM_LONG(limit)
    ZEND_PARSE_PARAMETERS_END();
    Fiber* fiber = target_of(cid);
    if (fiber == nullptr) {
        RETURN_FALSE;
    }
    trace_of(*fiber, static_cast<int>(options), static_cast<int>(limit), return_value);
}

ZEND_METHOD(Swoole_Coroutine, printBackTrace) {
    zend_long cid = 0, options = 0, limit = 0;
    ZEND_PARSE_PARAMETERS_START(0, 3)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(cid)
        Z_PARAM_LONG(options)
        Z_PARAM_LONG(limit)
    ZEND_PARSE_PARAMETERS_END();
    if (Fiber* fiber = target_of(cid)) {
        print_trace(*fiber, static_cast<int>(options), static_cast<int>(limit));
    }
}

ZEND_METHOD(Swoole_Coroutine, getStackUsage) {
    zend_long cid = 0;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(cid)
    ZEND_PARSE_PARAMETERS_END();
    Fiber* fiber = target_of(cid);
    if (fiber == nullptr) {
        RETURN_FALSE;
    }
    RETURN_LONG(static_cast<zend_long>(runtime::vm_stack_usage(*fiber)));
}

ZEND_METHOD(Swoole_Coroutine, list) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    zval cids;
    array_init(&cids);
    append_cids(&cids);
    object_init_ex(return_value, coroutine_iterator_class);
    zend_call_known_instance_method_with_1_params(coroutine_iterator_class->constructor,
                                                  Z_OBJ_P(return_value), nullptr, &cids);
    zval_ptr_dtor(&cids);
}

ZEND_METHOD(Swoole_Coroutine, stats) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    Runtime* runtime = Runtime::peek();
    array_init(return_value);
    add_assoc_long(return_value, "event_num",
                   runtime != nullptr ? runtime->loop().watch_count() : 0);
    add_assoc_long(return_value, "signal_listener_num", io::signal_listeners());
    io::FileCounts files = io::file_counts();
    add_assoc_long(return_value, "aio_task_num", static_cast<zend_long>(files.in_flight));
    add_assoc_long(return_value, "aio_worker_num", files.threads);
    add_assoc_long(return_value, "aio_queue_size", static_cast<zend_long>(files.queued));
    add_assoc_long(return_value, "c_stack_size",
                   runtime != nullptr ? static_cast<zend_long>(runtime->contexts().stack_size())
                                      : 2 * 1024 * 1024);
    add_assoc_long(return_value, "coroutine_num",
                   runtime != nullptr ? runtime->coroutine_count() : 0);
    add_assoc_long(return_value, "coroutine_peak_num",
                   runtime != nullptr ? runtime->coroutine_peak() : 0);
    add_assoc_long(return_value, "coroutine_last_cid",
                   runtime != nullptr ? runtime->last_cid() : 0);
}
