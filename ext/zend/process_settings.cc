#include "zend/process_settings.h"

#include <clocale>
#include <utility>

#include "os/working_directory.h"
#include "zend/error_level.h"
#include "zend/process_state.h"
#include "zend/wrapped_function.h"

namespace stampede::zend {

namespace {

// Indexed by ProcessSetting.
constexpr struct {
    const char* set;
    const char* tell;
} kFunctions[] = {
    {"chdir", nullptr},
    {"umask", nullptr},
    {"setlocale", nullptr},
    {"mb_internal_encoding", "mb_internal_encoding"},
    {"mb_substitute_character", "mb_substitute_character"},
    {"mb_regex_encoding", "mb_regex_encoding"},
    {"mb_detect_order", "mb_detect_order"},
    {"mb_http_output", "mb_http_output"},
    {"spl_autoload_extensions", "spl_autoload_extensions"},
    {"libxml_set_external_entity_loader", "libxml_get_external_entity_loader"},
    {"mb_regex_set_options", "mb_regex_set_options"},
    {"textdomain", "textdomain"},
    {"pcntl_async_signals", "pcntl_async_signals"},
};
static_assert(std::size(kFunctions) == kProcessSettings);

ProcessSettings* (*present_settings)();

zval call(const char* function, uint32_t argc, zval* argv) {
    zval name, result;
    ZVAL_STRING(&name, function);
    ZVAL_UNDEF(&result);
    (void)call_user_function(nullptr, nullptr, &name, &result, argc, argv);
    zval_ptr_dtor(&name);
    return result;
}

// textdomain() tells when it is given null; the others, when they are given nothing.
zval value_of_function(ProcessSetting setting) {
    zval nothing;
    ZVAL_NULL(&nothing);
    uint32_t argc = setting == ProcessSetting::kTextDomain ? 1 : 0;
    return call(kFunctions[static_cast<int>(setting)].tell, argc, &nothing);
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
        default:
            value = value_of_function(setting);
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
        default:
            accepted = call(kFunctions[static_cast<int>(setting)].set, 1, &value);
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

// Without arguments such a function only tells.
template <int N>
void note_change(zend_execute_data* call) {
    ProcessSettings* own = ZEND_CALL_NUM_ARGS(call) > 0 ? present_settings() : nullptr;
    if (own != nullptr) {
        own->keep(static_cast<ProcessSetting>(N));
    }
}

void note_variable(zend_execute_data* call) {
    zval* assignment = ZEND_CALL_NUM_ARGS(call) > 0 ? ZEND_CALL_ARG(call, 1) : nullptr;
    ProcessSettings* own = present_settings();
    if (own != nullptr && assignment != nullptr && Z_TYPE_P(assignment) == IS_STRING) {
        own->keep_variable({Z_STRVAL_P(assignment), Z_STRLEN_P(assignment)});
    }
}

void note_xml(zend_execute_data* call) {
    ProcessSettings* own = ZEND_CALL_NUM_ARGS(call) > 0 ? present_settings() : nullptr;
    if (own != nullptr) {
        own->keep_xml();
    }
}

void note_seed(zend_execute_data* /*call*/) {
    if (ProcessSettings* own = present_settings()) {
        own->note_seed();
    }
}

void note_connection(zend_execute_data* /*call*/) {
    if (ProcessSettings* own = present_settings()) {
        own->note_connection();
    }
}

template <int... N>
void watch_all(std::integer_sequence<int, N...> /*numbers*/) {
    (WatchedFunction<note_change<N>>::watch(kFunctions[N].set), ...);
}

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
    UnheardErrors unheard;
    for (int i = 0; i < kProcessSettings; i++) {
        if ((changed_ & (1U << i)) != 0) {
            auto setting = static_cast<ProcessSetting>(i);
            zval left = present_value(setting);
            install(setting, values_[i]);
            release(setting, values_[i]);
            values_[i] = left;
        }
    }
    environment_.swap();
    xml_.swap();
}

void ProcessSettings::forget_installed() {
    environment_.put_process_back();
    xml_.forget_installed();
    if (seeded_) {
        reseed();
    }
}

// Called as with "@" and without the application's handler of errors, which would be told that the
// function should be given a connection. It throws where the script has closed its own.
void ProcessSettings::close_connection() {
    if (!has_connected_) {
        return;
    }
    UnheardErrors unheard;
    zval result = call("pg_close", 0, nullptr);
    zval_ptr_dtor(&result);
    if (EG(exception) != nullptr) {
        OBJ_RELEASE(std::exchange(EG(exception), nullptr));
    }
}

void watch_process_settings(ProcessSettings* (*present)()) {
    present_settings = present;
    watch_all(std::make_integer_sequence<int, kProcessSettings>());
    WatchedFunction<note_variable>::watch("putenv");
    WatchedFunction<note_xml, 0>::watch("libxml_use_internal_errors");
    WatchedFunction<note_xml, 1>::watch("libxml_set_streams_context");
    WatchedFunction<note_seed, 0>::watch("mt_srand");
    WatchedFunction<note_seed, 1>::watch("srand");
    WatchedFunction<note_connection>::watch("pg_connect");
}

}  // namespace stampede::zend
