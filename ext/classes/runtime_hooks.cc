// Swoole\Runtime: what blocking calls wait in coroutines.
#include "hooks/offload.h"
#include "hooks/connection_use.h"
#include "hooks/object_use.h"
#include "hooks/hooks.h"
#include "hooks/curl_multi.h"
#include "hooks/mysqlnd.h"
#include "hooks/stream_select.h"
#include "hooks/started_programs.h"
#include "hooks/whole_reads.h"
#include "hooks/sqlite/offload.h"
#include "hooks/sqlite/use.h"
#include "hooks/transports.h"
#include "runtime/collector.h"
#include "subsystems.h"
#include "zend/class_alias.h"
#include "zend/collection.h"
#include "zend/php.h"
#include "zend/object_guards.h"

#include "stubs/runtime_arginfo.h"

using namespace stampede;

ZEND_METHOD(Swoole_Runtime, enableCoroutine) {
    zval* given = nullptr;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_ZVAL(given)
    ZEND_PARSE_PARAMETERS_END();
    zend_long flags = hooks::kAll;
    if (given != nullptr && Z_TYPE_P(given) == IS_FALSE) {
        flags = 0;
    } else if (given != nullptr && Z_TYPE_P(given) != IS_TRUE) {
        flags = zval_get_long(given);
    }
    hooks::set_flags(flags);
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Runtime, getHookFlags) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_LONG(hooks::flags());
}

ZEND_METHOD(Swoole_Runtime, setHookFlags) {
    zend_long flags;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(flags)
    ZEND_PARSE_PARAMETERS_END();
    hooks::set_flags(flags);
    RETURN_TRUE;
}

namespace stampede::ext {

zend_result runtime_hooks_minit(int, int) {
    zend_class_entry* ce = register_class_Swoole_Runtime();
    zend::refuse_new(ce);
    zend::alias_class(ce, "swoole_runtime");
    hooks::guard_curl_handles();
    hooks::guard_memcached();
    hooks::guard_mongodb();
    hooks::guard_shared_connections();
    hooks::guard_stream_select();
    hooks::take_turns_in_whole_reads();
    hooks::note_started_programs();
    hooks::stand_before_mysqlnd();
    zend::watch_collections();
    runtime::install_collector();
    // The parent's coroutines and threads are not ours.
    runtime::Runtime::on_fork(hooks::forget_uses);
    runtime::Runtime::on_fork(hooks::forget_started_programs);
    runtime::Runtime::on_fork(hooks::forget_object_uses);
    runtime::Runtime::on_fork(hooks::forget_mongodb_clients);
    runtime::Runtime::on_fork(hooks::forget_multi_handles);
    runtime::Runtime::on_fork(hooks::forget_selects);
    runtime::Runtime::on_fork(hooks::forget_signal_waits);
    runtime::Runtime::on_fork(hooks::forget_name_threads);
    runtime::Runtime::on_fork(hooks::sqlite::forget_call_threads);
    runtime::Runtime::on_fork(hooks::sqlite::lose_connections);
    return SUCCESS;
}

zend_result runtime_hooks_rshutdown(int, int) {
    hooks::sqlite::free_connections();
    hooks::forget_flags();
    hooks::forget_object_uses();
    hooks::forget_mongodb_clients();
    hooks::forget_multi_handles();
    hooks::forget_selects();
    return SUCCESS;
}

// Before the memory of the coroutines goes.
zend_result calls_rshutdown(int, int) {
    hooks::sqlite::end_calls();
    return SUCCESS;
}

zend_result runtime_hooks_mshutdown(int, int) {
    runtime::remove_collector();
    zend::leave_collections();
    hooks::sqlite::leave_connections();
    hooks::restore_imports();
    hooks::restore_transports();
    hooks::leave_mysqlnd();
    return SUCCESS;
}

}  // namespace stampede::ext
