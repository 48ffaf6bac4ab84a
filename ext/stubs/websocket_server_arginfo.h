/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 4e7a505be3a106831fc8ca65b11f3a2c25fa58e8 */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_WebSocket_Server_push, 0, 2, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, fd, IS_LONG, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, data, Swoole\\WebSocket\\Frame, MAY_BE_STRING, NULL)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, opcode, IS_LONG, 0, "WEBSOCKET_OPCODE_TEXT")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, flags, IS_LONG, 0, "SWOOLE_WEBSOCKET_FLAG_FIN")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_WebSocket_Server_disconnect, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, fd, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, code, IS_LONG, 0, "SWOOLE_WEBSOCKET_CLOSE_NORMAL")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, reason, IS_STRING, 0, "\'\'")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_WebSocket_Server_ping, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, fd, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, data, IS_STRING, 0, "\'\'")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_WebSocket_Server_isEstablished, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, fd, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_WebSocket_Server_pack, 0, 1, IS_STRING, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, data, Swoole\\WebSocket\\Frame, MAY_BE_STRING, NULL)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, opcode, IS_LONG, 0, "WEBSOCKET_OPCODE_TEXT")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, flags, IS_LONG, 0, "SWOOLE_WEBSOCKET_FLAG_FIN")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Swoole_WebSocket_Server_unpack, 0, 1, Swoole\\WebSocket\\Frame, 0)
	ZEND_ARG_TYPE_INFO(0, data, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_swoole_websocket_server___construct, 0, 0, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, host, IS_STRING, 0, "\'0.0.0.0\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, port, IS_LONG, 0, "0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, mode, IS_LONG, 0, "SWOOLE_PROCESS")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, sock_type, IS_LONG, 0, "SWOOLE_SOCK_TCP")
ZEND_END_ARG_INFO()


ZEND_METHOD(Swoole_WebSocket_Server, push);
ZEND_METHOD(Swoole_WebSocket_Server, disconnect);
ZEND_METHOD(Swoole_WebSocket_Server, ping);
ZEND_METHOD(Swoole_WebSocket_Server, isEstablished);
ZEND_METHOD(Swoole_WebSocket_Frame, pack);
ZEND_METHOD(Swoole_WebSocket_Frame, unpack);
ZEND_METHOD(swoole_server, __construct);


static const zend_function_entry class_Swoole_WebSocket_Server_methods[] = {
	ZEND_ME(Swoole_WebSocket_Server, push, arginfo_class_Swoole_WebSocket_Server_push, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_WebSocket_Server, disconnect, arginfo_class_Swoole_WebSocket_Server_disconnect, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_WebSocket_Server, ping, arginfo_class_Swoole_WebSocket_Server_ping, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_WebSocket_Server, isEstablished, arginfo_class_Swoole_WebSocket_Server_isEstablished, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(Swoole_WebSocket_Frame, pack, pack, arginfo_class_Swoole_WebSocket_Server_pack, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_MALIAS(Swoole_WebSocket_Frame, unpack, unpack, arginfo_class_Swoole_WebSocket_Server_unpack, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};


static const zend_function_entry class_swoole_websocket_server_methods[] = {
	ZEND_MALIAS(swoole_server, __construct, __construct, arginfo_class_swoole_websocket_server___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Swoole_WebSocket_Server(zend_class_entry *class_entry_Swoole_Http_Server)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Swoole\\WebSocket", "Server", class_Swoole_WebSocket_Server_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Swoole_Http_Server);

	return class_entry;
}

static zend_class_entry *register_class_swoole_websocket_server(zend_class_entry *class_entry_Swoole_WebSocket_Server)
{
	zend_class_entry ce, *class_entry;

	INIT_CLASS_ENTRY(ce, "swoole_websocket_server", class_swoole_websocket_server_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Swoole_WebSocket_Server);

	return class_entry;
}
