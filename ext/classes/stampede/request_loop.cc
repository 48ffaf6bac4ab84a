// Stampede\RequestLoop, and the functions that PHP's web servers have beside the usual ones. PHP
// thread, outside of coroutines.
#include "request_loop/loop.h"

#include <algorithm>
#include <cerrno>

#include "ini.h"
#include "os/children.h"
#include "os/process.h"
#include "os/socket_io.h"
#include "request_loop/failures.h"
#include "request_loop/file_questions.h"
#include "request_loop/identity.h"
#include "request_loop/request.h"
#include "request_loop/sapi.h"
#include "request_loop/script_stack.h"
#include "runtime/runtime.h"
#include "subsystems.h"
#include "zend/php.h"
#include "zend/throw.h"

#include "stubs/request_loop_arginfo.h"
#include "stubs/web_functions_arginfo.h"

#include "SAPI.h"

using namespace stampede;

ZEND_METHOD(Stampede_RequestLoop, __construct) { STAMPEDE_PARSE_NO_PARAMETERS(); }

ZEND_METHOD(Stampede_RequestLoop, run) {
    zend_string* path;
    zend_long requests = 0;
    zend_long memory = 0;
    ZEND_PARSE_PARAMETERS_START(1, 3)
        Z_PARAM_PATH_STR(path)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(requests)
        Z_PARAM_LONG(memory)
    ZEND_PARSE_PARAMETERS_END();
    runtime::Runtime* runtime = runtime::Runtime::peek();
    if (runtime != nullptr && runtime->current() != nullptr) {
        zend::throw_error(zend::error_classes.error, EINVAL,
                          "Stampede\\RequestLoop must be used outside of coroutines");
        RETURN_THROWS();
    }
    Result<os::Address> address = os::parse_unix(ZSTR_VAL(path));
    Result<int> opened = address ? os::connect_blocking(*address) : address.error();
    if (!opened) {
        RETURN_FALSE;
    }
    request_loop::run(*opened, {static_cast<uint64_t>(std::max<zend_long>(requests, 0)),
                                static_cast<uint64_t>(std::max<zend_long>(memory, 0))});
}

ZEND_METHOD(Stampede_RequestLoop, sharePathChanges) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    request_loop::share_path_changes();
}

ZEND_METHOD(Stampede_RequestLoop, head) {
    HashTable* fields;
    zend_long body;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_ARRAY_HT(fields)
        Z_PARAM_LONG(body)
    ZEND_PARSE_PARAMETERS_END();
    request_loop::RequestHead head(static_cast<uint64_t>(std::max<zend_long>(body, 0)));
    zend_string* name;
    zval* value;
    ZEND_HASH_FOREACH_STR_KEY_VAL(fields, name, value) {
        if (name != nullptr) {
            zend_string* holder;
            zend_string* text = zval_get_tmp_string(value, &holder);
            head.add({ZSTR_VAL(name), ZSTR_LEN(name)}, {ZSTR_VAL(text), ZSTR_LEN(text)});
            zend_tmp_string_release(holder);
        }
    }
    ZEND_HASH_FOREACH_END();
    std::string_view bytes = head.bytes();
    RETURN_STRINGL(bytes.data(), bytes.size());
}

ZEND_METHOD(Stampede_RequestLoop, kill) {
    zend_long pid;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(pid)
    ZEND_PARSE_PARAMETERS_END();
    if (pid > 1) {
        os::kill_family(static_cast<pid_t>(pid));
    }
}

ZEND_FUNCTION(fastcgi_finish_request) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_BOOL(request_loop::finish_response());
}

ZEND_FUNCTION(apache_request_headers) {
    ZEND_PARSE_PARAMETERS_NONE();
    array_init(return_value);
    request_loop::add_header_fields(Z_ARRVAL_P(return_value));
}

namespace stampede::ext {

zend_result request_loop_minit(int, int) {
    register_class_Stampede_RequestLoop();
    if (*settings().sapi_name != '\0') {
        request_loop::install_stack_interrupt();
        request_loop::take_identity(settings().sapi_name);
        // In place of those of the command line, which PHP adds after all modules have started.
        sapi_module.additional_functions = ext_functions;
    }
    return SUCCESS;
}

zend_result request_loop_rshutdown(int, int) {
    request_loop::tell_failure();
    return SUCCESS;
}

}  // namespace stampede::ext
