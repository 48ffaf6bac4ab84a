/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 1013e3633612d092b75bf6a3b7ff15e3acfd8457 */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX(arginfo_swoole_exec, 0, 1, MAY_BE_STRING|MAY_BE_FALSE)
	ZEND_ARG_TYPE_INFO(0, command, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(1, output, IS_MIXED, 0, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(1, returnVar, IS_MIXED, 0, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX(arginfo_swoole_shell_exec, 0, 1, MAY_BE_STRING|MAY_BE_FALSE|MAY_BE_NULL)
	ZEND_ARG_TYPE_INFO(0, cmd, IS_STRING, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(swoole_exec);
ZEND_FUNCTION(swoole_shell_exec);


static const zend_function_entry ext_functions[] = {
	ZEND_FE(swoole_exec, arginfo_swoole_exec)
	ZEND_FE(swoole_shell_exec, arginfo_swoole_shell_exec)
	ZEND_FE_END
};
