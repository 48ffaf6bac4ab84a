/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: b3b14225b9558d3bcdebccc38dc0d2f4be37143c */

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_swoole_string, 0, 0, Swoole\\StringObject, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, string, IS_STRING, 0, "\'\'")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_swoole_mbstring, 0, 0, Swoole\\MultibyteStringObject, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, string, IS_STRING, 0, "\'\'")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_swoole_array, 0, 0, Swoole\\ArrayObject, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, array, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_swoole_array_list, 0, 0, Swoole\\ArrayObject, 0)
	ZEND_ARG_VARIADIC_TYPE_INFO(0, arrray, IS_MIXED, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_swoole_table, 0, 2, Swoole\\Table, 0)
	ZEND_ARG_TYPE_INFO(0, size, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, fields, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_swoole_curl_init, 0, 0, Swoole\\Curl\\Handler, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, url, IS_STRING, 0, "\'\'")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_curl_setopt, 0, 3, _IS_BOOL, 0)
	ZEND_ARG_OBJ_INFO(0, obj, Swoole\\Curl\\Handler, 0)
	ZEND_ARG_TYPE_INFO(0, opt, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_curl_setopt_array, 0, 2, _IS_BOOL, 0)
	ZEND_ARG_OBJ_INFO(0, obj, Swoole\\Curl\\Handler, 0)
	ZEND_ARG_TYPE_INFO(0, array, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX(arginfo_swoole_curl_exec, 0, 1, MAY_BE_STRING|MAY_BE_BOOL)
	ZEND_ARG_OBJ_INFO(0, obj, Swoole\\Curl\\Handler, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_curl_getinfo, 0, 1, IS_MIXED, 0)
	ZEND_ARG_OBJ_INFO(0, obj, Swoole\\Curl\\Handler, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, opt, IS_LONG, 0, "0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_curl_errno, 0, 1, IS_LONG, 0)
	ZEND_ARG_OBJ_INFO(0, obj, Swoole\\Curl\\Handler, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_curl_error, 0, 1, IS_STRING, 0)
	ZEND_ARG_OBJ_INFO(0, obj, Swoole\\Curl\\Handler, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_curl_reset, 0, 1, IS_VOID, 0)
	ZEND_ARG_OBJ_INFO(0, obj, Swoole\\Curl\\Handler, 0)
ZEND_END_ARG_INFO()

#define arginfo_swoole_curl_close arginfo_swoole_curl_reset

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_curl_multi_getcontent, 0, 1, IS_STRING, 1)
	ZEND_ARG_OBJ_INFO(0, obj, Swoole\\Curl\\Handler, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(swoole_string);
ZEND_FUNCTION(swoole_mbstring);
ZEND_FUNCTION(swoole_array);
ZEND_FUNCTION(swoole_array_list);
ZEND_FUNCTION(swoole_table);
ZEND_FUNCTION(swoole_curl_init);
ZEND_FUNCTION(swoole_curl_setopt);
ZEND_FUNCTION(swoole_curl_setopt_array);
ZEND_FUNCTION(swoole_curl_exec);
ZEND_FUNCTION(swoole_curl_getinfo);
ZEND_FUNCTION(swoole_curl_errno);
ZEND_FUNCTION(swoole_curl_error);
ZEND_FUNCTION(swoole_curl_reset);
ZEND_FUNCTION(swoole_curl_close);
ZEND_FUNCTION(swoole_curl_multi_getcontent);


static const zend_function_entry ext_functions[] = {
	ZEND_FE(swoole_string, arginfo_swoole_string)
	ZEND_FE(swoole_mbstring, arginfo_swoole_mbstring)
	ZEND_FE(swoole_array, arginfo_swoole_array)
	ZEND_FE(swoole_array_list, arginfo_swoole_array_list)
	ZEND_FE(swoole_table, arginfo_swoole_table)
	ZEND_FE(swoole_curl_init, arginfo_swoole_curl_init)
	ZEND_FE(swoole_curl_setopt, arginfo_swoole_curl_setopt)
	ZEND_FE(swoole_curl_setopt_array, arginfo_swoole_curl_setopt_array)
	ZEND_FE(swoole_curl_exec, arginfo_swoole_curl_exec)
	ZEND_FE(swoole_curl_getinfo, arginfo_swoole_curl_getinfo)
	ZEND_FE(swoole_curl_errno, arginfo_swoole_curl_errno)
	ZEND_FE(swoole_curl_error, arginfo_swoole_curl_error)
	ZEND_FE(swoole_curl_reset, arginfo_swoole_curl_reset)
	ZEND_FE(swoole_curl_close, arginfo_swoole_curl_close)
	ZEND_FE(swoole_curl_multi_getcontent, arginfo_swoole_curl_multi_getcontent)
	ZEND_FE_END
};
