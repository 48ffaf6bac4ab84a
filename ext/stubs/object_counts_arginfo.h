/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 9d17c9025a1dde5163a45788fbc2f94ff56a09a2 */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_object_counts, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(Stampede_object_counts);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Stampede", object_counts, Stampede_object_counts, arginfo_Stampede_object_counts)
	ZEND_FE_END
};
