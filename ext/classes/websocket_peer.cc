#include "classes/websocket_peer.h"

#include <cerrno>

#include "proto/http1/response_head.h"
#include "proto/ws/handshake.h"
#include "server/service.h"
#include "zend/throw.h"

namespace stampede::classes {

using proto::http::Field;
using proto::http::KnownField;
using proto::ws::ReadEvent;
using runtime::Fiber;
using runtime::Runtime;
using runtime::WakeReason;
using server::Exchange;
using Kind = ReadEvent::Kind;

namespace {

constexpr int kErrorTooLarge = 1201;
constexpr int kErrorUnpack = 8506;
constexpr uint64_t kWaitAbove = 1u << 20;  // unsent bytes above which push() waits for the peer

// The value when the request has the field once, else empty.
std::string_view only(const Exchange& exchange, KnownField id) {
    std::string_view value;
    int count = 0;
    for (const Field& field : exchange.head) {
        if (field.id == id) {
            value = exchange.text(field.value);
            count++;
        }
    }
    return count == 1 ? value : std::string_view();
}

// 0 when the request is a WebSocket handshake, else the status to refuse it with.
int judge(const Exchange& exchange) {
    const auto& head = exchange.head;
    bool shaped =
        head.method == proto::http::Method::kGet && head.minor_version > 0 && head.upgrade &&
        !head.chunked && head.content_length == 0 &&
        proto::http::equals_ignoring_case(only(exchange, KnownField::kUpgrade), "websocket");
    if (!shaped) {
        return 400;
    }
    if (only(exchange, KnownField::kSecWebSocketVersion) != "13") {
        return 426;
    }
    return proto::ws::valid_key(only(exchange, KnownField::kSecWebSocketKey)) ? 0 : 400;
}

void refuse(Exchange& exchange, int status) {
    static constexpr server::FieldRef kFields[] = {{"Upgrade", "websocket"},
                                                   {"Sec-WebSocket-Version", "13"}};
    server::ResponseHead head;
    head.status = status;
    head.fields = kFields;
    head.field_count = status == 426 ? 2 : 0;
    exchange.send_head(head, 0);
    exchange.finish();
}

}  // namespace

WebSocketPeer::WebSocketPeer(server::WebSocketSession& session,
                             const server::WebSocketSettings& settings, zend_long fd)
    : session_(&session), settings_(settings), fd_(fd) {
    session.set_owner({this, on_input, on_drained, on_gone});
}

WebSocketPeer::~WebSocketPeer() {
    if (session_ != nullptr) {
        shut();
    }
    if (session_ != nullptr) {
        session_->set_owner({});
    }
}

void WebSocketPeer::shut() {
    if (session_ == nullptr) {
        return;
    }
    session_->send_close(proto::ws::kCloseNormal, {});
    session_->connection().close_lingering();
    on_input(this);
}

WebSocketPeer* WebSocketPeer::upgrade(Exchange& exchange, std::string_view more_lines) {
    int status = judge(exchange);
    if (status != 0) {
        refuse(exchange, status);
        return nullptr;
    }
    const server::WebSocketSettings& settings = exchange.service().settings().websocket;
    proto::ws::DeflateTerms terms;
    std::string extension;
    std::unique_ptr<proto::ws::Deflate> deflate;
    if (settings.compression &&
        proto::ws::accept_deflate_offer(only(exchange, KnownField::kSecWebSocketExtensions), terms,
                                        extension)) {
        deflate = proto::ws::Deflate::create(proto::ws::Role::kServer, terms, -1);
    }
    char accept[proto::ws::kAcceptLength];
    proto::ws::make_accept(only(exchange, KnownField::kSecWebSocketKey), accept);
    Buffer head;
    proto::http1::append_status_line(head, 101);
    head.append("Connection: Upgrade\r\nUpgrade: websocket\r\n");
    proto::http1::append_field(head, "Sec-WebSocket-Accept", {accept, sizeof(accept)});
    if (deflate != nullptr) {
        proto::http1::append_field(head, "Sec-WebSocket-Extensions", extension);
    }
    head.append(more_lines);
    head.append("\r\n");
    proto::ws::ReadLimits limits;
    limits.message_bytes = settings.message_bytes;
    auto session = std::make_unique<server::WebSocketSession>(*exchange.connection(), limits,
                                                              std::move(deflate));
    auto* peer =
        new WebSocketPeer(*session, settings, static_cast<zend_long>(exchange.connection_id()));
    exchange.upgrade(head.view(), std::move(session));
    return peer;
}

void WebSocketPeer::on_input(void* self) {
    if (Fiber* reader = static_cast<WebSocketPeer*>(self)->reader_) {
        Runtime::get().wake(*reader, WakeReason::kReady);
    }
}

void WebSocketPeer::on_drained(void* self) {
    if (Fiber* writer = static_cast<WebSocketPeer*>(self)->writer_) {
        Runtime::get().wake(*writer, WakeReason::kReady);
    }
}

void WebSocketPeer::on_gone(void* self) {
    auto* peer = static_cast<WebSocketPeer*>(self);
    peer->session_ = nullptr;
    for (Fiber* waiting : {peer->reader_, peer->writer_}) {
        if (waiting != nullptr) {
            Runtime::get().wake(*waiting, WakeReason::kReady);
        }
    }
}

// False with the last error when it did not end with readiness.
bool WebSocketPeer::wait(Fiber*& place, Nanos deadline) {
    Runtime& runtime = Runtime::get();
    place = runtime.current();
    WakeReason reason = runtime.park(deadline);
    place = nullptr;
    if (reason != WakeReason::kReady) {
        zend::set_last_error(reason == WakeReason::kTimeout ? ETIMEDOUT : ECANCELED);
    }
    return reason == WakeReason::kReady;
}

WebSocketPeer::Received WebSocketPeer::take(const ReadEvent& event, zval* out) {
    switch (event.kind) {
        case Kind::kClose: {
            make_frame(event, fd_, out);
            uint16_t code = event.code;
            if (code == proto::ws::kCloseNoStatus) {
                code = proto::ws::kCloseNormal;
            }
            session_->send_close(code, {});
            session_->close_after_flush();
            return Received::kFrame;
        }
        case Kind::kBad:
            session_->send_close(event.code, {});
            session_->connection().close_lingering();
            zend::set_last_error(event.code == proto::ws::kCloseTooBig ? kErrorTooLarge
                                                                       : kErrorUnpack);
            return Received::kFailed;
        default:
            make_frame(event, fd_, out);
            return Received::kFrame;
    }
}

WebSocketPeer::Received WebSocketPeer::receive(Nanos deadline, zval* out) {
    while (session_ != nullptr && !session_->connection().closing()) {
        ReadEvent event = session_->next();
        bool ping = event.kind == Kind::kPing;
        bool hidden =
            ping ? !settings_.show_pings : event.kind == Kind::kPong && !settings_.show_pongs;
        if (ping && hidden && !session_->close_sent()) {
            append_control(session_->out(), proto::ws::kPong, event.payload,
                           proto::ws::Role::kServer);
            session_->sent();
            if (!wait_for_room()) {  // a flood of pings whose answers are not read
                return Received::kFailed;
            }
        }
        if (hidden) {
            continue;
        }
        if (event.kind != Kind::kNeedMore) {
            return take(event, out);
        }
        if (session_->ended()) {
            session_->close_after_flush();
            break;
        }
        if (!wait(reader_, deadline)) {
            return Received::kFailed;
        }
    }
    return Received::kClosed;
}

bool WebSocketPeer::wait_for_room() {
    while (session_ != nullptr && session_->connection().pending() > kWaitAbove) {
        session_->connection().flush();
        if (session_ == nullptr || !session_->connection().write_blocked()) {
            break;
        }
        if (writer_ != nullptr || !Runtime::get().can_park()) {
            return true;  // somebody waits already; what is sent meanwhile is his to bear
        }
        if (!wait(writer_, kNever)) {
            return false;
        }
    }
    return true;
}

bool WebSocketPeer::send(const OutFrame& frame) {
    if (!open()) {
        return false;
    }
    if (frame.opcode == proto::ws::kClose) {
        close(frame.close_code, {ZSTR_VAL(frame.data), ZSTR_LEN(frame.data)});
        return true;
    }
    if (!append_out_frame(session_->out(), frame, proto::ws::Role::kServer, session_->deflate())) {
        return false;
    }
    session_->sent();
    return wait_for_room() && session_ != nullptr;
}

void WebSocketPeer::close(uint16_t code, std::string_view reason) {
    if (session_ != nullptr) {
        session_->send_close(code, reason);
    }
}

}  // namespace stampede::classes
