// Swoole\Server: commands.
#include "ext/server/commands.h"

#include <algorithm>

#include "classes/server/server_object.h"
extern "C" {  // this header does not say so itself
#include "ext/json/php_json.h"
}
#include "zend/throw.h"
#include "zend_smart_str.h"

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Server, addCommand) {
    zend_string* name;
    zend_long accepted;
    zend_fcall_info fci;
    zend_fcall_info_cache fcc;
    ZEND_PARSE_PARAMETERS_START(3, 3)
        Z_PARAM_STR(name)
        Z_PARAM_LONG(accepted)
        Z_PARAM_FUNC(fci, fcc)
    ZEND_PARSE_PARAMETERS_END();

    ServerState& state = *server_of(Z_OBJ_P(ZEND_THIS))->state;
    zend::Callable callback = zend::Callable::hold(fci, fcc);
    std::string_view wanted(ZSTR_VAL(name), ZSTR_LEN(name));
    bool known = std::ranges::any_of(
        state.commands, [&](const ServerCommand& command) { return command.name == wanted; });
    if (state.started || known) {
        callback.release();
        zend::warning(known ? "this command has been added already"
                            : "server is running, unable to add command");
        RETURN_FALSE;
    }
    state.commands.push_back({std::string(wanted), static_cast<int>(accepted), callback});
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Server, command) {
    zend_string* name;
    zend_long process;
    zend_long type;
    zval* data;
    bool decode = true;
    ZEND_PARSE_PARAMETERS_START(4, 5)
        Z_PARAM_STR(name)
        Z_PARAM_LONG(process)
        Z_PARAM_LONG(type)
        Z_PARAM_ZVAL(data)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL(decode)
    ZEND_PARSE_PARAMETERS_END();

    ServerState& state = *server_of(Z_OBJ_P(ZEND_THIS))->state;
    if (!state.started) {
        zend::warning("server is not running");
        RETURN_FALSE;
    }
    std::string_view wanted(ZSTR_VAL(name), ZSTR_LEN(name));
    auto found = std::ranges::find(state.commands, wanted, &ServerCommand::name);
    if (found == state.commands.end() || (found->accepted & type) == 0) {
        zend::warning(found == state.commands.end()
                          ? "there is no command [%s]"
                          : "the command [%s] is not for processes of this type",
                      ZSTR_VAL(name));
        RETURN_FALSE;
    }
    CommandTarget target = find_command_target(state, process, type);
    smart_str text = {};
    if (!target.good || php_json_encode(&text, data, 0) != SUCCESS) {
        smart_str_free(&text);
        RETURN_FALSE;
    }
    zend_string* encoded = smart_str_extract(&text);
    std::string result;
    bool good = run_command(state, static_cast<uint32_t>(found - state.commands.begin()), target,
                            {ZSTR_VAL(encoded), ZSTR_LEN(encoded)}, result);
    zend_string_release(encoded);
    if (zend::exception_pending()) {
        RETURN_THROWS();
    }
    if (!good) {
        RETURN_FALSE;
    }
    if (!decode) {
        RETURN_STRINGL(result.data(), result.size());
    }
    if (php_json_decode_ex(return_value, result.data(), result.size(), PHP_JSON_OBJECT_AS_ARRAY,
                           512) != SUCCESS) {
        RETURN_FALSE;
    }
}
