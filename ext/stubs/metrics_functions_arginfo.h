/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: a13cc8c27d5cbf8f7ce9a14592b305ad18c62b66 */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_metrics_text, 0, 0, IS_STRING, 1)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, isOpenMetrics, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, more, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_metric_families, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_metrics_file, 0, 0, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_describe_request, 0, 2, IS_VOID, 0)
	ZEND_ARG_OBJ_INFO(0, response, Swoole\\Http\\Response, 0)
	ZEND_ARG_TYPE_INFO(0, route, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, isolation, IS_STRING, 0, "\'\'")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_take_route, 0, 0, IS_STRING, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(Stampede_metrics_text);
ZEND_FUNCTION(Stampede_metric_families);
ZEND_FUNCTION(Stampede_metrics_file);
ZEND_FUNCTION(Stampede_describe_request);
ZEND_FUNCTION(Stampede_take_route);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Stampede", metrics_text, Stampede_metrics_text, arginfo_Stampede_metrics_text)
	ZEND_NS_FALIAS("Stampede", metric_families, Stampede_metric_families, arginfo_Stampede_metric_families)
	ZEND_NS_FALIAS("Stampede", metrics_file, Stampede_metrics_file, arginfo_Stampede_metrics_file)
	ZEND_NS_FALIAS("Stampede", describe_request, Stampede_describe_request, arginfo_Stampede_describe_request)
	ZEND_NS_FALIAS("Stampede", take_route, Stampede_take_route, arginfo_Stampede_take_route)
	ZEND_FE_END
};
