// The small functions of the API: facts about the machine, errors and their texts, parts of
// strings, debugging helps. Each parses, makes one call and returns. PHP thread, none parks.
#include "classes/process/process_object.h"
#include "module.h"

#include <netdb.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <string_view>

extern "C" {  // these headers do not say so themselves
#include "ext/json/php_json.h"
#include "ext/standard/crc32.h"
#include "ext/standard/php_var.h"
}
#include "os/host.h"
#include "os/log.h"
#include "runtime/runtime.h"
#include "stubs/functions_arginfo.h"
#include "subsystems.h"
#include "zend/last_error.h"
#include "zend/object_store.h"
#include "zend/process_state.h"
#include "zend_interfaces.h"

namespace {

namespace os = stampede::os;
namespace zend = stampede::zend;

constexpr zend_long kTextOfResolver = 1;  // SWOOLE_STRERROR_GAI
constexpr zend_long kTextOfDns = 2;       // SWOOLE_STRERROR_DNS
constexpr zend_long kTextOfApi = 9;       // SWOOLE_STRERROR_SWOOLE
constexpr zend_long kFirstApiError = 500;
constexpr zend_long kLastApiError = 10100;

bool shutdown_began;

const char* error_text(zend_long code, zend_long type) {
    int number = static_cast<int>(code);
    if (type == kTextOfResolver) {
        return gai_strerror(number);
    }
    if (type == kTextOfDns) {
        return hstrerror(number);
    }
    if (type == kTextOfApi || (code > kFirstApiError && code < kLastApiError)) {
        const char* text = zend::api_error_text(number);
        if (text) {
            return text;
        }
    }
    return strerror(number);
}

// The part of a string that $offset and $length name; false when it is empty or outside.
bool cut(const zend_string* string, zend_long offset, zend_long length, std::string_view& part) {
    std::string_view whole(ZSTR_VAL(string), ZSTR_LEN(string));
    if (offset < 0) {
        offset += static_cast<zend_long>(whole.size());
    }
    if (offset < 0 || static_cast<size_t>(offset) >= whole.size()) {
        return false;
    }
    part = whole.substr(offset, length > 0 ? static_cast<size_t>(length) : std::string_view::npos);
    return length <= 0 || part.size() == static_cast<size_t>(length);
}

void write_log(zend_long level, const zend_string* message) {
    if (level >= 0 && level < static_cast<zend_long>(os::LogLevel::kNone)) {
        os::LogLevel known = static_cast<os::LogLevel>(level);
        if (os::Log::get().enabled(known)) {
            os::Log::get().write_text(known, ZSTR_VAL(message), ZSTR_LEN(message));
        }
    }
}

}  // namespace

ZEND_FUNCTION(swoole_version) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_STRING(STAMPEDE_API_VERSION);
}

ZEND_FUNCTION(swoole_cpu_num) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_LONG(os::cpu_count());
}

ZEND_FUNCTION(swoole_container_cpu_num) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_LONG(os::container_cpu_count());
}

ZEND_FUNCTION(swoole_is_in_container) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_BOOL(os::in_container());
}

ZEND_FUNCTION(swoole_get_local_ip) {
    zend_long family = AF_INET;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(family)
    ZEND_PARSE_PARAMETERS_END();

    if (family != AF_INET && family != AF_INET6) {
        zend_argument_value_error(1, "must be AF_INET or AF_INET6");
        RETURN_THROWS();
    }
    array_init(return_value);
    os::visit_interfaces(
        static_cast<int>(family),
        [](void* list, const os::InterfaceAddress& address) {
            if (!address.loopback) {
                add_assoc_string(static_cast<zval*>(list), address.name, address.text.data());
            }
        },
        return_value);
}

ZEND_FUNCTION(swoole_get_local_mac) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    array_init(return_value);
    os::visit_interfaces(
        AF_PACKET,
        [](void* list, const os::InterfaceAddress& address) {
            add_assoc_string(static_cast<zval*>(list), address.name, address.text.data());
        },
        return_value);
}

ZEND_FUNCTION(swoole_set_process_name) {
    zend_string* name;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(name)
    ZEND_PARSE_PARAMETERS_END();
    zend::set_process_title(name, return_value);
}

ZEND_FUNCTION(swoole_strerror) {
    zend_long code;
    zend_long type = 0;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_LONG(code)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(type)
    ZEND_PARSE_PARAMETERS_END();

    RETURN_STRING(error_text(code, type));
}

ZEND_FUNCTION(swoole_errno) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_LONG(errno);
}

ZEND_FUNCTION(swoole_last_error) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_LONG(zend::last_error());
}

ZEND_FUNCTION(swoole_clear_error) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    zend::set_last_error(0);
    errno = 0;
}

ZEND_FUNCTION(swoole_error_log) {
    zend_long level;
    zend_string* message;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_LONG(level)
        Z_PARAM_STR(message)
    ZEND_PARSE_PARAMETERS_END();

    write_log(level, message);
}

ZEND_FUNCTION(swoole_error_log_ex) {
    zend_long level, error;
    zend_string* message;
    ZEND_PARSE_PARAMETERS_START(3, 3)
        Z_PARAM_LONG(level)
        Z_PARAM_LONG(error)
        Z_PARAM_STR(message)
    ZEND_PARSE_PARAMETERS_END();

    if (!zend::is_ignored_error(static_cast<int>(error))) {
        write_log(level, message);
    }
}

ZEND_FUNCTION(swoole_ignore_error) {
    zend_long error;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(error)
    ZEND_PARSE_PARAMETERS_END();

    zend::ignore_error(static_cast<int>(error));
}

ZEND_FUNCTION(swoole_hashcode) {
    char* data;
    size_t length;
    zend_long type = 0;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_STRING(data, length)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(type)
    ZEND_PARSE_PARAMETERS_END();

    if (type == 0) {
        RETURN_LONG(static_cast<zend_long>(zend_hash_func(data, length)));
    }
    if (type == 1) {
        RETURN_LONG(static_cast<zend_long>(
            php_crc32_bulk_end(php_crc32_bulk_update(php_crc32_bulk_init(), data, length))));
    }
    RETURN_FALSE;
}

ZEND_FUNCTION(swoole_async_set) {
    zval* settings;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ARRAY(settings)
    ZEND_PARSE_PARAMETERS_END();

    if (zval* waits = zend_hash_str_find(Z_ARRVAL_P(settings), ZEND_STRL("wait_signal"))) {
        stampede::classes::keep_loop_for_signals(zend_is_true(waits));
    }
    if (zval* yes = zend_hash_str_find(Z_ARRVAL_P(settings), ZEND_STRL("enable_coroutine"))) {
        stampede::runtime::Runtime::get().start_callbacks_in_coroutines(zend_is_true(yes));
    }
    zend_string* name = zend_string_init(ZEND_STRL("Swoole\\Coroutine"), 0);
    zend_class_entry* coroutine = zend_lookup_class(name);
    zend_string_release(name);
    if (!coroutine) {
        RETURN_FALSE;
    }
    zend_call_method_with_1_params(nullptr, coroutine, nullptr, "set", nullptr, settings);
    RETURN_TRUE;
}

ZEND_FUNCTION(swoole_substr_unserialize) {
    zend_string* string;
    zend_long offset;
    zend_long length = 0;
    HashTable* options = nullptr;
    ZEND_PARSE_PARAMETERS_START(2, 4)
        Z_PARAM_STR(string)
        Z_PARAM_LONG(offset)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(length)
        Z_PARAM_ARRAY_HT(options)
    ZEND_PARSE_PARAMETERS_END();

    std::string_view part;
    if (!cut(string, offset, length, part)) {
        RETURN_FALSE;
    }
    php_unserialize_with_options(return_value, part.data(), part.size(), options,
                                 "swoole_substr_unserialize");
}

ZEND_FUNCTION(swoole_substr_json_decode) {
    zend_string* string;
    zend_long offset;
    zend_long length = 0;
    bool associative = false;
    zend_long depth = PHP_JSON_PARSER_DEFAULT_DEPTH;
    zend_long flags = 0;
    ZEND_PARSE_PARAMETERS_START(2, 6)
        Z_PARAM_STR(string)
        Z_PARAM_LONG(offset)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(length)
        Z_PARAM_BOOL(associative)
        Z_PARAM_LONG(depth)
        Z_PARAM_LONG(flags)
    ZEND_PARSE_PARAMETERS_END();

    if (depth <= 0 || depth > INT_MAX) {
        zend_argument_value_error(5, "must be between 1 and %d", INT_MAX);
        RETURN_THROWS();
    }
    std::string_view part;
    if (!cut(string, offset, length, part)) {
        RETURN_FALSE;
    }
    if (associative) {
        flags |= PHP_JSON_OBJECT_AS_ARRAY;
    }
    // The engine's scanner wants a NUL after the text: a part that ends earlier is copied.
    zend_string* text = zend_string_init(part.data(), part.size(), 0);
    php_json_decode_ex(return_value, ZSTR_VAL(text), ZSTR_LEN(text), flags, depth);
    zend_string_release(text);
}

ZEND_FUNCTION(swoole_get_objects) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    array_init(return_value);
    zend::append_live_objects(return_value);
}

ZEND_FUNCTION(swoole_get_vm_status) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    array_init(return_value);
    add_assoc_long(return_value, "object_num", zend::live_object_count());
    add_assoc_long(return_value, "resource_num", zend::live_resource_count());
}

ZEND_FUNCTION(swoole_get_object_by_handle) {
    zend_long handle;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(handle)
    ZEND_PARSE_PARAMETERS_END();

    zend_object* object = handle > 0 && handle <= UINT32_MAX
                              ? zend::find_object(static_cast<uint32_t>(handle))
                              : nullptr;
    if (!object) {
        RETURN_FALSE;
    }
    RETURN_OBJ_COPY(object);
}

ZEND_FUNCTION(swoole_implicit_fn) {
    zend_string* name;
    zval* argument = nullptr;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_STR(name)
        Z_PARAM_OPTIONAL
        Z_PARAM_ZVAL(argument)
    ZEND_PARSE_PARAMETERS_END();

    if (zend_string_equals_literal(name, "refcount") && argument) {
        RETURN_LONG(Z_REFCOUNTED_P(argument) ? Z_REFCOUNT_P(argument) : 0);
    }
    if (zend_string_equals_literal(name, "abort")) {
        abort();
    }
    RETURN_FALSE;
}

ZEND_FUNCTION(swoole_internal_call_user_shutdown_begin) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    if (shutdown_began) {
        zend_error(E_WARNING,
                   "The shutdown functions of this script began already: call this function once.");
        RETURN_FALSE;
    }
    shutdown_began = true;
    RETURN_TRUE;
}

namespace stampede::ext {

zend_result functions_minit(int, int) {
    return zend_register_functions(nullptr, ext_functions, nullptr, MODULE_PERSISTENT);
}

zend_result functions_rinit(int, int) {
    shutdown_began = false;
    return SUCCESS;
}

}  // namespace stampede::ext
