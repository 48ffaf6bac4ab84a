/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 859f71362b35970652dad308f209aabcd6d0c5f9 */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_Database_MysqliLink_descriptor, 0, 1, IS_LONG, 0)
	ZEND_ARG_OBJ_INFO(0, link, mysqli, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_Database_MysqliLink_isInside, 0, 1, _IS_BOOL, 1)
	ZEND_ARG_OBJ_INFO(0, link, mysqli, 0)
ZEND_END_ARG_INFO()


ZEND_METHOD(Stampede_Database_MysqliLink, descriptor);
ZEND_METHOD(Stampede_Database_MysqliLink, isInside);


static const zend_function_entry class_Stampede_Database_MysqliLink_methods[] = {
	ZEND_ME(Stampede_Database_MysqliLink, descriptor, arginfo_class_Stampede_Database_MysqliLink_descriptor, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_Database_MysqliLink, isInside, arginfo_class_Stampede_Database_MysqliLink_isInside, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Stampede_Database_MysqliLink(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Stampede\\Database", "MysqliLink", class_Stampede_Database_MysqliLink_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	return class_entry;
}
