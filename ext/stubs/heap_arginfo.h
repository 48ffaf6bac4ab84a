/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: da430a87c65d9b6701fccbeb9bab8e4df1f00879 */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_heap_sizes, 0, 1, IS_ARRAY, 1)
	ZEND_ARG_TYPE_INFO(0, pause, IS_DOUBLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_heap_paths, 0, 2, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, classes, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, pause, IS_DOUBLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_answer_growth, 0, 1, IS_VOID, 0)
	ZEND_ARG_OBJ_INFO(0, answer, Closure, 1)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_growth_findings, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, count, IS_LONG, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(Stampede_heap_sizes);
ZEND_FUNCTION(Stampede_heap_paths);
ZEND_FUNCTION(Stampede_answer_growth);
ZEND_FUNCTION(Stampede_growth_findings);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Stampede", heap_sizes, Stampede_heap_sizes, arginfo_Stampede_heap_sizes)
	ZEND_NS_FALIAS("Stampede", heap_paths, Stampede_heap_paths, arginfo_Stampede_heap_paths)
	ZEND_NS_FALIAS("Stampede", answer_growth, Stampede_answer_growth, arginfo_Stampede_answer_growth)
	ZEND_NS_FALIAS("Stampede", growth_findings, Stampede_growth_findings, arginfo_Stampede_growth_findings)
	ZEND_FE_END
};
