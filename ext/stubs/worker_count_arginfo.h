/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: f7a527042c55b1b860509b523d920f8b1ac55f68 */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_set_workers, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, number, IS_LONG, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(Stampede_set_workers);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Stampede", set_workers, Stampede_set_workers, arginfo_Stampede_set_workers)
	ZEND_FE_END
};
