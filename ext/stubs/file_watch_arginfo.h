/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 75bbcae7648336c77a0f17845bdf56fb0feb037a */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Stampede_FileWatch___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX(arginfo_class_Stampede_FileWatch_add, 0, 1, MAY_BE_LONG|MAY_BE_FALSE)
	ZEND_ARG_TYPE_INFO(0, folder, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_FileWatch_remove, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, watch, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_FileWatch_read, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_FileWatch_tells, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, folder, IS_STRING, 0)
ZEND_END_ARG_INFO()


ZEND_METHOD(Stampede_FileWatch, __construct);
ZEND_METHOD(Stampede_FileWatch, add);
ZEND_METHOD(Stampede_FileWatch, remove);
ZEND_METHOD(Stampede_FileWatch, read);
ZEND_METHOD(Stampede_FileWatch, tells);


static const zend_function_entry class_Stampede_FileWatch_methods[] = {
	ZEND_ME(Stampede_FileWatch, __construct, arginfo_class_Stampede_FileWatch___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Stampede_FileWatch, add, arginfo_class_Stampede_FileWatch_add, ZEND_ACC_PUBLIC)
	ZEND_ME(Stampede_FileWatch, remove, arginfo_class_Stampede_FileWatch_remove, ZEND_ACC_PUBLIC)
	ZEND_ME(Stampede_FileWatch, read, arginfo_class_Stampede_FileWatch_read, ZEND_ACC_PUBLIC)
	ZEND_ME(Stampede_FileWatch, tells, arginfo_class_Stampede_FileWatch_tells, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Stampede_FileWatch(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Stampede", "FileWatch", class_Stampede_FileWatch_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	zval const_WRITTEN_value;
	ZVAL_LONG(&const_WRITTEN_value, 1);
	zend_string *const_WRITTEN_name = zend_string_init_interned("WRITTEN", sizeof("WRITTEN") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_WRITTEN_name, &const_WRITTEN_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_WRITTEN_name);

	zval const_CREATED_value;
	ZVAL_LONG(&const_CREATED_value, 2);
	zend_string *const_CREATED_name = zend_string_init_interned("CREATED", sizeof("CREATED") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_CREATED_name, &const_CREATED_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_CREATED_name);

	zval const_REMOVED_value;
	ZVAL_LONG(&const_REMOVED_value, 4);
	zend_string *const_REMOVED_name = zend_string_init_interned("REMOVED", sizeof("REMOVED") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_REMOVED_name, &const_REMOVED_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_REMOVED_name);

	zval const_FOLDER_value;
	ZVAL_LONG(&const_FOLDER_value, 8);
	zend_string *const_FOLDER_name = zend_string_init_interned("FOLDER", sizeof("FOLDER") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_FOLDER_name, &const_FOLDER_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_FOLDER_name);

	zval const_GONE_value;
	ZVAL_LONG(&const_GONE_value, 16);
	zend_string *const_GONE_name = zend_string_init_interned("GONE", sizeof("GONE") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_GONE_name, &const_GONE_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_GONE_name);

	zval const_LOST_value;
	ZVAL_LONG(&const_LOST_value, 32);
	zend_string *const_LOST_name = zend_string_init_interned("LOST", sizeof("LOST") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_LOST_name, &const_LOST_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_LOST_name);

	zval property_fd_default_value;
	ZVAL_LONG(&property_fd_default_value, -1);
	zend_string *property_fd_name = zend_string_init("fd", sizeof("fd") - 1, 1);
	zend_declare_property_ex(class_entry, property_fd_name, &property_fd_default_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(property_fd_name);

	return class_entry;
}
