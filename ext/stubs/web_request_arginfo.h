/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 1c91eef7fde65d1f42b6769d659d4be0dcd69361 */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Stampede_WebRequest___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_WebRequest_begin, 0, 6, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, server, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, get, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, post, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, cookies, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, files, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, body, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, output, IS_CALLABLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_WebRequest_run, 0, 1, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, file, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, trusted, IS_DOUBLE, 0, "0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_WebRequest_call, 0, 1, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, function, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_WebRequest_hold, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_WebRequest_release, 0, 0, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Stampede_WebRequest_statusLine arginfo_class_Stampede_WebRequest_release

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_WebRequest_noteFatalError, 0, 3, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, message, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, file, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, line, IS_LONG, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Stampede_WebRequest_end arginfo_class_Stampede_WebRequest_hold

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_WebRequest_isolateStatics, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, properties, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_WebRequest_keepSettingsOf, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, classes, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Stampede_WebRequest_endProcessToo arginfo_class_Stampede_WebRequest_hold


ZEND_METHOD(Stampede_WebRequest, __construct);
ZEND_METHOD(Stampede_WebRequest, begin);
ZEND_METHOD(Stampede_WebRequest, run);
ZEND_METHOD(Stampede_WebRequest, call);
ZEND_METHOD(Stampede_WebRequest, hold);
ZEND_METHOD(Stampede_WebRequest, release);
ZEND_METHOD(Stampede_WebRequest, statusLine);
ZEND_METHOD(Stampede_WebRequest, noteFatalError);
ZEND_METHOD(Stampede_WebRequest, end);
ZEND_METHOD(Stampede_WebRequest, isolateStatics);
ZEND_METHOD(Stampede_WebRequest, keepSettingsOf);
ZEND_METHOD(Stampede_WebRequest, endProcessToo);


static const zend_function_entry class_Stampede_WebRequest_methods[] = {
	ZEND_ME(Stampede_WebRequest, __construct, arginfo_class_Stampede_WebRequest___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Stampede_WebRequest, begin, arginfo_class_Stampede_WebRequest_begin, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_WebRequest, run, arginfo_class_Stampede_WebRequest_run, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_WebRequest, call, arginfo_class_Stampede_WebRequest_call, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_WebRequest, hold, arginfo_class_Stampede_WebRequest_hold, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_WebRequest, release, arginfo_class_Stampede_WebRequest_release, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_WebRequest, statusLine, arginfo_class_Stampede_WebRequest_statusLine, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_WebRequest, noteFatalError, arginfo_class_Stampede_WebRequest_noteFatalError, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_WebRequest, end, arginfo_class_Stampede_WebRequest_end, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_WebRequest, isolateStatics, arginfo_class_Stampede_WebRequest_isolateStatics, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_WebRequest, keepSettingsOf, arginfo_class_Stampede_WebRequest_keepSettingsOf, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_WebRequest, endProcessToo, arginfo_class_Stampede_WebRequest_endProcessToo, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Stampede_WebRequest(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Stampede", "WebRequest", class_Stampede_WebRequest_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	return class_entry;
}
