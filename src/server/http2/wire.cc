#include "server/http2/wire.h"

#include "server/service.h"

namespace stampede::server {

using proto::http2::ErrorCode;
using proto::http2::Fed;
using proto::http2::Session;

Http2Wire::Http2Wire(Service& service, net::Connection& connection)
    : service_(service), connection_(connection) {
    connection.write_from_session();
}

const Http2Settings& Http2Wire::settings() const { return service_.settings().http2; }
const HttpLimits& Http2Wire::limits() const { return service_.limits(connection_); }
const net::ConnectionTimes& Http2Wire::times() const { return service_.settings().times; }
Nanos Http2Wire::now() const { return service_.loop().iteration_time(); }

// ---- the beginning -----------------------------------------------------------------------------

proto::http2::Options Http2Wire::options() const {
    const Http2Settings& own = settings();
    proto::http2::Options options;
    options.settings.header_table_size = own.header_table_size;
    options.settings.max_concurrent_streams = own.max_concurrent_streams;
    options.settings.initial_window_size = own.initial_window_size;
    options.settings.max_frame_size = own.max_frame_size;
    options.settings.max_header_list_size = own.max_header_list_size;
    // The handshake of a WebSocket is a request like any other, which the application takes or not.
    options.settings.enable_connect_protocol = 1;
    // The peer is held back by windows, not by leaving bytes in the socket: those of other streams
    // would wait with them.
    options.window_updates = proto::http2::WindowUpdates::kByUser;
    // A stream too many is refused (Http2Intake::begin_head). It may have been opened before its
    // peer heard of the limit, which is no reason to lose all the others.
    options.stream_limit = proto::http2::StreamLimit::kAnnounced;
    // One loop thread has all HTTP/2 sessions of a process.
    options.memory = proto::http2::Memory::kPooled;
    return options;
}

bool Http2Wire::start(proto::http2::Events& events) {
    protocol_ = Session::create(proto::http2::Role::kServer, options(), events);
    return protocol_ != nullptr;
}

bool Http2Wire::start_upgraded(proto::http2::Events& events, const proto::http2::Upgrade& upgrade) {
    protocol_ = Session::create_upgraded(upgrade, options(), events);
    return protocol_ != nullptr;
}

// ---- bytes -------------------------------------------------------------------------------------

// What counts as an attack (too many frames without use, too large a head) ends with
// ENHANCE_YOUR_CALM, so that the log of the peer says what it did.
bool Http2Wire::take(std::string_view bytes) {
    Fed fed = protocol_->feed(bytes);
    if (fed != Fed::kFine) {
        end(fed == Fed::kExcessive ? ErrorCode::kEnhanceYourCalm : ErrorCode::kProtocolError);
    }
    return fed == Fed::kFine;
}

// Not all frames at once: a peer that does not read must not make the buffer grow. The connection
// asks again when the buffer has left.
//
// DATA gets into the cork by Http2Responses::send_frame() while the protocol works, other frames by
// what it returns: it returns after each of them, so that both are in the order of their making.
// What is returned lies in the protocol's memory until the next call, and is copied at once.
bool Http2Wire::fill() {
    stale_ = false;
    uint64_t before = connection_.pending();
    while (!full()) {
        std::string_view frames = protocol_->next_frames();
        if (frames.empty()) {
            break;
        }
        connection_.cork().append(frames);
    }
    stale_ = stale_ || full();
    return connection_.pending() > before;
}

void Http2Wire::end(ErrorCode error) {
    protocol_->terminate(error);
    touch();
}

// The body is dropped at once: its memory may be the application's, its file a descriptor. For a
// stream that is closed there is nothing to reset, both sides have forgotten it.
void Http2Wire::reset(Http2Stream& stream, ErrorCode error) {
    if (!stream.closed) {
        reset(stream.id(), error);
        stream.response.body.clear();
        more_to_send(stream);
    }
}

// ---- frames of the connection ------------------------------------------------------------------

void Http2Wire::announce_goaway() {
    protocol_->announce_goaway();
    touch();
}

bool Http2Wire::goaway(ErrorCode error, std::string_view text) {
    bool sent = protocol_->goaway(error, text);
    touch();
    return sent;
}

bool Http2Wire::ping(std::string_view payload) {
    bool sent = protocol_->ping(payload);
    touch();
    return sent;
}

}  // namespace stampede::server
