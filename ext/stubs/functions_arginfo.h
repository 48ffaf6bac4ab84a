/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 152e62eef50599a81a577eb403924c8ff7f4f0db */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_version, 0, 0, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_cpu_num, 0, 0, IS_LONG, 0)
ZEND_END_ARG_INFO()

#define arginfo_swoole_container_cpu_num arginfo_swoole_cpu_num

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_is_in_container, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_get_local_ip, 0, 0, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, family, IS_LONG, 0, "2")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_get_local_mac, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_set_process_name, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, process_name, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_strerror, 0, 1, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, errno, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, error_type, IS_LONG, 0, "SWOOLE_STRERROR_SYSTEM")
ZEND_END_ARG_INFO()

#define arginfo_swoole_errno arginfo_swoole_cpu_num

#define arginfo_swoole_last_error arginfo_swoole_cpu_num

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_clear_error, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_error_log, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, level, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, msg, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_error_log_ex, 0, 3, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, level, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, error, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, msg, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_ignore_error, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, error, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX(arginfo_swoole_hashcode, 0, 1, MAY_BE_LONG|MAY_BE_FALSE)
	ZEND_ARG_TYPE_INFO(0, data, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, type, IS_LONG, 0, "0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_async_set, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, settings, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_substr_unserialize, 0, 2, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, str, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, offset, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, length, IS_LONG, 0, "0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, options, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_substr_json_decode, 0, 2, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, str, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, offset, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, length, IS_LONG, 0, "0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, associative, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, depth, IS_LONG, 0, "512")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, flags, IS_LONG, 0, "0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_array_default_value, 0, 2, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, array, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, default_value, IS_MIXED, 0, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_library_set_options, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, options, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

#define arginfo_swoole_library_get_options arginfo_swoole_get_local_mac

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_library_set_option, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_library_get_option, 0, 1, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX(arginfo_swoole_get_objects, 0, 0, MAY_BE_ARRAY|MAY_BE_FALSE)
ZEND_END_ARG_INFO()

#define arginfo_swoole_get_vm_status arginfo_swoole_get_local_mac

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX(arginfo_swoole_get_object_by_handle, 0, 1, MAY_BE_OBJECT|MAY_BE_FALSE)
	ZEND_ARG_TYPE_INFO(0, handle, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_implicit_fn, 0, 1, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, fn, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, args, IS_MIXED, 0, "null")
ZEND_END_ARG_INFO()

#define arginfo_swoole_internal_call_user_shutdown_begin arginfo_swoole_is_in_container


ZEND_FUNCTION(swoole_version);
ZEND_FUNCTION(swoole_cpu_num);
ZEND_FUNCTION(swoole_container_cpu_num);
ZEND_FUNCTION(swoole_is_in_container);
ZEND_FUNCTION(swoole_get_local_ip);
ZEND_FUNCTION(swoole_get_local_mac);
ZEND_FUNCTION(swoole_set_process_name);
ZEND_FUNCTION(swoole_strerror);
ZEND_FUNCTION(swoole_errno);
ZEND_FUNCTION(swoole_last_error);
ZEND_FUNCTION(swoole_clear_error);
ZEND_FUNCTION(swoole_error_log);
ZEND_FUNCTION(swoole_error_log_ex);
ZEND_FUNCTION(swoole_ignore_error);
ZEND_FUNCTION(swoole_hashcode);
ZEND_FUNCTION(swoole_async_set);
ZEND_FUNCTION(swoole_substr_unserialize);
ZEND_FUNCTION(swoole_substr_json_decode);
ZEND_FUNCTION(swoole_array_default_value);
ZEND_FUNCTION(swoole_library_set_options);
ZEND_FUNCTION(swoole_library_get_options);
ZEND_FUNCTION(swoole_library_set_option);
ZEND_FUNCTION(swoole_library_get_option);
ZEND_FUNCTION(swoole_get_objects);
ZEND_FUNCTION(swoole_get_vm_status);
ZEND_FUNCTION(swoole_get_object_by_handle);
ZEND_FUNCTION(swoole_implicit_fn);
ZEND_FUNCTION(swoole_internal_call_user_shutdown_begin);


static const zend_function_entry ext_functions[] = {
	ZEND_FE(swoole_version, arginfo_swoole_version)
	ZEND_FE(swoole_cpu_num, arginfo_swoole_cpu_num)
	ZEND_FE(swoole_container_cpu_num, arginfo_swoole_container_cpu_num)
	ZEND_FE(swoole_is_in_container, arginfo_swoole_is_in_container)
	ZEND_FE(swoole_get_local_ip, arginfo_swoole_get_local_ip)
	ZEND_FE(swoole_get_local_mac, arginfo_swoole_get_local_mac)
	ZEND_FE(swoole_set_process_name, arginfo_swoole_set_process_name)
	ZEND_FE(swoole_strerror, arginfo_swoole_strerror)
	ZEND_FE(swoole_errno, arginfo_swoole_errno)
	ZEND_FE(swoole_last_error, arginfo_swoole_last_error)
	ZEND_FE(swoole_clear_error, arginfo_swoole_clear_error)
	ZEND_FE(swoole_error_log, arginfo_swoole_error_log)
	ZEND_FE(swoole_error_log_ex, arginfo_swoole_error_log_ex)
	ZEND_FE(swoole_ignore_error, arginfo_swoole_ignore_error)
	ZEND_FE(swoole_hashcode, arginfo_swoole_hashcode)
	ZEND_FE(swoole_async_set, arginfo_swoole_async_set)
	ZEND_FE(swoole_substr_unserialize, arginfo_swoole_substr_unserialize)
	ZEND_FE(swoole_substr_json_decode, arginfo_swoole_substr_json_decode)
	ZEND_FE(swoole_array_default_value, arginfo_swoole_array_default_value)
	ZEND_FE(swoole_library_set_options, arginfo_swoole_library_set_options)
	ZEND_FE(swoole_library_get_options, arginfo_swoole_library_get_options)
	ZEND_FE(swoole_library_set_option, arginfo_swoole_library_set_option)
	ZEND_FE(swoole_library_get_option, arginfo_swoole_library_get_option)
	ZEND_FE(swoole_get_objects, arginfo_swoole_get_objects)
	ZEND_FE(swoole_get_vm_status, arginfo_swoole_get_vm_status)
	ZEND_FE(swoole_get_object_by_handle, arginfo_swoole_get_object_by_handle)
	ZEND_FE(swoole_implicit_fn, arginfo_swoole_implicit_fn)
	ZEND_FE(swoole_internal_call_user_shutdown_begin, arginfo_swoole_internal_call_user_shutdown_begin)
	ZEND_FE_END
};
