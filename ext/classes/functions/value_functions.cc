// The functions that make objects of values, swoole_table() and swoole_curl_*: they are written in
// PHP (ext/library/stampede, ext/library/curl). PHP thread; they park where what they call does.
#include "ini.h"
#include "subsystems.h"
#include "zend/forward.h"

#include "stubs/value_functions_arginfo.h"

#define ext_functions short_functions
#include "stubs/short_value_functions_arginfo.h"
#undef ext_functions

namespace {

constexpr std::string_view kValues = "Stampede\\Library\\ValueFunctions";
constexpr std::string_view kCurl = "Stampede\\Library\\CurlFunctions";

}  // namespace

#define FORWARD(function, class_name, method)                                                    \
    ZEND_FUNCTION(function) {                                                                    \
        stampede::zend::forward_to_method(INTERNAL_FUNCTION_PARAM_PASSTHRU, class_name, method); \
    }

FORWARD(swoole_string, kValues, "string")
FORWARD(swoole_mbstring, kValues, "multibytestring")
FORWARD(swoole_array, kValues, "array")
FORWARD(swoole_array_list, kValues, "arraylist")
FORWARD(swoole_table, kValues, "table")
FORWARD(swoole_curl_init, kCurl, "init")
FORWARD(swoole_curl_setopt, kCurl, "setopt")
FORWARD(swoole_curl_setopt_array, kCurl, "setoptarray")
FORWARD(swoole_curl_exec, kCurl, "exec")
FORWARD(swoole_curl_getinfo, kCurl, "getinfo")
FORWARD(swoole_curl_errno, kCurl, "errno")
FORWARD(swoole_curl_error, kCurl, "error")
FORWARD(swoole_curl_reset, kCurl, "reset")
FORWARD(swoole_curl_close, kCurl, "close")
FORWARD(swoole_curl_multi_getcontent, kCurl, "multigetcontent")

namespace stampede::ext {

zend_result value_functions_minit(int, int) {
    if (zend_register_functions(nullptr, ext_functions, nullptr, MODULE_PERSISTENT) == FAILURE) {
        return FAILURE;
    }
    return settings().use_shortname
               ? zend_register_functions(nullptr, short_functions, nullptr, MODULE_PERSISTENT)
               : SUCCESS;
}

}  // namespace stampede::ext
