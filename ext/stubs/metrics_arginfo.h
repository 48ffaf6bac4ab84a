/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: af64d5d33bf74e53b3d16f5813c8aadab27d2e46 */

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Stampede_Metrics_counter, 0, 1, Stampede\\Metrics\\Counter, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, help, IS_STRING, 0, "\'\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, labels, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Stampede_Metrics_gauge, 0, 1, Stampede\\Metrics\\Gauge, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, help, IS_STRING, 0, "\'\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, labels, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Stampede_Metrics_histogram, 0, 1, Stampede\\Metrics\\Histogram, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, help, IS_STRING, 0, "\'\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, labels, IS_ARRAY, 0, "[]")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, bounds, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_Metrics_route, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, template, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Stampede_Metrics_Counter___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_Metrics_Counter_inc, 0, 0, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, labels, IS_ARRAY, 0, "[]")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, by, IS_DOUBLE, 0, "1")
ZEND_END_ARG_INFO()

#define arginfo_class_Stampede_Metrics_Gauge___construct arginfo_class_Stampede_Metrics_Counter___construct

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Stampede_Metrics_Gauge_set, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_DOUBLE, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, labels, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

#define arginfo_class_Stampede_Metrics_Gauge_inc arginfo_class_Stampede_Metrics_Counter_inc

#define arginfo_class_Stampede_Metrics_Gauge_dec arginfo_class_Stampede_Metrics_Counter_inc

#define arginfo_class_Stampede_Metrics_Histogram___construct arginfo_class_Stampede_Metrics_Counter___construct

#define arginfo_class_Stampede_Metrics_Histogram_observe arginfo_class_Stampede_Metrics_Gauge_set


ZEND_METHOD(Stampede_Metrics, counter);
ZEND_METHOD(Stampede_Metrics, gauge);
ZEND_METHOD(Stampede_Metrics, histogram);
ZEND_METHOD(Stampede_Metrics, route);
ZEND_METHOD(Stampede_Metrics_Counter, __construct);
ZEND_METHOD(Stampede_Metrics_Counter, inc);
ZEND_METHOD(Stampede_Metrics_Gauge, __construct);
ZEND_METHOD(Stampede_Metrics_Gauge, set);
ZEND_METHOD(Stampede_Metrics_Gauge, inc);
ZEND_METHOD(Stampede_Metrics_Gauge, dec);
ZEND_METHOD(Stampede_Metrics_Histogram, __construct);
ZEND_METHOD(Stampede_Metrics_Histogram, observe);


static const zend_function_entry class_Stampede_Metrics_methods[] = {
	ZEND_ME(Stampede_Metrics, counter, arginfo_class_Stampede_Metrics_counter, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_Metrics, gauge, arginfo_class_Stampede_Metrics_gauge, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_Metrics, histogram, arginfo_class_Stampede_Metrics_histogram, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Stampede_Metrics, route, arginfo_class_Stampede_Metrics_route, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};


static const zend_function_entry class_Stampede_Metrics_Counter_methods[] = {
	ZEND_ME(Stampede_Metrics_Counter, __construct, arginfo_class_Stampede_Metrics_Counter___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Stampede_Metrics_Counter, inc, arginfo_class_Stampede_Metrics_Counter_inc, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Stampede_Metrics_Gauge_methods[] = {
	ZEND_ME(Stampede_Metrics_Gauge, __construct, arginfo_class_Stampede_Metrics_Gauge___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Stampede_Metrics_Gauge, set, arginfo_class_Stampede_Metrics_Gauge_set, ZEND_ACC_PUBLIC)
	ZEND_ME(Stampede_Metrics_Gauge, inc, arginfo_class_Stampede_Metrics_Gauge_inc, ZEND_ACC_PUBLIC)
	ZEND_ME(Stampede_Metrics_Gauge, dec, arginfo_class_Stampede_Metrics_Gauge_dec, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Stampede_Metrics_Histogram_methods[] = {
	ZEND_ME(Stampede_Metrics_Histogram, __construct, arginfo_class_Stampede_Metrics_Histogram___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Stampede_Metrics_Histogram, observe, arginfo_class_Stampede_Metrics_Histogram_observe, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Stampede_Metrics(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Stampede", "Metrics", class_Stampede_Metrics_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	return class_entry;
}

static zend_class_entry *register_class_Stampede_Metrics_Counter(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Stampede\\Metrics", "Counter", class_Stampede_Metrics_Counter_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	return class_entry;
}

static zend_class_entry *register_class_Stampede_Metrics_Gauge(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Stampede\\Metrics", "Gauge", class_Stampede_Metrics_Gauge_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	return class_entry;
}

static zend_class_entry *register_class_Stampede_Metrics_Histogram(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Stampede\\Metrics", "Histogram", class_Stampede_Metrics_Histogram_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	return class_entry;
}
