/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: ff17f778e86b8ffaea3b212be2b9c8a1813a2b8c */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_inherited, 0, 0, IS_OBJECT, 1)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_set_inherited, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_OBJECT, 1)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_record_request, 0, 1, IS_VOID, 0)
	ZEND_ARG_OBJ_INFO(0, response, Swoole\\Http\\Response, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, isShown, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_request_record, 0, 0, IS_ARRAY, 1)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ends, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_observe_calls, 0, 1, IS_VOID, 0)
	ZEND_ARG_OBJ_INFO(0, begin, Closure, 1)
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, end, Closure, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_observed, 0, 3, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, object, IS_OBJECT, 0)
	ZEND_ARG_OBJ_INFO(0, call, Closure, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(Stampede_inherited);
ZEND_FUNCTION(Stampede_set_inherited);
ZEND_FUNCTION(Stampede_record_request);
ZEND_FUNCTION(Stampede_request_record);
ZEND_FUNCTION(Stampede_observe_calls);
ZEND_FUNCTION(Stampede_observed);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Stampede", inherited, Stampede_inherited, arginfo_Stampede_inherited)
	ZEND_NS_FALIAS("Stampede", set_inherited, Stampede_set_inherited, arginfo_Stampede_set_inherited)
	ZEND_NS_FALIAS("Stampede", record_request, Stampede_record_request, arginfo_Stampede_record_request)
	ZEND_NS_FALIAS("Stampede", request_record, Stampede_request_record, arginfo_Stampede_request_record)
	ZEND_NS_FALIAS("Stampede", observe_calls, Stampede_observe_calls, arginfo_Stampede_observe_calls)
	ZEND_NS_FALIAS("Stampede", observed, Stampede_observed, arginfo_Stampede_observed)
	ZEND_FE_END
};
