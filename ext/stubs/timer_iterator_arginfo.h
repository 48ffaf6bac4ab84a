/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: a52254da6c83538d2d0b508c23345d55e0a3c838 */




static const zend_function_entry class_Swoole_Timer_Iterator_methods[] = {
	ZEND_FE_END
};

static zend_class_entry *register_class_Swoole_Timer_Iterator(zend_class_entry *class_entry_ArrayIterator)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Swoole\\Timer", "Iterator", class_Swoole_Timer_Iterator_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_ArrayIterator);

	return class_entry;
}
