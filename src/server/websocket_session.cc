#include "server/websocket_session.h"

#include <algorithm>
#include <utility>

#include "proto/ws/writer.h"
#include "server/service.h"

namespace stampede::server {

namespace {

constexpr Nanos kGoodbyeTime = 5 * kSecond;  // for the peer's close frame

}  // namespace

WebSocketSession::WebSocketSession(Service& service, net::Connection& connection,
                                   const proto::ws::ReadLimits& limits,
                                   std::unique_ptr<proto::ws::Deflate> deflate)
    : service_(service),
      connection_(connection),
      deflate_(std::move(deflate)),
      reader_(proto::ws::Role::kServer, limits, deflate_.get()) {}

WebSocketSession::~WebSocketSession() { (void)service_.body_room().hold(held_, 0); }

// False: all connections together have too much in memory, and this one, which wants more, ends.
bool WebSocketSession::take_room(size_t size) {
    if (service_.body_room().hold(held_, size)) {
        return true;
    }
    send_close(proto::ws::kCloseTryAgainLater, {});
    connection_.pause_reading();
    connection_.close_after_flush();
    return false;
}

proto::ws::ReadEvent WebSocketSession::next() {
    proto::ws::ReadEvent event = reader_.next(in_);
    if (event.kind == proto::ws::ReadEvent::Kind::kNeedMore && !has_room()) {
        return {};
    }
    bool nothing = event.kind == proto::ws::ReadEvent::Kind::kNeedMore;
    if (nothing && in_.empty() && in_.capacity() > 0) {
        in_.release();  // an idle connection holds no buffer
    }
    if (!has_much()) {
        connection_.resume_reading();
    }
    if (most_of_message_ > 0) {
        note_progress(event);
    }
    return event;
}

// What has come is read up to here: a message that is not whole now waits for the peer.
void WebSocketSession::note_progress(const proto::ws::ReadEvent& event) {
    using Kind = proto::ws::ReadEvent::Kind;
    bool unfinished = event.kind == Kind::kNeedMore && (!in_.empty() || reader_.in_message());
    if (event.kind == Kind::kMessage || (event.kind == Kind::kNeedMore && !unfinished)) {
        message_ends_ = kNever;
    } else if (unfinished && message_ends_ == kNever && !close_sent_) {
        message_ends_ = connection_.hub().loop().iteration_time() + most_of_message_;
        connection_.set_deadline(std::min(connection_.deadline(), message_ends_));
    }
}

void WebSocketSession::look_for_silence_at(Nanos when) {
    connection_.set_deadline(std::min(when, message_ends_));
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
    connection_.set_deadline(connection_.hub().loop().iteration_time() + kGoodbyeTime);
}

void WebSocketSession::on_bytes(const char* data, size_t size) {
    in_.append({data, size});
    has_come();
}

// The rest of a large frame is read to where it is needed.
net::Session::Room WebSocketSession::room() {
    return room_for_announced(in_, reader_.missing(in_));
}

void WebSocketSession::on_read(size_t size) {
    in_.commit(size);
    has_come();
}

void WebSocketSession::has_come() {
    if (!has_room()) {
        return;
    }
    if (has_much()) {
        connection_.pause_reading();
    }
    if (owner_ != nullptr) {
        owner_->on_input();
    }
}

void WebSocketSession::on_end() {
    if (owner_ != nullptr) {
        owner_->on_input();
    } else {
        connection_.close_after_flush();
    }
}

void WebSocketSession::on_blocked() {
    service_.publish_unsent(connection_);
    if (owner_ != nullptr) {
        owner_->on_progress();
    }
}

void WebSocketSession::on_drained() {
    service_.publish_unsent(connection_);
    if (owner_ != nullptr) {
        owner_->on_drained();
    }
}

void WebSocketSession::watch_silence(Nanos most) {
    most_silence_ = most;
    if (most > 0) {
        look_for_silence_at(connection_.hub().loop().iteration_time() + most / 2);
    }
}

void WebSocketSession::on_deadline() {
    if (close_sent_) {  // the peer did not reply to it
        connection_.close_after_flush();
        return;
    }
    Nanos now = connection_.hub().loop().iteration_time();
    if (now >= message_ends_) {
        connection_.close_now(net::CloseCause::kTimeout);
        return;
    }
    if (most_silence_ == 0) {  // it was for a message that came in time
        look_for_silence_at(kNever);
        return;
    }
    Nanos heard = connection_.reading() ? connection_.last_read_at : now;  // else we do not listen
    if (now - heard >= most_silence_) {
        connection_.close_now(net::CloseCause::kTimeout);
        return;
    }
    bool quiet = now - heard >= most_silence_ / 2;
    if (quiet) {
        proto::ws::FrameHeader header;
        header.opcode = proto::ws::kPing;
        append_frame(out(), header, {});
        sent();
    }
    look_for_silence_at(heard + (quiet ? most_silence_ : most_silence_ / 2));
}

void WebSocketSession::on_closed() {
    if (WebSocketOwner* owner = std::exchange(owner_, nullptr)) {
        owner->on_gone();
    }
    service_.forget(connection_);
}

void WebSocketSession::drain() {
    if (!kept_open_) {
        send_close(proto::ws::kCloseGoingAway, {});
    }
}

}  // namespace stampede::server
