/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 9ef936d832052ded6996c1de29c33c079bb7785a */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_collect_output, 0, 0, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_write_log, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, lines, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_leave_unlogged, 0, 1, IS_VOID, 0)
	ZEND_ARG_OBJ_INFO(0, response, Swoole\\Http\\Response, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_is_secret_name, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(Stampede_collect_output);
ZEND_FUNCTION(Stampede_write_log);
ZEND_FUNCTION(Stampede_leave_unlogged);
ZEND_FUNCTION(Stampede_is_secret_name);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Stampede", collect_output, Stampede_collect_output, arginfo_Stampede_collect_output)
	ZEND_NS_FALIAS("Stampede", write_log, Stampede_write_log, arginfo_Stampede_write_log)
	ZEND_NS_FALIAS("Stampede", leave_unlogged, Stampede_leave_unlogged, arginfo_Stampede_leave_unlogged)
	ZEND_NS_FALIAS("Stampede", is_secret_name, Stampede_is_secret_name, arginfo_Stampede_is_secret_name)
	ZEND_FE_END
};
