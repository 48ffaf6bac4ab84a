/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 723436e0dd2361c7d38b1128803a10c82abfc3d7 */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Swoole_Process_Pool___construct, 0, 0, 1)
	ZEND_ARG_TYPE_INFO(0, worker_num, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ipc_type, IS_LONG, 0, "SWOOLE_IPC_NONE")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, msgqueue_key, IS_LONG, 0, "0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, enable_coroutine, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Swoole_Process_Pool___destruct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_Process_Pool_set, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, settings, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_Process_Pool_on, 0, 2, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, callback, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_TYPE_MASK_EX(arginfo_class_Swoole_Process_Pool_getProcess, 0, 0, Swoole\\Process, MAY_BE_FALSE)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, work_id, IS_LONG, 0, "-1")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_Process_Pool_listen, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, host, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, port, IS_LONG, 0, "0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, backlog, IS_LONG, 0, "2048")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_Process_Pool_write, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, data, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_Process_Pool_sendMessage, 0, 2, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, data, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, dst_worker_id, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_Process_Pool_detach, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_Process_Pool_start, 0, 0, IS_FALSE, 1)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_Process_Pool_stop, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Swoole_Process_Pool_shutdown arginfo_class_Swoole_Process_Pool_detach


ZEND_METHOD(Swoole_Process_Pool, __construct);
ZEND_METHOD(Swoole_Process_Pool, __destruct);
ZEND_METHOD(Swoole_Process_Pool, set);
ZEND_METHOD(Swoole_Process_Pool, on);
ZEND_METHOD(Swoole_Process_Pool, getProcess);
ZEND_METHOD(Swoole_Process_Pool, listen);
ZEND_METHOD(Swoole_Process_Pool, write);
ZEND_METHOD(Swoole_Process_Pool, sendMessage);
ZEND_METHOD(Swoole_Process_Pool, detach);
ZEND_METHOD(Swoole_Process_Pool, start);
ZEND_METHOD(Swoole_Process_Pool, stop);
ZEND_METHOD(Swoole_Process_Pool, shutdown);


static const zend_function_entry class_Swoole_Process_Pool_methods[] = {
	ZEND_ME(Swoole_Process_Pool, __construct, arginfo_class_Swoole_Process_Pool___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Process_Pool, __destruct, arginfo_class_Swoole_Process_Pool___destruct, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Process_Pool, set, arginfo_class_Swoole_Process_Pool_set, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Process_Pool, on, arginfo_class_Swoole_Process_Pool_on, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Process_Pool, getProcess, arginfo_class_Swoole_Process_Pool_getProcess, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Process_Pool, listen, arginfo_class_Swoole_Process_Pool_listen, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Process_Pool, write, arginfo_class_Swoole_Process_Pool_write, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Process_Pool, sendMessage, arginfo_class_Swoole_Process_Pool_sendMessage, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Process_Pool, detach, arginfo_class_Swoole_Process_Pool_detach, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Process_Pool, start, arginfo_class_Swoole_Process_Pool_start, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Process_Pool, stop, arginfo_class_Swoole_Process_Pool_stop, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Process_Pool, shutdown, arginfo_class_Swoole_Process_Pool_shutdown, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Swoole_Process_Pool(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Swoole\\Process", "Pool", class_Swoole_Process_Pool_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);

	zval property_master_pid_default_value;
	ZVAL_LONG(&property_master_pid_default_value, -1);
	zend_string *property_master_pid_name = zend_string_init("master_pid", sizeof("master_pid") - 1, 1);
	zend_declare_property_ex(class_entry, property_master_pid_name, &property_master_pid_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_master_pid_name);

	zval property_workerPid_default_value;
	ZVAL_LONG(&property_workerPid_default_value, -1);
	zend_string *property_workerPid_name = zend_string_init("workerPid", sizeof("workerPid") - 1, 1);
	zend_declare_property_ex(class_entry, property_workerPid_name, &property_workerPid_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_workerPid_name);

	zval property_workerId_default_value;
	ZVAL_LONG(&property_workerId_default_value, -1);
	zend_string *property_workerId_name = zend_string_init("workerId", sizeof("workerId") - 1, 1);
	zend_declare_property_ex(class_entry, property_workerId_name, &property_workerId_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_workerId_name);

	zval property_workers_default_value;
	ZVAL_NULL(&property_workers_default_value);
	zend_string *property_workers_name = zend_string_init("workers", sizeof("workers") - 1, 1);
	zend_declare_property_ex(class_entry, property_workers_name, &property_workers_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_workers_name);

	zval property_workerRunning_default_value;
	ZVAL_TRUE(&property_workerRunning_default_value);
	zend_string *property_workerRunning_name = zend_string_init("workerRunning", sizeof("workerRunning") - 1, 1);
	zend_declare_property_ex(class_entry, property_workerRunning_name, &property_workerRunning_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_workerRunning_name);

	zval property_running_default_value;
	ZVAL_TRUE(&property_running_default_value);
	zend_string *property_running_name = zend_string_init("running", sizeof("running") - 1, 1);
	zend_declare_property_ex(class_entry, property_running_name, &property_running_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_running_name);

	return class_entry;
}
