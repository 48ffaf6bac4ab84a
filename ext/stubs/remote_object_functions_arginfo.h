/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 38ff0f382c125bcc101b6d301c7bfe4faa9423fd */

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_swoole_get_default_remote_object_client, 0, 0, Swoole\\RemoteObject\\Client, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_get_default_remote_object_server_dir, 0, 0, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_swoole_init_default_remote_object_server, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(swoole_get_default_remote_object_client);
ZEND_FUNCTION(swoole_get_default_remote_object_server_dir);
ZEND_FUNCTION(swoole_init_default_remote_object_server);


static const zend_function_entry ext_functions[] = {
	ZEND_FE(swoole_get_default_remote_object_client, arginfo_swoole_get_default_remote_object_client)
	ZEND_FE(swoole_get_default_remote_object_server_dir, arginfo_swoole_get_default_remote_object_server_dir)
	ZEND_FE(swoole_init_default_remote_object_server, arginfo_swoole_init_default_remote_object_server)
	ZEND_FE_END
};
