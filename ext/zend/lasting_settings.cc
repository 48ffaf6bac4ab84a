#include "zend/lasting_settings.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "SAPI.h"
#include "zend/error_level.h"
#include "zend/wrapped_function.h"
#include "zend/web_request.h"

namespace stampede::zend {

namespace {

// Functions that set what a request has of its own, and nothing else; called a second time, for the
// process, they do the same. error_reporting() is not among them: its level is a coroutine's.
constexpr const char* kFunctions[] = {
    "ini_set",
    "ini_alter",
    "ini_restore",
    "set_include_path",
    "bcscale",
    "date_default_timezone_set",
    "setlocale",
    "umask",
    "chdir",
    "putenv",
    "mb_internal_encoding",
    "mb_substitute_character",
    "mb_regex_encoding",
    "mb_detect_order",
    "mb_http_output",
    "mb_language",
    "mb_regex_set_options",
    "iconv_set_encoding",
    "textdomain",
    "libxml_use_internal_errors",
    "libxml_set_external_entity_loader",
    "libxml_set_streams_context",
    "stream_wrapper_register",
    "stream_wrapper_unregister",
    "stream_wrapper_restore",
    "stream_filter_register",
    "stream_context_set_default",
    "assert_options",
    "spl_autoload_extensions",
    "locale_set_default",
    "session_save_path",
    "session_name",
    "session_module_name",
    "session_cache_limiter",
    "session_cache_expire",
    "session_set_cookie_params",
};
constexpr int kFunctionCount = std::size(kFunctions);
constexpr int kLocaleMethod = kFunctionCount;  // Locale::setDefault()

std::vector<zend_class_entry*> containers;

bool is_of_container(const zend_execute_data* frame) {
    const zend_class_entry* scope = frame->func != nullptr ? frame->func->common.scope : nullptr;
    if (scope == nullptr) {
        return false;
    }
    for (zend_class_entry* container : containers) {
        if (instanceof_function(scope, container)) {
            return true;
        }
    }
    return false;
}

bool is_below_container(const zend_execute_data* call) {
    for (const zend_execute_data* frame = call->prev_execute_data; frame != nullptr;
         frame = frame->prev_execute_data) {
        if (is_of_container(frame)) {
            return true;
        }
    }
    return false;
}

bool sets_error_level(zend_execute_data* call) {
    zval* name = ZEND_CALL_NUM_ARGS(call) > 0 ? ZEND_CALL_ARG(call, 1) : nullptr;
    return name != nullptr && Z_TYPE_P(name) == IS_STRING &&
           zend_string_equals_literal(Z_STR_P(name), "error_reporting");
}

// The functions of sessions refuse once header fields have been sent, as if the program had a
// client that they would go to.
class WithoutSentHeaders {
public:
    ~WithoutSentHeaders() { SG(headers_sent) = sent_; }

private:
    unsigned char sent_ = std::exchange(SG(headers_sent), static_cast<unsigned char>(0));
};

// The request first: what is wrong with the arguments is told there, and classes that they name are
// loaded. With the state of the process in place nothing may wait or reach the application.
void call_for_both(zif_handler usual, INTERNAL_FUNCTION_PARAMETERS) {
    usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    WebRequest* request = live_web_request;
    if (EXPECTED(containers.empty()) || request == nullptr || EG(exception) != nullptr ||
        ZEND_CALL_NUM_ARGS(execute_data) == 0 || changing_web_request ||
        sets_error_level(execute_data) || !is_below_container(execute_data)) {
        return;
    }
    UnheardErrors unheard;
    make_live(nullptr);
    changing_web_request = true;
    {
        WithoutSentHeaders without;
        zval of_process;
        ZVAL_NULL(&of_process);
        usual(execute_data, &of_process);
        zval_ptr_dtor(&of_process);
    }
    changing_web_request = false;
    make_live(request);
}

template <int... N>
void watch_all(std::integer_sequence<int, N...> /*numbers*/) {
    (WrappedFunction<call_for_both, N>::wrap(kFunctions[N]), ...);
}

}  // namespace

void keep_settings_made_below(zend_class_entry* ce) {
    if (std::find(containers.begin(), containers.end(), ce) == containers.end()) {
        containers.push_back(ce);
    }
}

void forget_lasting_settings() { containers.clear(); }

void watch_lasting_settings() {
    watch_all(std::make_integer_sequence<int, kFunctionCount>());
    WrappedFunction<call_for_both, kLocaleMethod>::wrap(methods_of("locale"), "setdefault");
}

}  // namespace stampede::zend
