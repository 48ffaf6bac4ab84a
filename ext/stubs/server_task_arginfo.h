/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: bf0d64117720ba4126615cb362025704427732b0 */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_Server_Task_finish, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, data, IS_MIXED, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX(arginfo_class_Swoole_Server_Task_pack, 0, 1, MAY_BE_STRING|MAY_BE_FALSE)
	ZEND_ARG_TYPE_INFO(0, data, IS_MIXED, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_Server_Task_unpack, 0, 1, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, data, IS_STRING, 0)
ZEND_END_ARG_INFO()


ZEND_METHOD(Swoole_Server_Task, finish);
ZEND_METHOD(Swoole_Server_Task, pack);
ZEND_METHOD(Swoole_Server_Task, unpack);


static const zend_function_entry class_Swoole_Server_Task_methods[] = {
	ZEND_ME(Swoole_Server_Task, finish, arginfo_class_Swoole_Server_Task_finish, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Server_Task, pack, arginfo_class_Swoole_Server_Task_pack, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Swoole_Server_Task, unpack, arginfo_class_Swoole_Server_Task_unpack, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};


static const zend_function_entry class_Swoole_Server_TaskResult_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Swoole_Server_PipeMessage_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Swoole_Server_StatusInfo_methods[] = {
	ZEND_FE_END
};

static zend_class_entry *register_class_Swoole_Server_Task(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Swoole\\Server", "Task", class_Swoole_Server_Task_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	zval property_data_default_value;
	ZVAL_NULL(&property_data_default_value);
	zend_string *property_data_name = zend_string_init("data", sizeof("data") - 1, 1);
	zend_declare_property_ex(class_entry, property_data_name, &property_data_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_data_name);

	zval property_dispatch_time_default_value;
	ZVAL_LONG(&property_dispatch_time_default_value, 0);
	zend_string *property_dispatch_time_name = zend_string_init("dispatch_time", sizeof("dispatch_time") - 1, 1);
	zend_declare_property_ex(class_entry, property_dispatch_time_name, &property_dispatch_time_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_dispatch_time_name);

	zval property_id_default_value;
	ZVAL_LONG(&property_id_default_value, -1);
	zend_string *property_id_name = zend_string_init("id", sizeof("id") - 1, 1);
	zend_declare_property_ex(class_entry, property_id_name, &property_id_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_id_name);

	zval property_worker_id_default_value;
	ZVAL_LONG(&property_worker_id_default_value, -1);
	zend_string *property_worker_id_name = zend_string_init("worker_id", sizeof("worker_id") - 1, 1);
	zend_declare_property_ex(class_entry, property_worker_id_name, &property_worker_id_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_worker_id_name);

	zval property_flags_default_value;
	ZVAL_LONG(&property_flags_default_value, 0);
	zend_string *property_flags_name = zend_string_init("flags", sizeof("flags") - 1, 1);
	zend_declare_property_ex(class_entry, property_flags_name, &property_flags_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_flags_name);

	return class_entry;
}

static zend_class_entry *register_class_Swoole_Server_TaskResult(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Swoole\\Server", "TaskResult", class_Swoole_Server_TaskResult_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);

	zval property_task_id_default_value;
	ZVAL_LONG(&property_task_id_default_value, 0);
	zend_string *property_task_id_name = zend_string_init("task_id", sizeof("task_id") - 1, 1);
	zend_declare_property_ex(class_entry, property_task_id_name, &property_task_id_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_task_id_name);

	zval property_task_worker_id_default_value;
	ZVAL_LONG(&property_task_worker_id_default_value, 0);
	zend_string *property_task_worker_id_name = zend_string_init("task_worker_id", sizeof("task_worker_id") - 1, 1);
	zend_declare_property_ex(class_entry, property_task_worker_id_name, &property_task_worker_id_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_task_worker_id_name);

	zval property_dispatch_time_default_value;
	ZVAL_LONG(&property_dispatch_time_default_value, 0);
	zend_string *property_dispatch_time_name = zend_string_init("dispatch_time", sizeof("dispatch_time") - 1, 1);
	zend_declare_property_ex(class_entry, property_dispatch_time_name, &property_dispatch_time_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_dispatch_time_name);

	zval property_data_default_value;
	ZVAL_NULL(&property_data_default_value);
	zend_string *property_data_name = zend_string_init("data", sizeof("data") - 1, 1);
	zend_declare_property_ex(class_entry, property_data_name, &property_data_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_data_name);

	return class_entry;
}

static zend_class_entry *register_class_Swoole_Server_PipeMessage(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Swoole\\Server", "PipeMessage", class_Swoole_Server_PipeMessage_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);

	zval property_source_worker_id_default_value;
	ZVAL_LONG(&property_source_worker_id_default_value, 0);
	zend_string *property_source_worker_id_name = zend_string_init("source_worker_id", sizeof("source_worker_id") - 1, 1);
	zend_declare_property_ex(class_entry, property_source_worker_id_name, &property_source_worker_id_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_source_worker_id_name);

	zval property_worker_id_default_value;
	ZVAL_LONG(&property_worker_id_default_value, 0);
	zend_string *property_worker_id_name = zend_string_init("worker_id", sizeof("worker_id") - 1, 1);
	zend_declare_property_ex(class_entry, property_worker_id_name, &property_worker_id_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_worker_id_name);

	zval property_dispatch_time_default_value;
	ZVAL_LONG(&property_dispatch_time_default_value, 0);
	zend_string *property_dispatch_time_name = zend_string_init("dispatch_time", sizeof("dispatch_time") - 1, 1);
	zend_declare_property_ex(class_entry, property_dispatch_time_name, &property_dispatch_time_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_dispatch_time_name);

	zval property_data_default_value;
	ZVAL_NULL(&property_data_default_value);
	zend_string *property_data_name = zend_string_init("data", sizeof("data") - 1, 1);
	zend_declare_property_ex(class_entry, property_data_name, &property_data_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_data_name);

	return class_entry;
}

static zend_class_entry *register_class_Swoole_Server_StatusInfo(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Swoole\\Server", "StatusInfo", class_Swoole_Server_StatusInfo_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);

	zval property_worker_id_default_value;
	ZVAL_LONG(&property_worker_id_default_value, 0);
	zend_string *property_worker_id_name = zend_string_init("worker_id", sizeof("worker_id") - 1, 1);
	zend_declare_property_ex(class_entry, property_worker_id_name, &property_worker_id_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_worker_id_name);

	zval property_worker_pid_default_value;
	ZVAL_LONG(&property_worker_pid_default_value, 0);
	zend_string *property_worker_pid_name = zend_string_init("worker_pid", sizeof("worker_pid") - 1, 1);
	zend_declare_property_ex(class_entry, property_worker_pid_name, &property_worker_pid_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_worker_pid_name);

	zval property_status_default_value;
	ZVAL_LONG(&property_status_default_value, 0);
	zend_string *property_status_name = zend_string_init("status", sizeof("status") - 1, 1);
	zend_declare_property_ex(class_entry, property_status_name, &property_status_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_status_name);

	zval property_exit_code_default_value;
	ZVAL_LONG(&property_exit_code_default_value, 0);
	zend_string *property_exit_code_name = zend_string_init("exit_code", sizeof("exit_code") - 1, 1);
	zend_declare_property_ex(class_entry, property_exit_code_name, &property_exit_code_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_exit_code_name);

	zval property_signal_default_value;
	ZVAL_LONG(&property_signal_default_value, 0);
	zend_string *property_signal_name = zend_string_init("signal", sizeof("signal") - 1, 1);
	zend_declare_property_ex(class_entry, property_signal_name, &property_signal_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_signal_name);

	return class_entry;
}
