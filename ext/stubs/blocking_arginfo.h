/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 8d9aeac512d1506526c83e5c86da4d4cf9d83993 */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_Blocking_wait, 0, 1, IS_MIXED, 0)
	ZEND_ARG_OBJ_INFO(0, work, Closure, 0)
ZEND_END_ARG_INFO()


ZEND_METHOD(Stampede_Blocking, wait);


static const zend_function_entry class_Stampede_Blocking_methods[] = {
	ZEND_ME(Stampede_Blocking, wait, arginfo_class_Stampede_Blocking_wait, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Stampede_Blocking(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Stampede", "Blocking", class_Stampede_Blocking_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	return class_entry;
}
