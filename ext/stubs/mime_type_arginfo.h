/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: a5f47b6c9d4e20e1b99c53722ac0bf8e80980f41 */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_mime_type_add, 0, 2, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, suffix, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, mime_type, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_mime_type_set, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, suffix, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, mime_type, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_mime_type_delete, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, suffix, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_mime_type_get, 0, 1, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, filename, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_swoole_get_mime_type arginfo_swoole_mime_type_get

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_mime_type_exists, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, filename, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_mime_type_list, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(swoole_mime_type_add);
ZEND_FUNCTION(swoole_mime_type_set);
ZEND_FUNCTION(swoole_mime_type_delete);
ZEND_FUNCTION(swoole_mime_type_get);
ZEND_FUNCTION(swoole_mime_type_exists);
ZEND_FUNCTION(swoole_mime_type_list);


static const zend_function_entry ext_functions[] = {
	ZEND_FE(swoole_mime_type_add, arginfo_swoole_mime_type_add)
	ZEND_FE(swoole_mime_type_set, arginfo_swoole_mime_type_set)
	ZEND_FE(swoole_mime_type_delete, arginfo_swoole_mime_type_delete)
	ZEND_FE(swoole_mime_type_get, arginfo_swoole_mime_type_get)
	ZEND_FALIAS(swoole_get_mime_type, swoole_mime_type_get, arginfo_swoole_get_mime_type)
	ZEND_FE(swoole_mime_type_exists, arginfo_swoole_mime_type_exists)
	ZEND_FE(swoole_mime_type_list, arginfo_swoole_mime_type_list)
	ZEND_FE_END
};
