/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: f607335027fe38583aac13526c9409d94b4261f6 */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_limit_computing, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, seconds, IS_DOUBLE, 0)
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, late, Closure, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_computing_time, 0, 0, IS_DOUBLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_end_wait, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, cid, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_end_limit, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, cid, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, isOver, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_has_client_left, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_OBJ_INFO(0, response, Swoole\\Http\\Response, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_refuse_waiting_requests, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(Stampede_limit_computing);
ZEND_FUNCTION(Stampede_computing_time);
ZEND_FUNCTION(Stampede_end_wait);
ZEND_FUNCTION(Stampede_end_limit);
ZEND_FUNCTION(Stampede_has_client_left);
ZEND_FUNCTION(Stampede_refuse_waiting_requests);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Stampede", limit_computing, Stampede_limit_computing, arginfo_Stampede_limit_computing)
	ZEND_NS_FALIAS("Stampede", computing_time, Stampede_computing_time, arginfo_Stampede_computing_time)
	ZEND_NS_FALIAS("Stampede", end_wait, Stampede_end_wait, arginfo_Stampede_end_wait)
	ZEND_NS_FALIAS("Stampede", end_limit, Stampede_end_limit, arginfo_Stampede_end_limit)
	ZEND_NS_FALIAS("Stampede", has_client_left, Stampede_has_client_left, arginfo_Stampede_has_client_left)
	ZEND_NS_FALIAS("Stampede", refuse_waiting_requests, Stampede_refuse_waiting_requests, arginfo_Stampede_refuse_waiting_requests)
	ZEND_FE_END
};
