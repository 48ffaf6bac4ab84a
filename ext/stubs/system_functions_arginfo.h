/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: cfa9494f332a6302b71f0a5da059780adbf83870 */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX(arginfo_swoole_async_dns_lookup_coro, 0, 1, MAY_BE_STRING|MAY_BE_FALSE)
	ZEND_ARG_TYPE_INFO(0, domain_name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, timeout, IS_DOUBLE, 0, "60")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, type, IS_LONG, 0, "AF_INET")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_clear_dns_cache, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(swoole_async_dns_lookup_coro);
ZEND_FUNCTION(swoole_clear_dns_cache);


static const zend_function_entry ext_functions[] = {
	ZEND_FE(swoole_async_dns_lookup_coro, arginfo_swoole_async_dns_lookup_coro)
	ZEND_FE(swoole_clear_dns_cache, arginfo_swoole_clear_dns_cache)
	ZEND_FE_END
};
