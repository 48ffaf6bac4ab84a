#include "server/websocket_session.h"

#include "proto/ws/writer.h"

namespace stampede::server {

namespace {

constexpr Nanos kGoodbyeTime = 5 * kSecond;  // for the peer's close frame

}  // namespace

WebSocketSession::WebSocketSession(net::Connection& connection, const proto::ws::ReadLimits& limits,
                                   std::unique_ptr<proto::ws::Deflate> deflate)
    : connection_(connection),
      most_kept_(limits.message_bytes + kSlack),
      deflate_(std::move(deflate)),
      reader_(proto::ws::Role::kServer, limits, deflate_.get()) {}

proto::ws::ReadEvent WebSocketSession::next() {
    proto::ws::ReadEvent event = reader_.next(in_);
    bool nothing = event.kind == proto::ws::ReadEvent::Kind::kNeedMore;
    if (nothing && in_.empty() && in_.capacity() > 0) {
        in_.release();  // an idle connection holds no buffer
    }
    if (in_.size() <= most_kept_) {
        connection_.resume_reading();
    }
    return event;
}

void WebSocketSession::send_close(uint16_t code, std::string_view reason) {
    if (close_sent_ || connection_.closed() || connection_.closing()) {
        return;
    }
    close_sent_ = true;
    char payload[proto::ws::kMaxControlPayload];
    proto::ws::FrameHeader header;
    header.opcode = proto::ws::kClose;
    proto::ws::append_frame(out(), header, proto::ws::make_close_payload(code, reason, payload));
    sent();
    connection_.set_deadline(connection_.hub().loop().turn_time() + kGoodbyeTime);
}

void WebSocketSession::on_bytes(const char* data, size_t size) {
    in_.append({data, size});
    if (in_.size() > most_kept_) {
        connection_.pause_reading();
    }
    if (owner_.on_input != nullptr) {
        owner_.on_input(owner_.self);
    }
}

void WebSocketSession::on_end() {
    if (owner_.on_input != nullptr) {
        owner_.on_input(owner_.self);
    } else {
        connection_.close_after_flush();
    }
}

void WebSocketSession::on_drained() {
    if (owner_.on_drained != nullptr) {
        owner_.on_drained(owner_.self);
    }
}

// The peer did not answer our close frame.
void WebSocketSession::on_deadline() { connection_.close_after_flush(); }

void WebSocketSession::on_closed() {
    if (owner_.on_gone != nullptr) {
        owner_.on_gone(owner_.self);
    }
    owner_ = {};
}

void WebSocketSession::drain() { send_close(proto::ws::kCloseGoingAway, {}); }

}  // namespace stampede::server
