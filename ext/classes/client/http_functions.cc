// The functions of Swoole\Coroutine\Http: they are written in PHP (ext/library/http), where a
// function cannot be loaded when it is first called. Owned by the module; PHP thread; they park.
#include "subsystems.h"
#include "zend/php.h"

#include "stubs/coroutine_http_functions_arginfo.h"

namespace {

// The same arguments to a static method of Stampede\Library\Requests.
void forward(INTERNAL_FUNCTION_PARAMETERS, const char* method) {
    uint32_t count = ZEND_NUM_ARGS();
    zval* arguments = count > 0 ? ZEND_CALL_ARG(execute_data, 1) : nullptr;
    zend_string* name = zend_string_init(ZEND_STRL("Stampede\\Library\\Requests"), 0);
    zend_class_entry* ce = zend_lookup_class(name);
    zend_string_release(name);
    zend_function* function = ce == nullptr ? nullptr
                                            : static_cast<zend_function*>(zend_hash_str_find_ptr(
                                                  &ce->function_table, method, strlen(method)));
    if (function == nullptr) {
        RETURN_THROWS();
    }
    zend_call_known_function(function, nullptr, ce, return_value, count, arguments, nullptr);
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
