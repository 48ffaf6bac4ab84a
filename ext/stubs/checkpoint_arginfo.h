/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 8b6f05eaf5f094a883a01096ae3096ffeae0049c */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_run_in_batches, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Stampede_Checkpoint___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_Checkpoint_obstacle, 0, 0, IS_STRING, 1)
ZEND_END_ARG_INFO()

#define arginfo_class_Stampede_Checkpoint_keep arginfo_Stampede_run_in_batches

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_Checkpoint_connect, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, path, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_Checkpoint_begin, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_Checkpoint_goBack, 0, 0, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_Checkpoint_rehearse, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, received, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_Checkpoint_receive, 0, 1, IS_STRING, 1)
	ZEND_ARG_TYPE_INFO(0, length, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_Checkpoint_send, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, bytes, IS_STRING, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(Stampede_run_in_batches);
ZEND_METHOD(Stampede_Checkpoint, __construct);
ZEND_METHOD(Stampede_Checkpoint, obstacle);
ZEND_METHOD(Stampede_Checkpoint, keep);
ZEND_METHOD(Stampede_Checkpoint, connect);
ZEND_METHOD(Stampede_Checkpoint, begin);
ZEND_METHOD(Stampede_Checkpoint, goBack);
ZEND_METHOD(Stampede_Checkpoint, rehearse);
ZEND_METHOD(Stampede_Checkpoint, receive);
ZEND_METHOD(Stampede_Checkpoint, send);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Stampede", run_in_batches, Stampede_run_in_batches, arginfo_Stampede_run_in_batches)
	ZEND_FE_END
};


static const zend_function_entry class_Stampede_Checkpoint_methods[] = {
	ZEND_ME(Stampede_Checkpoint, __construct, arginfo_class_Stampede_Checkpoint___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Stampede_Checkpoint, obstacle, arginfo_class_Stampede_Checkpoint_obstacle, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_Checkpoint, keep, arginfo_class_Stampede_Checkpoint_keep, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_Checkpoint, connect, arginfo_class_Stampede_Checkpoint_connect, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_Checkpoint, begin, arginfo_class_Stampede_Checkpoint_begin, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_Checkpoint, goBack, arginfo_class_Stampede_Checkpoint_goBack, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_Checkpoint, rehearse, arginfo_class_Stampede_Checkpoint_rehearse, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_Checkpoint, receive, arginfo_class_Stampede_Checkpoint_receive, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_Checkpoint, send, arginfo_class_Stampede_Checkpoint_send, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Stampede_Checkpoint(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Stampede", "Checkpoint", class_Stampede_Checkpoint_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	return class_entry;
}
