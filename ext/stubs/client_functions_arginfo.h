/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 2885f03344eaba9709d8cfe1c9e4a5786aba992e */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX(arginfo_swoole_client_select, 0, 3, MAY_BE_LONG|MAY_BE_FALSE)
	ZEND_ARG_TYPE_INFO(1, read, IS_ARRAY, 1)
	ZEND_ARG_TYPE_INFO(1, write, IS_ARRAY, 1)
	ZEND_ARG_TYPE_INFO(1, except, IS_ARRAY, 1)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, timeout, IS_DOUBLE, 1, "0.5")
ZEND_END_ARG_INFO()

#define arginfo_swoole_select arginfo_swoole_client_select

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX(arginfo_swoole_coroutine_socketpair, 0, 3, MAY_BE_ARRAY|MAY_BE_FALSE)
	ZEND_ARG_TYPE_INFO(0, domain, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, type, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, protocol, IS_LONG, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(swoole_client_select);
ZEND_FUNCTION(swoole_coroutine_socketpair);


static const zend_function_entry ext_functions[] = {
	ZEND_FE(swoole_client_select, arginfo_swoole_client_select)
	ZEND_FALIAS(swoole_select, swoole_client_select, arginfo_swoole_select)
	ZEND_FE(swoole_coroutine_socketpair, arginfo_swoole_coroutine_socketpair)
	ZEND_FE_END
};
