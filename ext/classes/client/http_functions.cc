// The functions of Swoole\Coroutine\Http: they are written in PHP (ext/library/http), where a
// function cannot be loaded when it is first called. Owned by the module; PHP thread; they park.
#include "subsystems.h"
#include "zend/forward.h"

#include "stubs/coroutine_http_functions_arginfo.h"

namespace {

void forward(INTERNAL_FUNCTION_PARAMETERS, const char* method) {
    stampede::zend::forward_to_method(INTERNAL_FUNCTION_PARAM_PASSTHRU,
                                      "Stampede\\Library\\Requests", method);
}

}  // namespace

ZEND_FUNCTION(Swoole_Coroutine_Http_request) {
    forward(INTERNAL_FUNCTION_PARAM_PASSTHRU, "request");
}

ZEND_FUNCTION(Swoole_Coroutine_Http_request_with_http_client) {
    forward(INTERNAL_FUNCTION_PARAM_PASSTHRU, "byclient");
}

ZEND_FUNCTION(Swoole_Coroutine_Http_request_with_curl) {
    forward(INTERNAL_FUNCTION_PARAM_PASSTHRU, "bycurl");
}

ZEND_FUNCTION(Swoole_Coroutine_Http_request_with_stream) {
    forward(INTERNAL_FUNCTION_PARAM_PASSTHRU, "bystream");
}

ZEND_FUNCTION(Swoole_Coroutine_Http_post) { forward(INTERNAL_FUNCTION_PARAM_PASSTHRU, "post"); }

ZEND_FUNCTION(Swoole_Coroutine_Http_get) { forward(INTERNAL_FUNCTION_PARAM_PASSTHRU, "get"); }

namespace stampede::classes {

zend_result http_functions_minit(int, int) {
    return zend_register_functions(nullptr, ext_functions, nullptr, MODULE_PERSISTENT);
}

}  // namespace stampede::classes
