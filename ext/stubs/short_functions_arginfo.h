/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 28edad83ad4694594f7d59b1ec8926ead1a888b8 */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX(arginfo_go, 0, 1, MAY_BE_LONG|MAY_BE_FALSE)
	ZEND_ARG_TYPE_INFO(0, func, IS_CALLABLE, 0)
	ZEND_ARG_VARIADIC_TYPE_INFO(0, params, IS_MIXED, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_defer, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, callback, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Co_run, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, fn, IS_CALLABLE, 0)
	ZEND_ARG_VARIADIC_TYPE_INFO(0, args, IS_MIXED, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX(arginfo_Co_go, 0, 1, MAY_BE_LONG|MAY_BE_FALSE)
	ZEND_ARG_TYPE_INFO(0, fn, IS_CALLABLE, 0)
	ZEND_ARG_VARIADIC_TYPE_INFO(0, args, IS_MIXED, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Co_defer, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, fn, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(swoole_coroutine_create);
ZEND_FUNCTION(swoole_coroutine_defer);
ZEND_FUNCTION(stampede_coroutine_run);


static const zend_function_entry ext_functions[] = {
	ZEND_FALIAS(go, swoole_coroutine_create, arginfo_go)
	ZEND_FALIAS(defer, swoole_coroutine_defer, arginfo_defer)
	ZEND_NS_FALIAS("Co", run, stampede_coroutine_run, arginfo_Co_run)
	ZEND_NS_FALIAS("Co", go, swoole_coroutine_create, arginfo_Co_go)
	ZEND_NS_FALIAS("Co", defer, swoole_coroutine_defer, arginfo_Co_defer)
	ZEND_FE_END
};
