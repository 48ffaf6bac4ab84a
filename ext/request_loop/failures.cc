// A fatal error is PHP's last error. Applications catch their exceptions and make a page with
// status 500 of them, of which PHP itself logs nothing.
#include "request_loop/failures.h"

#include <string>
#include <utility>

#include "request_loop/sapi.h"
#include "zend/php.h"

#include "SAPI.h"

namespace stampede::request_loop {
namespace {

constexpr int kFatal = E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR | E_RECOVERABLE_ERROR;
constexpr int kServerError = 500;
constexpr size_t kLongest = 4096;

std::string last_exception;
void (*hook_before)(zend_object*) = nullptr;

std::string text_of(zend_object* thrown, const char* name) {
    zval holder;
    zval* value = zend_read_property(zend_get_exception_base(thrown), thrown, name, strlen(name),
                                     true, &holder);
    ZVAL_DEREF(value);
    if (Z_TYPE_P(value) == IS_LONG) {
        return std::to_string(Z_LVAL_P(value));
    }
    return Z_TYPE_P(value) == IS_STRING ? std::string(Z_STRVAL_P(value), Z_STRLEN_P(value)) : "";
}

void note_exception(zend_object* thrown) {
    if (thrown != nullptr && own_response() != nullptr &&
        instanceof_function(thrown->ce, zend_ce_throwable)) {
        last_exception = std::string(ZSTR_VAL(thrown->ce->name), ZSTR_LEN(thrown->ce->name)) +
                         ": " + text_of(thrown, "message").substr(0, kLongest) + " in " +
                         text_of(thrown, "file") + ":" + text_of(thrown, "line");
    }
    if (hook_before != nullptr) {
        hook_before(thrown);
    }
}

// Type, line, file and text.
std::string last_error() {
    std::string text =
        std::to_string(PG(last_error_type)) + '\n' + std::to_string(PG(last_error_lineno)) + '\n';
    if (PG(last_error_file) != nullptr) {
        text.append(ZSTR_VAL(PG(last_error_file)), ZSTR_LEN(PG(last_error_file)));
    }
    text += '\n';
    text.append(ZSTR_VAL(PG(last_error_message)), ZSTR_LEN(PG(last_error_message)));
    return text;
}

void log_reason(const std::string& exception) {
    const Request& request = present_request();
    const char* method = request.field("REQUEST_METHOD");
    const char* uri = request.field("REQUEST_URI");
    std::string line = std::string(method != nullptr ? method : "") + " " +
                       (uri != nullptr ? uri : "") + ": the application has responded with " +
                       std::to_string(SG(sapi_headers).http_response_code) + " itself" +
                       (exception.empty() ? "." : ", after " + exception);
    sapi_module.log_message(line.c_str(), 0);
}

}  // namespace

void watch_exceptions() { hook_before = std::exchange(zend_throw_exception_hook, note_exception); }

void tell_failure() {
    Response* response = own_response();
    if (response == nullptr) {
        return;
    }
    std::string exception = std::exchange(last_exception, {});
    if ((PG(last_error_type) & kFatal) != 0 && PG(last_error_message) != nullptr) {
        response->failure(last_error());
    } else if (SG(sapi_headers).http_response_code >= kServerError) {
        log_reason(exception);
    }
}

}  // namespace stampede::request_loop
