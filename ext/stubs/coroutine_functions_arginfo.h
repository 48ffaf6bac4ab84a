/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: db96524150480953ab1023a26d4885cdcbf24fae */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX(arginfo_swoole_coroutine_create, 0, 1, MAY_BE_LONG|MAY_BE_FALSE)
	ZEND_ARG_TYPE_INFO(0, func, IS_CALLABLE, 0)
	ZEND_ARG_VARIADIC_TYPE_INFO(0, params, IS_MIXED, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_coroutine_defer, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, callback, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Swoole_Coroutine_run, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, fn, IS_CALLABLE, 0)
	ZEND_ARG_VARIADIC_TYPE_INFO(0, args, IS_MIXED, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX(arginfo_Swoole_Coroutine_go, 0, 1, MAY_BE_LONG|MAY_BE_FALSE)
	ZEND_ARG_TYPE_INFO(0, fn, IS_CALLABLE, 0)
	ZEND_ARG_VARIADIC_TYPE_INFO(0, args, IS_MIXED, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Swoole_Coroutine_defer, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, fn, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Swoole_Coroutine_batch, 0, 1, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, tasks, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, timeout, IS_DOUBLE, 0, "-1")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Swoole_Coroutine_parallel, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, n, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, fn, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Swoole_Coroutine_map, 0, 2, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, list, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, fn, IS_CALLABLE, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, timeout, IS_DOUBLE, 0, "-1")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Swoole_Coroutine_deadlock_check, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(swoole_coroutine_create);
ZEND_FUNCTION(swoole_coroutine_defer);
ZEND_FUNCTION(stampede_coroutine_run);
ZEND_FUNCTION(stampede_coroutine_batch);
ZEND_FUNCTION(stampede_coroutine_parallel);
ZEND_FUNCTION(stampede_coroutine_map);
ZEND_FUNCTION(stampede_coroutine_deadlock_check);


static const zend_function_entry ext_functions[] = {
	ZEND_FE(swoole_coroutine_create, arginfo_swoole_coroutine_create)
	ZEND_FE(swoole_coroutine_defer, arginfo_swoole_coroutine_defer)
	ZEND_NS_FALIAS("Swoole\\Coroutine", run, stampede_coroutine_run, arginfo_Swoole_Coroutine_run)
	ZEND_NS_FALIAS("Swoole\\Coroutine", go, swoole_coroutine_create, arginfo_Swoole_Coroutine_go)
	ZEND_NS_FALIAS("Swoole\\Coroutine", defer, swoole_coroutine_defer, arginfo_Swoole_Coroutine_defer)
	ZEND_NS_FALIAS("Swoole\\Coroutine", batch, stampede_coroutine_batch, arginfo_Swoole_Coroutine_batch)
	ZEND_NS_FALIAS("Swoole\\Coroutine", parallel, stampede_coroutine_parallel, arginfo_Swoole_Coroutine_parallel)
	ZEND_NS_FALIAS("Swoole\\Coroutine", map, stampede_coroutine_map, arginfo_Swoole_Coroutine_map)
	ZEND_NS_FALIAS("Swoole\\Coroutine", deadlock_check, stampede_coroutine_deadlock_check, arginfo_Swoole_Coroutine_deadlock_check)
	ZEND_FE_END
};
