/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 1d0e6a1cc8c6bb73f0b45f6e85e1884be8e7278b */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_run_in_batches, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Stampede_Claim___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Stampede_Claim_receive, 0, 1, Stampede\\Claim, 1)
	ZEND_ARG_TYPE_INFO(0, fd, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_Claim_offer, 0, 0, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_Claim_withdraw, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, number, IS_LONG, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(Stampede_run_in_batches);
ZEND_METHOD(Stampede_Claim, __construct);
ZEND_METHOD(Stampede_Claim, receive);
ZEND_METHOD(Stampede_Claim, offer);
ZEND_METHOD(Stampede_Claim, withdraw);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Stampede", run_in_batches, Stampede_run_in_batches, arginfo_Stampede_run_in_batches)
	ZEND_FE_END
};


static const zend_function_entry class_Stampede_Claim_methods[] = {
	ZEND_ME(Stampede_Claim, __construct, arginfo_class_Stampede_Claim___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Stampede_Claim, receive, arginfo_class_Stampede_Claim_receive, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_Claim, offer, arginfo_class_Stampede_Claim_offer, ZEND_ACC_PUBLIC)
	ZEND_ME(Stampede_Claim, withdraw, arginfo_class_Stampede_Claim_withdraw, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Stampede_Claim(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Stampede", "Claim", class_Stampede_Claim_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
