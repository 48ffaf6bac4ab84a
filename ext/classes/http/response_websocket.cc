// The methods of Swoole\Http\Response that speak WebSocket once upgrade() has agreed on it.
#include <cerrno>

#include "ext/server/prompt_sending.h"
#include "classes/coroutine/coroutine.h"
#include "classes/http/response.h"
#include "ext/server/websocket_handshake.h"
#include "classes/websocket/peer.h"
#include "ext/server/websocket_hub.h"
#include "error_numbers.h"
#include "io/bound.h"
#include "server/gathered_fields.h"
#include "subsystems.h"
#include "zend/throw.h"

#include "stubs/websocket_functions_arginfo.h"

namespace stampede::classes {

namespace {

constexpr size_t kPingBytes = 8;              // of HTTP/2
constexpr size_t kMostDebugData = 16384 - 8;  // of a GOAWAY: the smallest frame limit of a peer

// What header() and cookie() have collected goes into the response of the handshake. One of the
// process, since reading values may end the script.
server::GatheredFields gathered;

void gather(const ResponseField& field, zval* value) {
    zend_string* text = zval_get_string(value);
    gathered.add({ZSTR_VAL(field.name), ZSTR_LEN(field.name)}, {ZSTR_VAL(text), ZSTR_LEN(text)});
    zend_string_release(text);
}

server::FieldList gather_fields(ResponseObject& response) {
    gathered.clear();
    for (uint32_t i = 0; i < response.fields.count; i++) {
        ResponseField& field = response.fields.items[i];
        bool framing = field.role == FieldRole::kConnection ||
                       field.role == FieldRole::kContentLength ||
                       field.role == FieldRole::kFraming ||
                       zend_string_equals_literal_ci(field.name, "upgrade");
        if (framing) {
            continue;
        }
        if (Z_TYPE(field.value) == IS_ARRAY) {
            zval* line;
            ZEND_HASH_FOREACH_VAL(Z_ARRVAL(field.value), line) { gather(field, line); }
            ZEND_HASH_FOREACH_END();
        } else {
            gather(field, &field.value);
        }
    }
    return gathered.list();
}

bool not_upgraded(const char* what) {
    zend::set_last_error(api_error::kWebSocketUnconnected);
    zend::warning("%s needs a WebSocket connection: call upgrade() first", what);
    return false;
}

WebSocketPeer* open_peer(ResponseObject& response, const char* what) {
    if (response.websocket == nullptr) {
        not_upgraded(what);
        return nullptr;
    }
    if (!response.websocket->open()) {
        zend::set_last_error(api_error::kWebSocketUnconnected);
        return nullptr;
    }
    return response.websocket;
}

bool speaks_http2(ResponseObject& response) {
    return response.exchange != nullptr && response.exchange->stream_id() != 0;
}

bool ping_http2(server::Exchange& exchange, const zend_string* data) {
    std::string_view payload;
    if (data != nullptr) {
        payload = {ZSTR_VAL(data), ZSTR_LEN(data)};
    }
    if (payload.size() > kPingBytes) {
        zend::warning("a ping of HTTP/2 carries at most %zu bytes", kPingBytes);
        return false;
    }
    return exchange.ping(payload);
}

bool send(ResponseObject& response, zval* data, zend_long opcode, zend_long flags) {
    WebSocketPeer* peer = open_peer(response, "sending a frame");
    OutFrame frame;
    if (peer == nullptr || !read_frame(data, opcode, flags, frame)) {
        return false;
    }
    bool sent = peer->send(frame);
    frame.release();
    return sent;
}

}  // namespace

server::FieldList handshake_fields(ResponseObject& response) { return gather_fields(response); }

void drop_websocket(ResponseObject& response) {
    WebSocketPeer* peer = response.websocket;
    response.websocket = nullptr;
    delete peer;
}

bool finish_handshake(ResponseObject& response) {
    server::Exchange& exchange = *response.exchange;
    WebSocketHub* hub = websocket_hub();
    if (hub == nullptr || exchange.connection() == nullptr ||
        exchange.response() != server::ResponseState::kNone || judge_handshake(exchange) != 0) {
        return false;
    }
    hub->finish_handshake(exchange, gather_fields(response));
    gathered.release();
    let_go(response);
    return true;
}

// False when it was closed already.
bool shut_websocket(ResponseObject& response) {
    bool open = response.websocket->open();
    response.websocket->shut();
    return open;
}

}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

#define THIS_RESPONSE (*response_of(Z_OBJ_P(ZEND_THIS)))

ZEND_METHOD(Swoole_Http_Response, upgrade) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    ResponseObject& response = THIS_RESPONSE;
    if (response.carrier != nullptr) {
        zend::warning(
            "upgrade() needs a request of a server: Swoole\\Coroutine\\Http\\Server accepts "
            "WebSockets in coroutines");
        RETURN_FALSE;
    }
    server::Exchange* exchange = usable_exchange(response);
    if (exchange == nullptr || exchange->response() != server::ResponseState::kNone) {
        RETURN_FALSE;
    }
    if (exchange->connection() == nullptr) {
        RETURN_FALSE;
    }
    response.websocket = WebSocketPeer::upgrade(*exchange, gather_fields(response));
    gathered.release();
    let_go(response);
    RETURN_BOOL(response.websocket != nullptr);
}

ZEND_METHOD(Swoole_Http_Response, push) {
    zval* data;
    zend_long opcode = proto::ws::kText;
    zend_long flags = kFlagFin;
    bool usual = false;  // null: a final frame, as the API has always taken it
    ZEND_PARSE_PARAMETERS_START(1, 3)
        Z_PARAM_ZVAL(data)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(opcode)
        Z_PARAM_LONG_OR_NULL(flags, usual)
    ZEND_PARSE_PARAMETERS_END();
    flags = usual ? zend_long{kFlagFin} : flags;
    bool sent = send(THIS_RESPONSE, data, opcode, flags);
    send_promptly(execute_data);
    RETURN_BOOL(sent);
}

ZEND_METHOD(Swoole_Http_Response, ping) {
    zend_string* data = nullptr;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_STR(data)
    ZEND_PARSE_PARAMETERS_END();
    if (THIS_RESPONSE.websocket == nullptr && speaks_http2(THIS_RESPONSE)) {
        bool sent = ping_http2(*THIS_RESPONSE.exchange, data);
        send_promptly(execute_data);
        RETURN_BOOL(sent);
    }
    zval text;
    ZVAL_STR(&text, data != nullptr ? data : ZSTR_EMPTY_ALLOC());
    bool sent = send(THIS_RESPONSE, &text, proto::ws::kPing, kFlagFin);
    send_promptly(execute_data);
    RETURN_BOOL(sent);
}

ZEND_METHOD(Swoole_Http_Response, recv) {
    double timeout = 0;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    ResponseObject& response = THIS_RESPONSE;
    if (require_coroutine() == nullptr) {
        RETURN_THROWS();
    }
    if (response.websocket == nullptr) {
        not_upgraded("recv()");
        RETURN_FALSE;
    }
    if (const runtime::Fiber* reader = response.websocket->reader()) {
        io::throw_bound({"The WebSocket connection", "connection", "let one coroutine read it"},
                        *reader, "reading", "reading");
        RETURN_THROWS();
    }
    Nanos deadline = io::deadline_in(timeout_of(timeout));
    switch (response.websocket->receive(deadline, return_value)) {
        case WebSocketPeer::Received::kFrame:
            return;
        case WebSocketPeer::Received::kClosed:
            RETURN_EMPTY_STRING();
        default:
            RETURN_FALSE;
    }
}

ZEND_METHOD(Swoole_Http_Response, disconnect) {
    zend_long code = proto::ws::kCloseNormal;
    zend_string* reason = nullptr;
    ZEND_PARSE_PARAMETERS_START(0, 2)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(code)
        Z_PARAM_STR(reason)
    ZEND_PARSE_PARAMETERS_END();
    if (code < 0 || code > 65535 || !proto::ws::valid_close_code(static_cast<uint16_t>(code))) {
        zend::warning(ZEND_LONG_FMT " is no code that a close frame may carry", code);
        RETURN_FALSE;
    }
    WebSocketPeer* peer = open_peer(THIS_RESPONSE, "disconnect()");
    if (peer == nullptr) {
        RETURN_FALSE;
    }
    std::string_view text;
    if (reason != nullptr) {
        text = {ZSTR_VAL(reason), ZSTR_LEN(reason)};
    }
    peer->close(static_cast<uint16_t>(code), text);
    send_promptly(execute_data);
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Http_Response, goaway) {
    zend_long code = 0;
    zend_string* data = nullptr;
    ZEND_PARSE_PARAMETERS_START(0, 2)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(code)
        Z_PARAM_STR(data)
    ZEND_PARSE_PARAMETERS_END();
    if (code < 0 || code > UINT32_MAX) {
        zend::warning(ZEND_LONG_FMT " is no error code of HTTP/2", code);
        RETURN_FALSE;
    }
    std::string_view text;
    if (data != nullptr) {
        text = {ZSTR_VAL(data), ZSTR_LEN(data)};
    }
    if (text.size() > kMostDebugData) {
        zend::warning("the text of goaway() has at most %zu bytes", kMostDebugData);
        RETURN_FALSE;
    }
    if (usable_exchange(THIS_RESPONSE) == nullptr) {
        RETURN_FALSE;
    }
    if (!speaks_http2(THIS_RESPONSE)) {
        zend::warning("goaway() needs an HTTP/2 connection");
        RETURN_FALSE;
    }
    bool sent = THIS_RESPONSE.exchange->goaway(static_cast<uint32_t>(code), text);
    send_promptly(execute_data);
    RETURN_BOOL(sent);
}

ZEND_FUNCTION(Stampede_keep_websocket) {
    zend_object* object;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_OBJ_OF_CLASS(object, response_class)
    ZEND_PARSE_PARAMETERS_END();
    WebSocketPeer* peer = response_of(object)->websocket;
    if (peer != nullptr) {
        peer->keep_open();
    }
    RETURN_BOOL(peer != nullptr);
}

namespace stampede::ext {

zend_result websocket_functions_minit(int, int) {
    return zend_register_functions(nullptr, ext_functions, nullptr, MODULE_PERSISTENT);
}

}  // namespace stampede::ext
