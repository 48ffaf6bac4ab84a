#include "zend/pending.h"

#include <syslog.h>

#include <cstring>

#include "zend/throw.h"
#include "zend_exceptions.h"

namespace stampede::zend {

zend_object* pending_exception() { return EG(exception); }

void drop_exception() {
    if (EG(exception) != nullptr) {
        zend_clear_exception();
    }
}

zend_string* take_exception_report() {
    if (EG(exception) == nullptr) {
        return ZSTR_EMPTY_ALLOC();
    }
    zend_object* exception = EG(exception);
    GC_ADDREF(exception);
    zend_clear_exception();
    zend_string* text = format_exception(exception);
    OBJ_RELEASE(exception);
    return text;
}

// Read in the scope of the class that declares them: they are protected, and a class of the script
// may have private properties with the same names.
std::string describe_exception(zend_object* exception) {
    zend_class_entry* base =
        instanceof_function(exception->ce, zend_ce_error) ? zend_ce_error : zend_ce_exception;
    auto text_of = [&](const char* name) {
        zval held;
        zval* value = zend_read_property(base, exception, name, std::strlen(name), true, &held);
        zend_string* text = zval_get_string(value);
        std::string out(ZSTR_VAL(text), ZSTR_LEN(text));
        zend_string_release(text);
        return out;
    };
    return std::string(ZSTR_VAL(exception->ce->name)) + ": " + text_of("message") + " in " +
           text_of("file") + ":" + text_of("line");
}

// What the engine keeps of the last error is still there after a fatal one: its memory goes with
// the script.
std::string describe_last_error() {
    if (PG(last_error_message) == nullptr) {
        return "it ended with a fatal error";
    }
    std::string text(ZSTR_VAL(PG(last_error_message)), ZSTR_LEN(PG(last_error_message)));
    if (PG(last_error_file) != nullptr) {
        text += " in " + std::string(ZSTR_VAL(PG(last_error_file))) + ":" +
                std::to_string(PG(last_error_lineno));
    }
    return text;
}

void write_error_log(const std::string& text) {
    if (PG(log_errors)) {
        php_log_err_with_severity(text.c_str(), LOG_ERR);
    }
}

}  // namespace stampede::zend
