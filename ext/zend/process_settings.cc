#include "zend/process_settings.h"

#include <clocale>

#include "os/working_directory.h"

namespace stampede::zend {

namespace {

constexpr const char* kEncodingFunction = "mb_internal_encoding";

// Indexed by ProcessSetting.
constexpr const char* kFunctions[kProcessSettings] = {"chdir", "umask", "setlocale",
                                                      kEncodingFunction};

// The handlers that these have displaced, ours or another extension's.
zif_handler usual_handlers[kProcessSettings];
void (*tell_change)(ProcessSetting);

void call_encoding(uint32_t argc, zval* argv, zval* result) {
    zval name;
    ZVAL_STRING(&name, kEncodingFunction);
    ZVAL_UNDEF(result);
    (void)call_user_function(nullptr, nullptr, &name, result, argc, argv);
    zval_ptr_dtor(&name);
}

// Without a descriptor (-1) for a directory that the process may not open: it is not come back to.
zval present_value(ProcessSetting setting) {
    zval value;
    switch (setting) {
        case ProcessSetting::kDirectory:
            ZVAL_LONG(&value, os::hold_working_directory());
            break;
        case ProcessSetting::kMask:
            ZVAL_LONG(&value, os::file_mode_mask());
            break;
        case ProcessSetting::kLocale:
            ZVAL_STRING(&value, ::setlocale(LC_ALL, nullptr));
            break;
        case ProcessSetting::kEncoding:
            call_encoding(0, nullptr, &value);
            break;
    }
    return value;
}

// What was in force before, so nothing refuses it, except that a directory may have been deleted
// meanwhile: then the process stays where it is.
void install(ProcessSetting setting, zval& value) {
    zval accepted;
    switch (setting) {
        case ProcessSetting::kDirectory:
            (void)os::enter_directory(static_cast<int>(Z_LVAL(value)));
            break;
        case ProcessSetting::kMask:
            os::set_file_mode_mask(static_cast<unsigned>(Z_LVAL(value)));
            break;
        case ProcessSetting::kLocale:
            (void)::setlocale(LC_ALL, Z_STRVAL(value));
            zend_update_current_locale();
            break;
        case ProcessSetting::kEncoding:
            call_encoding(1, &value, &accepted);
            zval_ptr_dtor(&accepted);
            break;
    }
}

void release(ProcessSetting setting, zval& value) {
    if (setting == ProcessSetting::kDirectory) {
        os::release_directory(static_cast<int>(Z_LVAL(value)));
    } else {
        zval_ptr_dtor(&value);
    }
}

// One function for each entry: a handler is not told under which name it was called that could be
// relied on, since closures of a function have another one.
template <int N>
void tell_and_call(INTERNAL_FUNCTION_PARAMETERS) {
    tell_change(static_cast<ProcessSetting>(N));
    usual_handlers[N](INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

constexpr zif_handler kHandlers[kProcessSettings] = {tell_and_call<0>, tell_and_call<1>,
                                                     tell_and_call<2>, tell_and_call<3>};

}  // namespace

ProcessSettings::~ProcessSettings() {
    for (int i = 0; i < kProcessSettings; i++) {
        if ((changed_ & (1U << i)) != 0) {
            release(static_cast<ProcessSetting>(i), values_[i]);
        }
    }
}

void ProcessSettings::keep(ProcessSetting setting) {
    auto i = static_cast<int>(setting);
    if ((changed_ & (1U << i)) == 0) {
        // First: asking for the value may call the function that is being watched.
        changed_ |= 1U << i;
        values_[i] = present_value(setting);
    }
}

// For each setting that the request has changed: what is in force now goes where the other value
// lay. When the request leaves, that is its own value; when it enters, the process's.
void ProcessSettings::swap() {
    for (int i = 0; i < kProcessSettings; i++) {
        if ((changed_ & (1U << i)) != 0) {
            auto setting = static_cast<ProcessSetting>(i);
            zval left = present_value(setting);
            install(setting, values_[i]);
            release(setting, values_[i]);
            values_[i] = left;
        }
    }
}

// The zend_function in the table is changed, which each process has for itself. Compiled code and
// opcache's memory refer to it by address or name; the JIT copies the handler's address out of it.
void watch_process_settings(void (*changing)(ProcessSetting)) {
    tell_change = changing;
    for (int i = 0; i < kProcessSettings; i++) {
        auto* function = static_cast<zend_function*>(
            zend_hash_str_find_ptr(CG(function_table), kFunctions[i], strlen(kFunctions[i])));
        // A function that disable_functions has taken away is not there; mbstring is not
        // everywhere.
        if (function != nullptr && function->type == ZEND_INTERNAL_FUNCTION &&
            function->internal_function.handler != kHandlers[i]) {
            usual_handlers[i] = function->internal_function.handler;
            function->internal_function.handler = kHandlers[i];
        }
    }
}

}  // namespace stampede::zend
