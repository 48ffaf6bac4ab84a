#include "classes/websocket/peer.h"

#include <cerrno>

#include "ext/server/websocket_handshake.h"
#include "ext/server/websocket_sending.h"
#include "error_numbers.h"
#include "server/service.h"
#include "zend/throw.h"

namespace stampede::classes {

using proto::ws::ReadEvent;
using runtime::Fiber;
using runtime::Runtime;
using runtime::WakeReason;
using server::Exchange;
using Kind = ReadEvent::Kind;
using Step = Delivery::Step;

WebSocketPeer::WebSocketPeer(server::WebSocketSession& session,
                             const server::WebSocketSettings& settings, zend_long fd)
    : session_(&session), settings_(settings), fd_(fd) {
    session.set_owner(this);
}

WebSocketPeer::~WebSocketPeer() {
    if (session_ != nullptr) {
        shut();
    }
    if (session_ != nullptr) {
        session_->set_owner(nullptr);
    }
}

void WebSocketPeer::shut() {
    if (session_ == nullptr) {
        return;
    }
    session_->send_close(proto::ws::kCloseNormal, {});
    session_->connection().close_lingering();
    on_input();
}

void WebSocketPeer::keep_open() {
    if (session_ != nullptr) {
        session_->keep_open();
    }
}

WebSocketPeer* WebSocketPeer::upgrade(Exchange& exchange, server::FieldList fields) {
    int status = judge_handshake(exchange);
    if (status != 0) {
        refuse_handshake(exchange, status);
        return nullptr;
    }
    auto fd = static_cast<zend_long>(exchange.connection_id());
    const server::WebSocketSettings& settings =
        exchange.service().websocket(*exchange.connection());
    return new WebSocketPeer(accept_handshake(exchange, fields), settings, fd);
}

void WebSocketPeer::on_input() {
    if (reader_ != nullptr) {
        Runtime::get().wake(*reader_, WakeReason::kReady);
    }
}

void WebSocketPeer::on_gone() {
    session_ = nullptr;
    on_input();
    on_progress();
}

// False with the last error when it did not end with readiness.
bool WebSocketPeer::wait_for_input(Nanos deadline) {
    Runtime& runtime = Runtime::get();
    reader_ = runtime.current();
    WakeReason reason = runtime.park(deadline);
    reader_ = nullptr;
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
            zend::set_last_error(event.code == proto::ws::kCloseTooBig
                                     ? api_error::kPackageTooLarge
                                     : api_error::kWebSocketUnpackFailed);
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
            if (!wait_for_room()) {  // a flood of pings whose pongs are not read
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
        if (!wait_for_input(deadline)) {
            return Received::kFailed;
        }
    }
    return Received::kClosed;
}

Step WebSocketPeer::look_for_room() {
    if (!open()) {
        zend::set_last_error(api_error::kWebSocketUnconnected);
        return Step::kFailed;
    }
    net::Connection& connection = session_->connection();
    if (connection.has_room(settings_.room)) {
        return Step::kDone;
    }
    connection.flush();
    if (session_ == nullptr) {
        zend::set_last_error(api_error::kWebSocketUnconnected);
        return Step::kFailed;
    }
    return connection.has_room(settings_.room) ? Step::kDone : Step::kFull;
}

class WebSocketPeer::Room : public Delivery {
public:
    explicit Room(WebSocketPeer& peer) : peer_(peer) {}
    Step go_on() override { return peer_.look_for_room(); }
    Nanos look_after() const override { return kLookAnyway; }

protected:
    static constexpr Nanos kLookAnyway = kSecond;  // the session tells of progress

    WebSocketPeer& peer_;
};

class WebSocketPeer::Frame final : public Room {
public:
    Frame(WebSocketPeer& peer, const OutFrame& frame) : Room(peer), frame_(frame) {}
    Step go_on() override {
        Step step = peer_.look_for_room();
        if (step == Step::kDone && !send_frame(*peer_.session_, frame_)) {
            zend::set_last_error(ENOMEM);
            return Step::kFailed;
        }
        return step;
    }

private:
    const OutFrame& frame_;
};

// False when the connection is gone, or nobody may wait for it any more.
bool WebSocketPeer::wait_for_room() {
    Room room(*this);
    return turns_.wait(room, kNever) == Step::kDone;
}

bool WebSocketPeer::send(const OutFrame& frame) {
    if (!open()) {
        return false;
    }
    if (frame.opcode == proto::ws::kClose) {
        close(frame.close_code, {ZSTR_VAL(frame.data), ZSTR_LEN(frame.data)});
        return true;
    }
    Frame delivery(*this, frame);
    Step step = turns_.empty() ? delivery.go_on() : Step::kFull;
    if (step == Step::kFull && Runtime::get().can_park()) {
        // As long as there is a connection: a peer that takes nothing for too long is closed.
        step = turns_.wait(delivery, kNever);
    } else if (step == Step::kFull && !zend::exception_pending()) {
        zend::warning(
            "nothing more is sent to the WebSocket now, more than socket_buffer_size "
            "waits for its peer: push from a coroutine, which waits");
    }
    if (step == Step::kFull) {
        zend::set_last_error(api_error::kOutputBufferOverflow);
    }
    return step == Step::kDone;
}

void WebSocketPeer::close(uint16_t code, std::string_view reason) {
    if (session_ != nullptr) {
        session_->send_close(code, reason);
    }
}

}  // namespace stampede::classes
