/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 60add4207d2210a2a26a2b1ce9da14cf6c8fc20d */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Swoole_Server_Port___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Swoole_Server_Port___destruct arginfo_class_Swoole_Server_Port___construct

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_Server_Port_set, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, settings, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_Server_Port_on, 0, 2, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, event_name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, callback, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Swoole_Server_Port_getCallback, 0, 1, Closure, 1)
	ZEND_ARG_TYPE_INFO(0, event_name, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_TYPE_MASK_EX(arginfo_class_Swoole_Server_Port_getSocket, 0, 0, Socket, MAY_BE_FALSE)
ZEND_END_ARG_INFO()

#define arginfo_class_Swoole_Connection_Iterator___construct arginfo_class_Swoole_Server_Port___construct

#define arginfo_class_Swoole_Connection_Iterator___destruct arginfo_class_Swoole_Server_Port___construct

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_Connection_Iterator_rewind, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Swoole_Connection_Iterator_next arginfo_class_Swoole_Connection_Iterator_rewind

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_Connection_Iterator_current, 0, 0, IS_MIXED, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Swoole_Connection_Iterator_key arginfo_class_Swoole_Connection_Iterator_current

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_Connection_Iterator_valid, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_Connection_Iterator_count, 0, 0, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_Connection_Iterator_offsetExists, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, fd, IS_MIXED, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_Connection_Iterator_offsetGet, 0, 1, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, fd, IS_MIXED, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_Connection_Iterator_offsetSet, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, fd, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_Connection_Iterator_offsetUnset, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, fd, IS_MIXED, 0)
ZEND_END_ARG_INFO()


ZEND_METHOD(Swoole_Server_Port, __construct);
ZEND_METHOD(Swoole_Server_Port, __destruct);
ZEND_METHOD(Swoole_Server_Port, set);
ZEND_METHOD(Swoole_Server_Port, on);
ZEND_METHOD(Swoole_Server_Port, getCallback);
ZEND_METHOD(Swoole_Server_Port, getSocket);
ZEND_METHOD(Swoole_Connection_Iterator, __construct);
ZEND_METHOD(Swoole_Connection_Iterator, __destruct);
ZEND_METHOD(Swoole_Connection_Iterator, rewind);
ZEND_METHOD(Swoole_Connection_Iterator, next);
ZEND_METHOD(Swoole_Connection_Iterator, current);
ZEND_METHOD(Swoole_Connection_Iterator, key);
ZEND_METHOD(Swoole_Connection_Iterator, valid);
ZEND_METHOD(Swoole_Connection_Iterator, count);
ZEND_METHOD(Swoole_Connection_Iterator, offsetExists);
ZEND_METHOD(Swoole_Connection_Iterator, offsetGet);
ZEND_METHOD(Swoole_Connection_Iterator, offsetSet);
ZEND_METHOD(Swoole_Connection_Iterator, offsetUnset);


static const zend_function_entry class_Swoole_Server_Port_methods[] = {
	ZEND_ME(Swoole_Server_Port, __construct, arginfo_class_Swoole_Server_Port___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Swoole_Server_Port, __destruct, arginfo_class_Swoole_Server_Port___destruct, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Server_Port, set, arginfo_class_Swoole_Server_Port_set, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Server_Port, on, arginfo_class_Swoole_Server_Port_on, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Server_Port, getCallback, arginfo_class_Swoole_Server_Port_getCallback, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Server_Port, getSocket, arginfo_class_Swoole_Server_Port_getSocket, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Swoole_Connection_Iterator_methods[] = {
	ZEND_ME(Swoole_Connection_Iterator, __construct, arginfo_class_Swoole_Connection_Iterator___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Connection_Iterator, __destruct, arginfo_class_Swoole_Connection_Iterator___destruct, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Connection_Iterator, rewind, arginfo_class_Swoole_Connection_Iterator_rewind, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Connection_Iterator, next, arginfo_class_Swoole_Connection_Iterator_next, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Connection_Iterator, current, arginfo_class_Swoole_Connection_Iterator_current, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Connection_Iterator, key, arginfo_class_Swoole_Connection_Iterator_key, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Connection_Iterator, valid, arginfo_class_Swoole_Connection_Iterator_valid, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Connection_Iterator, count, arginfo_class_Swoole_Connection_Iterator_count, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Connection_Iterator, offsetExists, arginfo_class_Swoole_Connection_Iterator_offsetExists, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Connection_Iterator, offsetGet, arginfo_class_Swoole_Connection_Iterator_offsetGet, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Connection_Iterator, offsetSet, arginfo_class_Swoole_Connection_Iterator_offsetSet, ZEND_ACC_PUBLIC)
	ZEND_ME(Swoole_Connection_Iterator, offsetUnset, arginfo_class_Swoole_Connection_Iterator_offsetUnset, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Swoole_Server_Port(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Swoole\\Server", "Port", class_Swoole_Server_Port_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);

	zval property_host_default_value;
	ZVAL_NULL(&property_host_default_value);
	zend_string *property_host_name = zend_string_init("host", sizeof("host") - 1, 1);
	zend_declare_property_ex(class_entry, property_host_name, &property_host_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_host_name);

	zval property_port_default_value;
	ZVAL_LONG(&property_port_default_value, 0);
	zend_string *property_port_name = zend_string_init("port", sizeof("port") - 1, 1);
	zend_declare_property_ex(class_entry, property_port_name, &property_port_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_port_name);

	zval property_type_default_value;
	ZVAL_LONG(&property_type_default_value, 0);
	zend_string *property_type_name = zend_string_init("type", sizeof("type") - 1, 1);
	zend_declare_property_ex(class_entry, property_type_name, &property_type_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_type_name);

	zval property_sock_default_value;
	ZVAL_LONG(&property_sock_default_value, -1);
	zend_string *property_sock_name = zend_string_init("sock", sizeof("sock") - 1, 1);
	zend_declare_property_ex(class_entry, property_sock_name, &property_sock_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_sock_name);

	zval property_ssl_default_value;
	ZVAL_FALSE(&property_ssl_default_value);
	zend_string *property_ssl_name = zend_string_init("ssl", sizeof("ssl") - 1, 1);
	zend_declare_property_ex(class_entry, property_ssl_name, &property_ssl_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_ssl_name);

	zval property_setting_default_value;
	ZVAL_NULL(&property_setting_default_value);
	zend_string *property_setting_name = zend_string_init("setting", sizeof("setting") - 1, 1);
	zend_declare_property_ex(class_entry, property_setting_name, &property_setting_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_setting_name);

	zval property_connections_default_value;
	ZVAL_NULL(&property_connections_default_value);
	zend_string *property_connections_name = zend_string_init("connections", sizeof("connections") - 1, 1);
	zend_declare_property_ex(class_entry, property_connections_name, &property_connections_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_connections_name);

	return class_entry;
}

static zend_class_entry *register_class_Swoole_Connection_Iterator(zend_class_entry *class_entry_Iterator, zend_class_entry *class_entry_ArrayAccess, zend_class_entry *class_entry_Countable)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Swoole\\Connection", "Iterator", class_Swoole_Connection_Iterator_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	zend_class_implements(class_entry, 3, class_entry_Iterator, class_entry_ArrayAccess, class_entry_Countable);

	return class_entry;
}
