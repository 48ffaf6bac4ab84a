/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 3b38abeb0e539256df8d93bb75bf7b87427004ea */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_version, 0, 0, IS_STRING, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(swoole_version);


static const zend_function_entry ext_functions[] = {
	ZEND_FE(swoole_version, arginfo_swoole_version)
	ZEND_FE_END
};
