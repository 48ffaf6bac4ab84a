// Swoole\Redis\Server.
#include "ext/server/redis.h"

#include "classes/server/server_object.h"
#include "stubs/redis_server_arginfo.h"
#include "subsystems.h"
#include "zend/engine_version.h"
#include "zend/throw.h"
#include "zend/view.h"

namespace stampede::classes {

zend_class_entry* redis_server_class;

namespace {

using zend::view;

enum Type : zend_long { kError, kNil, kStatus, kInt, kString, kSet, kMap };

void append_bulk(std::string& out, zval* value) {
    zend_string* text = zval_get_string(value);
    out += "$" + std::to_string(ZSTR_LEN(text)) + "\r\n";
    out.append(view(text)).append("\r\n");
    zend_string_release(text);
}

// False when it is no array.
bool append_list(std::string& out, zval* value, bool with_keys) {
    if (value == nullptr || Z_TYPE_P(value) != IS_ARRAY) {
        zend::warning("the second parameter should be an array");
        return false;
    }
    uint32_t count = zend_hash_num_elements(Z_ARRVAL_P(value)) * (with_keys ? 2 : 1);
    out += "*" + std::to_string(count) + "\r\n";
    zend_ulong index;
    zend_string* key;
    zval* entry;
    ZEND_HASH_FOREACH_KEY_VAL(Z_ARRVAL_P(value), index, key, entry) {
        if (with_keys) {
            zval name;
            if (key != nullptr) {
                ZVAL_STR(&name, key);
            } else {
                ZVAL_LONG(&name, static_cast<zend_long>(index));
            }
            append_bulk(out, &name);
        }
        append_bulk(out, entry);
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

void append_line(std::string& out, char letter, zval* value, std::string_view otherwise) {
    out += letter;
    if (value != nullptr && Z_TYPE_P(value) != IS_NULL) {
        zend_string* text = zval_get_string(value);
        out += shown_redis_text(view(text).substr(0, view(text).find_first_of("\r\n")));
        zend_string_release(text);
    } else {
        out += otherwise;
    }
    out += "\r\n";
}

bool append_reply(std::string& out, zend_long type, zval* value) {
    switch (type) {
        case kNil:
            out += "$-1\r\n";
            return true;
        case kError:
            append_line(out, '-', value, "ERR");
            return true;
        case kStatus:
            append_line(out, '+', value, "OK");
            return true;
        case kInt:
            out += ":" + std::to_string(value != nullptr ? zval_get_long(value) : 0) + "\r\n";
            return true;
        case kString:
            if (value == nullptr || Z_TYPE_P(value) == IS_NULL) {
                zend::warning("require more parameters");
                return false;
            }
            append_bulk(out, value);
            return true;
        case kSet:
        case kMap:
            return append_list(out, value, type == kMap);
        default:
            zend::warning(
                "the type of the response must be one of the constants of "
                "Swoole\\Redis\\Server");
            return false;
    }
}

}  // namespace

zend_result redis_server_minit(int, int) {
    redis_server_class = register_class_Swoole_Redis_Server(server_class);
    return SUCCESS;
}

}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Redis_Server, setHandler) {
    zend_string* command;
    zval* callback;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_STR(command)
        Z_PARAM_ZVAL(callback)
    ZEND_PARSE_PARAMETERS_END();

    ServerState& state = *server_of(Z_OBJ_P(ZEND_THIS))->state;
    if (ZSTR_LEN(command) == 0 || ZSTR_LEN(command) >= kLongestRedisCommand) {
        zend::warning("the name of a command must have from 1 to %zu bytes",
                      kLongestRedisCommand - 1);
        RETURN_FALSE;
    }
    auto function = std::make_unique<zend::Callable>();
    if (!zend::Callable::hold(callback, *function)) {
        zend_argument_type_error(2, "must be a valid callback");
        RETURN_THROWS();
    }
    auto& place = state.redis_functions[redis_command_name(view(command))];
    if (place != nullptr) {
        place->release();
    }
    place = std::move(function);
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Redis_Server, getHandler) {
    zend_string* command;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(command)
    ZEND_PARSE_PARAMETERS_END();

    ServerState& state = *server_of(Z_OBJ_P(ZEND_THIS))->state;
    const zend::Callable* function = redis_function(state, view(command));
    if (function == nullptr) {
        return;
    }
    if (Z_TYPE(function->fci.function_name) == IS_OBJECT &&
        Z_OBJCE(function->fci.function_name) == zend_ce_closure) {
        RETURN_COPY(&function->fci.function_name);
    }
    zend::make_closure(function->fcc, return_value);
}

ZEND_METHOD(Swoole_Redis_Server, format) {
    zend_long type;
    zval* value = nullptr;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_LONG(type)
        Z_PARAM_OPTIONAL
        Z_PARAM_ZVAL(value)
    ZEND_PARSE_PARAMETERS_END();

    zend_string* text = nullptr;
    {
        std::string out;
        if (append_reply(out, type, value)) {
            text = zend_string_init(out.data(), out.size(), false);
        }
    }
    if (text == nullptr) {
        RETURN_FALSE;
    }
    RETURN_STR(text);
}
