/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 6b86f58c6bf8f0339f796d1de1108af179739c2e */




static const zend_function_entry class_Swoole_Coroutine_Context_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Swoole_Coroutine_Iterator_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Swoole_Coroutine_CanceledException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Swoole_Coroutine_TimeoutException_methods[] = {
	ZEND_FE_END
};

static zend_class_entry *register_class_Swoole_Coroutine_Context(zend_class_entry *class_entry_ArrayObject)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Swoole\\Coroutine", "Context", class_Swoole_Coroutine_Context_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_ArrayObject);

	return class_entry;
}

static zend_class_entry *register_class_Swoole_Coroutine_Iterator(zend_class_entry *class_entry_ArrayIterator)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Swoole\\Coroutine", "Iterator", class_Swoole_Coroutine_Iterator_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_ArrayIterator);

	return class_entry;
}

static zend_class_entry *register_class_Swoole_Coroutine_CanceledException(zend_class_entry *class_entry_Exception)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Swoole\\Coroutine", "CanceledException", class_Swoole_Coroutine_CanceledException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Exception);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	return class_entry;
}

static zend_class_entry *register_class_Swoole_Coroutine_TimeoutException(zend_class_entry *class_entry_Exception)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Swoole\\Coroutine", "TimeoutException", class_Swoole_Coroutine_TimeoutException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Exception);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	return class_entry;
}
