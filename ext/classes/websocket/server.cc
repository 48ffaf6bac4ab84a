// Swoole\WebSocket\Server: pushing to the connections of the hub by their number.
#include "ext/server/prompt_sending.h"
#include "ext/server/peers.h"
#include "ext/server/sending.h"
#include "classes/server/server_object.h"
#include "classes/websocket/frame.h"
#include "subsystems.h"
#include "ext/server/websocket_hub.h"
#include "error_numbers.h"
#include "zend/last_error.h"
#include "zend/throw.h"

#include "stubs/websocket_server_arginfo.h"

namespace stampede::classes {

zend_class_entry* websocket_server_class;

namespace {

bool push(zend_long fd, zval* data, zend_long opcode, zend_long flags) {
    OutFrame frame;
    if (!read_frame(data, opcode, flags, frame)) {
        return false;
    }
    bool pushed = push_to_connection(fd, frame);
    frame.release();
    return pushed;
}

}  // namespace
}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_WebSocket_Server, push) {
    zend_long fd;
    zval* data;
    zend_long opcode = proto::ws::kText;
    zend_long flags = kFlagFin;
    bool usual = false;  // null: a final frame, as the API has always taken it
    ZEND_PARSE_PARAMETERS_START(2, 4)
        Z_PARAM_LONG(fd)
        Z_PARAM_ZVAL(data)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(opcode)
        Z_PARAM_LONG_OR_NULL(flags, usual)
    ZEND_PARSE_PARAMETERS_END();
    flags = usual ? zend_long{kFlagFin} : flags;
    bool sent = push(fd, data, opcode, flags);
    send_promptly(execute_data);
    RETURN_BOOL(sent);
}

ZEND_METHOD(Swoole_WebSocket_Server, ping) {
    zend_long fd;
    zend_string* data = nullptr;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_LONG(fd)
        Z_PARAM_OPTIONAL
        Z_PARAM_STR(data)
    ZEND_PARSE_PARAMETERS_END();
    zval text;
    ZVAL_STR(&text, data != nullptr ? data : ZSTR_EMPTY_ALLOC());
    bool sent = push(fd, &text, proto::ws::kPing, kFlagFin);
    send_promptly(execute_data);
    RETURN_BOOL(sent);
}

ZEND_METHOD(Swoole_WebSocket_Server, disconnect) {
    zend_long fd;
    zend_long code = proto::ws::kCloseNormal;
    zend_string* reason = nullptr;
    ZEND_PARSE_PARAMETERS_START(1, 3)
        Z_PARAM_LONG(fd)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(code)
        Z_PARAM_STR(reason)
    ZEND_PARSE_PARAMETERS_END();
    if (code < 0 || code > 65535 || !proto::ws::valid_close_code(static_cast<uint16_t>(code))) {
        zend::warning(ZEND_LONG_FMT " is no code that a close frame may carry", code);
        RETURN_FALSE;
    }
    WebSocketHub* hub = websocket_hub();
    std::string_view text;
    if (reason != nullptr) {
        text = {ZSTR_VAL(reason), ZSTR_LEN(reason)};
    }
    auto number = static_cast<uint16_t>(code);
    bool known = disconnect_elsewhere(fd, number, text) ||
                 (hub != nullptr && hub->disconnect(fd, number, text));
    if (!known) {
        zend::set_last_error(api_error::kWebSocketUnconnected);
    }
    send_promptly(execute_data);
    RETURN_BOOL(known);
}

ZEND_METHOD(Swoole_WebSocket_Server, isEstablished) {
    zend_long fd;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(fd)
    ZEND_PARSE_PARAMETERS_END();
    WebSocketHub* hub = websocket_hub();
    RETURN_BOOL((hub != nullptr && hub->established(fd)) ||
                standing_of(fd) == shm::Standing::kEstablished);
}

namespace stampede::classes {

zend_result websocket_server_minit(int, int) {
    websocket_server_class = register_class_Swoole_WebSocket_Server(http_server_class);
    register_class_swoole_websocket_server(websocket_server_class);
    return SUCCESS;
}

}  // namespace stampede::classes
