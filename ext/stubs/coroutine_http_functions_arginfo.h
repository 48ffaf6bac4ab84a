/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: d8ad5c03dfdbf41dbf055b64dc37db322decec56 */

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_Swoole_Coroutine_Http_request, 0, 2, Swoole\\Coroutine\\Http\\ClientProxy, 0)
	ZEND_ARG_TYPE_INFO(0, url, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, method, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, data, IS_MIXED, 0, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, options, IS_ARRAY, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, headers, IS_ARRAY, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, cookies, IS_ARRAY, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_Swoole_Coroutine_Http_request_with_http_client arginfo_Swoole_Coroutine_Http_request

#define arginfo_Swoole_Coroutine_Http_request_with_curl arginfo_Swoole_Coroutine_Http_request

#define arginfo_Swoole_Coroutine_Http_request_with_stream arginfo_Swoole_Coroutine_Http_request

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_Swoole_Coroutine_Http_post, 0, 2, Swoole\\Coroutine\\Http\\ClientProxy, 0)
	ZEND_ARG_TYPE_INFO(0, url, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, data, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, options, IS_ARRAY, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, headers, IS_ARRAY, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, cookies, IS_ARRAY, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_Swoole_Coroutine_Http_get, 0, 1, Swoole\\Coroutine\\Http\\ClientProxy, 0)
	ZEND_ARG_TYPE_INFO(0, url, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, options, IS_ARRAY, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, headers, IS_ARRAY, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, cookies, IS_ARRAY, 1, "null")
ZEND_END_ARG_INFO()


ZEND_FUNCTION(Swoole_Coroutine_Http_request);
ZEND_FUNCTION(Swoole_Coroutine_Http_request_with_http_client);
ZEND_FUNCTION(Swoole_Coroutine_Http_request_with_curl);
ZEND_FUNCTION(Swoole_Coroutine_Http_request_with_stream);
ZEND_FUNCTION(Swoole_Coroutine_Http_post);
ZEND_FUNCTION(Swoole_Coroutine_Http_get);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Swoole\\Coroutine\\Http", request, Swoole_Coroutine_Http_request, arginfo_Swoole_Coroutine_Http_request)
	ZEND_NS_FALIAS("Swoole\\Coroutine\\Http", request_with_http_client, Swoole_Coroutine_Http_request_with_http_client, arginfo_Swoole_Coroutine_Http_request_with_http_client)
	ZEND_NS_FALIAS("Swoole\\Coroutine\\Http", request_with_curl, Swoole_Coroutine_Http_request_with_curl, arginfo_Swoole_Coroutine_Http_request_with_curl)
	ZEND_NS_FALIAS("Swoole\\Coroutine\\Http", request_with_stream, Swoole_Coroutine_Http_request_with_stream, arginfo_Swoole_Coroutine_Http_request_with_stream)
	ZEND_NS_FALIAS("Swoole\\Coroutine\\Http", post, Swoole_Coroutine_Http_post, arginfo_Swoole_Coroutine_Http_post)
	ZEND_NS_FALIAS("Swoole\\Coroutine\\Http", get, Swoole_Coroutine_Http_get, arginfo_Swoole_Coroutine_Http_get)
	ZEND_FE_END
};
