// Stampede\WebRequest: the methods. PHP thread; what they run may park.
#include "zend/web_request.h"

#include <unistd.h>

#include <utility>

#include "runtime/runtime.h"
#include "subsystems.h"
#include "zend/lasting_settings.h"
#include "zend/opcache_time.h"
#include "zend/process_changes.h"
#include "zend/process_state.h"
#include "zend/request_filters.h"
#include "zend/request_state.h"
#include "zend/request_statics.h"
#include "zend/throw.h"

#include "stubs/web_request_arginfo.h"

using namespace stampede;

namespace {

constexpr int kLongestTrust = 3600;  // seconds

bool ends_process = false;

bool refuse_without_request() {
    if (!zend::web_request_under_way()) {
        zend::throw_error(zend::error_classes.exception, 0,
                          "no request is under way: call Stampede\\WebRequest::begin() first");
        return true;
    }
    return false;
}

// False: thrown.
bool isolate_static(zval& property) {
    const char* divider =
        Z_TYPE(property) == IS_STRING ? strstr(Z_STRVAL(property), "::$") : nullptr;
    if (divider == nullptr) {
        zend_argument_value_error(1, "must be a list of texts like \"Class::$name\"");
        return false;
    }
    zend_string* class_name = zend_string_init(
        Z_STRVAL(property), static_cast<size_t>(divider - Z_STRVAL(property)), false);
    zend_string* name = zend_string_init(divider + 3, strlen(divider + 3), false);
    zend::StaticsAdded added = zend::add_request_static(class_name, name);
    zend_string_release(class_name);
    zend_string_release(name);
    if (zend::exception_pending()) {
        return false;
    }
    if (added == zend::StaticsAdded::kUnknown) {
        zend::throw_error(zend::error_classes.exception, 0, "there is no static property %s",
                          Z_STRVAL(property));
    } else if (added == zend::StaticsAdded::kTooLate) {
        zend::throw_error(zend::error_classes.exception, 0,
                          "requests are under way: say before the first of them which static "
                          "properties are a request's own");
    }
    return added == zend::StaticsAdded::kYes;
}

}  // namespace

ZEND_METHOD(Stampede_WebRequest, __construct) { STAMPEDE_PARSE_NO_PARAMETERS(); }

ZEND_METHOD(Stampede_WebRequest, begin) {
    zend::WebRequestFacts facts;
    zend_fcall_info fci = empty_fcall_info;
    zend_fcall_info_cache fcc;
    ZEND_PARSE_PARAMETERS_START(6, 7)
        Z_PARAM_ARRAY_HT(facts.server)
        Z_PARAM_ARRAY_HT(facts.get)
        Z_PARAM_ARRAY_HT(facts.post)
        Z_PARAM_ARRAY_HT(facts.cookies)
        Z_PARAM_ARRAY_HT(facts.files)
        Z_PARAM_STR(facts.body)
        Z_PARAM_OPTIONAL
        Z_PARAM_FUNC_OR_NULL(fci, fcc)
    ZEND_PARSE_PARAMETERS_END();
    if (zend::web_request_under_way()) {
        zend::throw_error(zend::error_classes.exception, 0,
                          "a request is under way already in this coroutine");
        return;
    }
    zend::WebRequest* begun = zend::begin_web_request(
        facts, ZEND_FCI_INITIALIZED(fci) ? zend::Callable::hold(fci, fcc) : zend::Callable::none());
    if (runtime::Runtime* runtime = runtime::Runtime::peek()) {
        runtime->current_side().have_request(begun);
    } else {
        zend::release(*begun);  // the main script's, which is a side when there are others
    }
}

ZEND_METHOD(Stampede_WebRequest, run) {
    zend_string* file;
    double trusted = 0;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_PATH_STR(file)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(trusted)
    ZEND_PARSE_PARAMETERS_END();
    if (!(trusted >= 0) || trusted > kLongestTrust) {
        zend_argument_value_error(2, "must be between 0 and %d seconds", kLongestTrust);
        return;
    }
    if (!refuse_without_request()) {
        zend::run_as_main_script(file, static_cast<Nanos>(trusted * kSecond), return_value);
    }
}

ZEND_METHOD(Stampede_WebRequest, call) {
    zend_fcall_info fci;
    zend_fcall_info_cache fcc;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_FUNC(fci, fcc)
    ZEND_PARSE_PARAMETERS_END();
    if (!refuse_without_request()) {
        zend::call_as_main_script(fci, fcc, return_value);
    }
}

ZEND_METHOD(Stampede_WebRequest, statusLine) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    if (!refuse_without_request()) {
        RETVAL_STRING(zend::status_line());
    }
}

ZEND_METHOD(Stampede_WebRequest, noteFatalError) {
    zend_string* message;
    zend_string* file;
    zend_long line;
    ZEND_PARSE_PARAMETERS_START(3, 3)
        Z_PARAM_STR(message)
        Z_PARAM_STR(file)
        Z_PARAM_LONG(line)
    ZEND_PARSE_PARAMETERS_END();
    if (!refuse_without_request()) {
        zend::note_fatal_error(message, file, static_cast<int>(line));
    }
}

ZEND_METHOD(Stampede_WebRequest, end) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    if (refuse_without_request()) {
        return;
    }
    zend::end_web_request();
    if (runtime::Runtime* runtime = runtime::Runtime::peek()) {
        runtime->current_side().leave_request();
    }
}

ZEND_METHOD(Stampede_WebRequest, hold) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    if (!refuse_without_request()) {
        zend::hold_output();
    }
}

ZEND_METHOD(Stampede_WebRequest, release) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    if (!refuse_without_request()) {
        RETVAL_STR(zend::release_output());
    }
}

ZEND_METHOD(Stampede_WebRequest, isolateStatics) {
    HashTable* properties;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ARRAY_HT(properties)
    ZEND_PARSE_PARAMETERS_END();
    zval* property;
    ZEND_HASH_FOREACH_VAL(properties, property) {
        if (!isolate_static(*property)) {
            return;
        }
    }
    ZEND_HASH_FOREACH_END();
}

ZEND_METHOD(Stampede_WebRequest, keepSettingsOf) {
    HashTable* classes;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ARRAY_HT(classes)
    ZEND_PARSE_PARAMETERS_END();
    zval* name;
    ZEND_HASH_FOREACH_VAL(classes, name) {
        if (Z_TYPE_P(name) != IS_STRING) {
            zend_argument_value_error(1, "must be a list of names of classes");
            return;
        }
        zend_class_entry* ce = zend_lookup_class(Z_STR_P(name));
        if (ce == nullptr) {
            if (!zend::exception_pending()) {
                zend::throw_error(zend::error_classes.exception, 0, "there is no class %s",
                                  Z_STRVAL_P(name));
            }
            return;
        }
        zend::keep_settings_made_below(ce);
    }
    ZEND_HASH_FOREACH_END();
}

ZEND_METHOD(Stampede_WebRequest, endProcessToo) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    ends_process = true;
}

namespace stampede::ext {

zend_result web_request_minit(int, int) {
    zend_class_entry* ce = register_class_Stampede_WebRequest();
    ce->ce_flags |= ZEND_ACC_NO_DYNAMIC_PROPERTIES;
    zend::install_request_filters();
    return SUCCESS;
}

// When all modules are there.
// The functions of all modules are there by the first request, and stay. Once: what watches and
// what wraps the same function would call each other for ever, were they put in place a second
// time.
zend_result web_request_rinit(int, int) {
    static bool watches = false;
    if (!std::exchange(watches, true)) {
        zend::watch_settings_of_requests();
        zend::watch_changes_of_process();
    }
    zend::note_time_of_opcache();
    return SUCCESS;
}

zend_result web_request_rshutdown(int, int) {
    zend::abandon_web_requests();
    return SUCCESS;
}

zend_result web_request_post_deactivate() {
    if (ends_process) {
        _exit(zend::exit_status());
    }
    return SUCCESS;
}

}  // namespace stampede::ext
