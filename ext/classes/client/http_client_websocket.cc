// The WebSocket half of the client.
#include <cerrno>
#include <cstring>

#include "classes/client/http_client.h"
#include "error_numbers.h"
#include "zend/throw.h"

namespace stampede::classes::client {

namespace {

using proto::ws::ReadEvent;
using proto::ws::Role;
using Kind = ReadEvent::Kind;

bool refuse_handshake(HttpClient& client, const char* why) {
    disconnect(client);
    return fail(client, 0, api_error::kWebSocketHandshakeFailed, why);
}

// Sends what is in `out`, then what control frames came up meanwhile.
bool flush(HttpClient& client, Nanos deadline) {
    // Closing drops the state that is being sent.
    Upgraded* ws = client.ws.get();
    HeldSocket held(client);
    ws->sending = true;
    for (;;) {
        size_t size = ws->out.size();
        size_t sent = client.stream().send_all(ws->out.view(), deadline);
        if (client.ws.get() != ws) {
            return fail(client, 0, ECANCELED, {});
        }
        if (sent < size) {
            return fail_by_stream(client, kSendFailed);  // the peer would take the rest for a frame
        }
        ws->out.clear();
        if (ws->pending.empty()) {
            break;
        }
        ws->out.swap(ws->pending);
    }
    ws->sending = false;
    ws->out.release();
    return true;
}

Nanos write_deadline(const HttpClient& client) {
    return io::deadline_in(client.settings.times.write);
}

// A control frame: now, or after the frame that another coroutine is sending.
bool send_control(HttpClient& client, uint8_t opcode, std::string_view payload) {
    constexpr size_t kMostPending = 64 * 1024;
    Upgraded& ws = *client.ws;
    if (!ws.sending) {
        append_control(ws.out, opcode, payload, Role::kClient);
        return flush(client, write_deadline(client));
    }
    if (ws.pending.size() < kMostPending) {  // one pong fewer in a flood of pings
        append_control(ws.pending, opcode, payload, Role::kClient);
    }
    return true;
}

bool send_close(HttpClient& client, uint16_t code, std::string_view reason, Nanos deadline) {
    Upgraded& ws = *client.ws;
    if (ws.close_sent) {
        return true;
    }
    ws.close_sent = true;
    append_close(ws.sending ? ws.pending : ws.out, code, reason, Role::kClient);
    return ws.sending || flush(client, deadline);
}

bool bad_frame(HttpClient& client, uint16_t code) {
    send_close(client, code, {}, write_deadline(client));
    disconnect(client);
    bool too_big = code == proto::ws::kCloseTooBig;
    return fail(client, 0,
                too_big ? api_error::kPackageTooLarge : api_error::kWebSocketUnpackFailed,
                too_big ? "the message is larger than package_max_length"
                        : "the server broke the WebSocket protocol");
}

bool closed_by_peer(HttpClient& client, const ReadEvent& event, zval* out) {
    if (client.settings.show_closes) {
        make_frame(event, client.stream().fd(), out);
        client.end_follows = true;
    } else {
        ZVAL_EMPTY_STRING(out);
    }
    uint16_t code = event.code;
    if (code == proto::ws::kCloseNoStatus) {
        code = proto::ws::kCloseNormal;
    }
    send_close(client, code, {}, write_deadline(client));
    disconnect(client);
    return true;
}

bool received_nothing(HttpClient& client, long count, zval* out) {
    if (count == 0) {
        disconnect(client);
        ZVAL_EMPTY_STRING(out);
        return true;
    }
    int error = client.stream().error();
    if (error == ETIMEDOUT || error == ECANCELED) {  // the connection is as good as before
        return fail(client, 0, error, {});
    }
    return fail_by_stream(client, kServerReset);
}

}  // namespace

bool begin_websocket(HttpClient& client) {
    std::unique_ptr<proto::ws::Deflate> deflate;
    switch (client.agreed) {
        case http1::Agreed::kNothing:
            return fail(client, 0, api_error::kWebSocketHandshakeFailed,
                        "the server did not agree to speak the WebSocket protocol");
        case http1::Agreed::kBadHandshake:
            return refuse_handshake(client, "the server's WebSocket handshake is not valid");
        case http1::Agreed::kBadExtension:
            return refuse_handshake(client, "the server chose an extension nobody offered");
        case http1::Agreed::kDeflate:
            deflate = io::make_deflate(Role::kClient, client.deflate_terms);
            break;
        case http1::Agreed::kPlain:
            break;
    }
    client.end_follows = false;
    proto::ws::ReadLimits limits;
    limits.message_bytes = client.settings.body_limit;
    client.ws = std::make_unique<Upgraded>(limits, std::move(deflate));
    return true;
}

bool push_frame(HttpClient& client, const OutFrame& frame) {
    Upgraded& ws = *client.ws;
    if (ws.sending) {
        io::refuse_second_user(client.stream().descriptor(), io::Direction::kWrite);
        return fail(client, 0, EBUSY, "another coroutine is sending on this connection");
    }
    if (ws.close_sent) {
        return fail(client, 0, api_error::kWebSocketUnconnected, {});
    }
    ws.close_sent = frame.opcode == proto::ws::kClose;
    if (!append_out_frame(ws.out, frame, Role::kClient, ws.deflate.get())) {
        return fail(client, 0, ENOMEM, {});
    }
    return flush(client, write_deadline(client));
}

// How much to read: the rest of a large frame goes to where it is needed, in large pieces.
size_t next_read(HttpClient& client) {
    constexpr size_t kLeast = 16 * 1024;
    constexpr size_t kMost = 128 * 1024;
    size_t missing = client.ws->reader.missing(client.in);
    return missing <= kLeast ? kLeast : std::min(client.in.reserve_announced(missing).size, kMost);
}

bool receive_frame(HttpClient& client, Nanos deadline, zval* out) {
    while (client.ws != nullptr) {
        ReadEvent event = client.ws->reader.next(client.in);
        switch (event.kind) {
            case Kind::kMessage:
                make_frame(event, client.stream().fd(), out);
                return true;
            case Kind::kClose:
                return closed_by_peer(client, event, out);
            case Kind::kBad:
                return bad_frame(client, event.code);
            case Kind::kPing:
            case Kind::kPong: {
                bool ping = event.kind == Kind::kPing;
                if (ping ? client.settings.show_pings : client.settings.show_pongs) {
                    make_frame(event, client.stream().fd(), out);
                    return true;
                }
                if (ping && !send_control(client, proto::ws::kPong, event.payload)) {
                    return false;
                }
                break;
            }
            case Kind::kNeedMore: {
                long count = receive_more(client, next_read(client), deadline);
                if (count <= 0) {
                    return received_nothing(client, count, out);
                }
                break;
            }
        }
    }
    return fail(client, 0, ECONNRESET, {});
}

bool close_websocket(HttpClient& client, uint16_t code, std::string_view reason) {
    if (!send_close(client, code, reason, write_deadline(client))) {
        return false;
    }
    // Messages that were on their way are dropped; the peer's close frame ends the wait.
    Nanos deadline = io::deadline_in(client.settings.times.read);
    while (client.ws != nullptr && client.ws->close_sent) {
        zval frame;
        ZVAL_UNDEF(&frame);
        bool received = receive_frame(client, deadline, &frame);
        zval_ptr_dtor(&frame);
        if (!received) {
            break;
        }
    }
    disconnect(client);
    return true;
}

void say_goodbye(HttpClient& client) {
    if (client.ws != nullptr && !client.ws->close_sent && !client.ws->sending) {
        send_close(client, proto::ws::kCloseNormal, {}, monotonic_now() + kSecond);
    }
}

}  // namespace stampede::classes::client
