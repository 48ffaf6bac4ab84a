/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: d390a856f38a50e1e25539cb390c62e9e42ba401 */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_count_pools, 0, 4, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, class, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, places, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, connections, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, waiting, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_count_pool_wait, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, class, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, seconds, IS_DOUBLE, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(Stampede_count_pools);
ZEND_FUNCTION(Stampede_count_pool_wait);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Stampede", count_pools, Stampede_count_pools, arginfo_Stampede_count_pools)
	ZEND_NS_FALIAS("Stampede", count_pool_wait, Stampede_count_pool_wait, arginfo_Stampede_count_pool_wait)
	ZEND_FE_END
};
