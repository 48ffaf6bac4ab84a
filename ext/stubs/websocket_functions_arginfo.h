/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 8f24da466b939e07b2d907b0602c79c20956aa86 */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Stampede_keep_websocket, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_OBJ_INFO(0, response, Swoole\\Http\\Response, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(Stampede_keep_websocket);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Stampede", keep_websocket, Stampede_keep_websocket, arginfo_Stampede_keep_websocket)
	ZEND_FE_END
};
