/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 6dfdaae66c0631082095926128105d886dc30aed */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_hooked_objects, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

#define arginfo_Stampede_blocking_calls arginfo_Stampede_hooked_objects


ZEND_FUNCTION(Stampede_hooked_objects);
ZEND_FUNCTION(Stampede_blocking_calls);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Stampede", hooked_objects, Stampede_hooked_objects, arginfo_Stampede_hooked_objects)
	ZEND_NS_FALIAS("Stampede", blocking_calls, Stampede_blocking_calls, arginfo_Stampede_blocking_calls)
	ZEND_FE_END
};
