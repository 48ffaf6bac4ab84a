/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 26b79478a0aae7987db6353dfd2d8a51d3a60f8f */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Stampede_RequestLoop___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_RequestLoop_run, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, path, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, requests, IS_LONG, 0, "0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, memory, IS_LONG, 0, "0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_RequestLoop_sharePathChanges, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_RequestLoop_head, 0, 2, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, fields, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, body, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_RequestLoop_kill, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, pid, IS_LONG, 0)
ZEND_END_ARG_INFO()


ZEND_METHOD(Stampede_RequestLoop, __construct);
ZEND_METHOD(Stampede_RequestLoop, run);
ZEND_METHOD(Stampede_RequestLoop, sharePathChanges);
ZEND_METHOD(Stampede_RequestLoop, head);
ZEND_METHOD(Stampede_RequestLoop, kill);


static const zend_function_entry class_Stampede_RequestLoop_methods[] = {
	ZEND_ME(Stampede_RequestLoop, __construct, arginfo_class_Stampede_RequestLoop___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Stampede_RequestLoop, run, arginfo_class_Stampede_RequestLoop_run, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_RequestLoop, sharePathChanges, arginfo_class_Stampede_RequestLoop_sharePathChanges, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_RequestLoop, head, arginfo_class_Stampede_RequestLoop_head, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_RequestLoop, kill, arginfo_class_Stampede_RequestLoop_kill, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Stampede_RequestLoop(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Stampede", "RequestLoop", class_Stampede_RequestLoop_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	return class_entry;
}
