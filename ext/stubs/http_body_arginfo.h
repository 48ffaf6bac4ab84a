/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 2dd55c5a2e263492d0767877ac01d9cac0cd4eb3 */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Stampede_Http_Body___construct, 0, 0, 1)
	ZEND_ARG_OBJ_INFO(0, request, Swoole\\Http\\Request, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX(arginfo_class_Stampede_Http_Body_read, 0, 0, MAY_BE_STRING|MAY_BE_FALSE)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, length, IS_LONG, 0, "65536")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, timeout, IS_DOUBLE, 0, "-1")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_Http_Body_eof, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_Http_Body_rewind, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Stampede_Http_Body_valid arginfo_class_Stampede_Http_Body_eof

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_Http_Body_current, 0, 0, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_Http_Body_key, 0, 0, IS_LONG, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Stampede_Http_Body_next arginfo_class_Stampede_Http_Body_rewind


ZEND_METHOD(Stampede_Http_Body, __construct);
ZEND_METHOD(Stampede_Http_Body, read);
ZEND_METHOD(Stampede_Http_Body, eof);
ZEND_METHOD(Stampede_Http_Body, rewind);
ZEND_METHOD(Stampede_Http_Body, valid);
ZEND_METHOD(Stampede_Http_Body, current);
ZEND_METHOD(Stampede_Http_Body, key);
ZEND_METHOD(Stampede_Http_Body, next);


static const zend_function_entry class_Stampede_Http_Body_methods[] = {
	ZEND_ME(Stampede_Http_Body, __construct, arginfo_class_Stampede_Http_Body___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Stampede_Http_Body, read, arginfo_class_Stampede_Http_Body_read, ZEND_ACC_PUBLIC)
	ZEND_ME(Stampede_Http_Body, eof, arginfo_class_Stampede_Http_Body_eof, ZEND_ACC_PUBLIC)
	ZEND_ME(Stampede_Http_Body, rewind, arginfo_class_Stampede_Http_Body_rewind, ZEND_ACC_PUBLIC)
	ZEND_ME(Stampede_Http_Body, valid, arginfo_class_Stampede_Http_Body_valid, ZEND_ACC_PUBLIC)
	ZEND_ME(Stampede_Http_Body, current, arginfo_class_Stampede_Http_Body_current, ZEND_ACC_PUBLIC)
	ZEND_ME(Stampede_Http_Body, key, arginfo_class_Stampede_Http_Body_key, ZEND_ACC_PUBLIC)
	ZEND_ME(Stampede_Http_Body, next, arginfo_class_Stampede_Http_Body_next, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Stampede_Http_Body(zend_class_entry *class_entry_Iterator)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Stampede\\Http", "Body", class_Stampede_Http_Body_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL;
	zend_class_implements(class_entry, 1, class_entry_Iterator);

	return class_entry;
}
