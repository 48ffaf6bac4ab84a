/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: c36f09533a8914fd359e73a9f3a5b18cf82862dc */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_limit_computing, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, seconds, IS_DOUBLE, 0)
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, late, Closure, 1, "null")
ZEND_END_ARG_INFO()


ZEND_FUNCTION(Stampede_limit_computing);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Stampede", limit_computing, Stampede_limit_computing, arginfo_Stampede_limit_computing)
	ZEND_FE_END
};
