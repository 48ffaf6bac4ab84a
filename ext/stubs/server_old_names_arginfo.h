/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 300859f23311bef8ddefe0869af22c24a99b72d1 */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_swoole_server___construct, 0, 0, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, host, IS_STRING, 0, "\'0.0.0.0\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, port, IS_LONG, 0, "0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, mode, IS_LONG, 0, "SWOOLE_PROCESS")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, sock_type, IS_LONG, 0, "SWOOLE_SOCK_TCP")
ZEND_END_ARG_INFO()

#define arginfo_class_swoole_http_server___construct arginfo_class_swoole_server___construct


ZEND_METHOD(swoole_server, __construct);


static const zend_function_entry class_swoole_server_methods[] = {
	ZEND_ME(swoole_server, __construct, arginfo_class_swoole_server___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_swoole_http_server_methods[] = {
	ZEND_MALIAS(swoole_server, __construct, __construct, arginfo_class_swoole_http_server___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_swoole_server(zend_class_entry *class_entry_Swoole_Server)
{
	zend_class_entry ce, *class_entry;

	INIT_CLASS_ENTRY(ce, "swoole_server", class_swoole_server_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Swoole_Server);

	return class_entry;
}

static zend_class_entry *register_class_swoole_http_server(zend_class_entry *class_entry_Swoole_Http_Server)
{
	zend_class_entry ce, *class_entry;

	INIT_CLASS_ENTRY(ce, "swoole_http_server", class_swoole_http_server_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Swoole_Http_Server);

	return class_entry;
}
