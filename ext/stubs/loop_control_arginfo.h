/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 5e37285d5d677f7d76d256852157cbc6da57b1bc */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_LoopControl_ignore, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, watches, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, timers, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_LoopControl_hold, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, more, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_LoopControl_hasWork, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX(arginfo_class_Stampede_LoopControl_onSignal, 0, 2, MAY_BE_LONG|MAY_BE_FALSE)
	ZEND_ARG_TYPE_INFO(0, signal, IS_LONG, 0)
	ZEND_ARG_OBJ_INFO(0, callback, Closure, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_LoopControl_offSignal, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, id, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_LoopControl_keepForSignal, 0, 2, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, id, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, keep, _IS_BOOL, 0)
ZEND_END_ARG_INFO()


ZEND_METHOD(Stampede_LoopControl, ignore);
ZEND_METHOD(Stampede_LoopControl, hold);
ZEND_METHOD(Stampede_LoopControl, hasWork);
ZEND_METHOD(Stampede_LoopControl, onSignal);
ZEND_METHOD(Stampede_LoopControl, offSignal);
ZEND_METHOD(Stampede_LoopControl, keepForSignal);


static const zend_function_entry class_Stampede_LoopControl_methods[] = {
	ZEND_ME(Stampede_LoopControl, ignore, arginfo_class_Stampede_LoopControl_ignore, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_LoopControl, hold, arginfo_class_Stampede_LoopControl_hold, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_LoopControl, hasWork, arginfo_class_Stampede_LoopControl_hasWork, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_LoopControl, onSignal, arginfo_class_Stampede_LoopControl_onSignal, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_LoopControl, offSignal, arginfo_class_Stampede_LoopControl_offSignal, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_LoopControl, keepForSignal, arginfo_class_Stampede_LoopControl_keepForSignal, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Stampede_LoopControl(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Stampede", "LoopControl", class_Stampede_LoopControl_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	return class_entry;
}
