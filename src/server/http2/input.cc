// The input half of Http2Session: frames -> heads and bodies -> exchanges that are ready.
#include <nghttp2/nghttp2.h>

#include "proto/http/known_fields.h"
#include "proto/http/uri.h"
#include "proto/http1/scan.h"
#include "server/http2/callbacks.h"
#include "server/http2/tunnel.h"
#include "server/service.h"

namespace stampede::server {

using proto::http::KnownField;
using proto::http::Method;

namespace {

constexpr std::string_view kAnyKey = "c3RhbXBlZGUgSFRUUC8yIQ==";

Http2Session& session_of(void* user) { return *static_cast<Http2Session*>(user); }

Http2Stream* stream_of(nghttp2_session* session, int32_t id) {
    return static_cast<Http2Stream*>(nghttp2_session_get_stream_user_data(session, id));
}

std::string_view text_of(const uint8_t* bytes, size_t size) {
    return {reinterpret_cast<const char*>(bytes), size};
}

// As HTTP/1's parser sees it: such a name would become another field's CGI variable.
bool is_odd_name(std::string_view name) {
    uint8_t seen = 0;
    for (char c : name) {
        seen |= proto::http1::scan::class_of(c);
    }
    return (seen & proto::http1::scan::kNameOdd) != 0;
}

bool has_lower_case(std::string_view text) {
    for (char c : text) {
        if (c >= 'a' && c <= 'z') {
            return true;
        }
    }
    return false;
}

// The library has seen that it is a number; what does not fit is larger than every limit.
uint64_t parse_length(std::string_view digits) {
    uint64_t length = 0;
    for (char c : digits) {
        if (length > UINT64_MAX / 16) {
            return UINT64_MAX;
        }
        length = length * 10 + static_cast<uint64_t>(c - '0');
    }
    return length;
}

}  // namespace

// ---- callbacks ---------------------------------------------------------------------------------

int Http2Callbacks::on_begin_frame(nghttp2_session*, const nghttp2_frame_hd* header, void* user) {
    Http2Session& session = session_of(user);
    if (header->type == NGHTTP2_HEADERS) {
        session.head_open_ = true;
        session.check_number(header->stream_id);
        session.check_closed(header->stream_id, true);
    } else if (header->type != NGHTTP2_DATA && header->type != NGHTTP2_CONTINUATION) {
        session.idle_frame();
    }
    if (header->type == NGHTTP2_WINDOW_UPDATE) {
        session.check_closed(header->stream_id, false);
    } else if (header->type == NGHTTP2_PRIORITY && header->stream_id == 0) {
        session.end_connection(NGHTTP2_PROTOCOL_ERROR);
    }
    return 0;
}

int Http2Callbacks::on_begin_headers(nghttp2_session* native, const nghttp2_frame* frame,
                                     void* user) {
    if (frame->hd.type != NGHTTP2_HEADERS || frame->headers.cat != NGHTTP2_HCAT_REQUEST) {
        return 0;
    }
    Http2Session& session = session_of(user);
    session.last_taken_ = frame->hd.stream_id;
    if (session.stream_count_ >= session.service_.settings().http2.max_concurrent_streams) {
        session.idle_frame();
        return nghttp2_submit_rst_stream(native, NGHTTP2_FLAG_NONE, frame->hd.stream_id,
                                         NGHTTP2_REFUSED_STREAM);
    }
    session.guard_.request(session.service_.loop().iteration_time());
    Http2Stream& stream = session.open_stream(frame->hd.stream_id);
    return nghttp2_session_set_stream_user_data(native, frame->hd.stream_id, &stream);
}

int Http2Callbacks::on_header(nghttp2_session* native, const nghttp2_frame* frame,
                              const uint8_t* name, size_t name_size, const uint8_t* value,
                              size_t value_size, uint8_t, void* user) {
    constexpr uint32_t kOverhead = 32;  // RFC 9113 6.5.2
    // A cookie comes in as many pieces as its sender likes (RFC 9113 8.2.3), and is one field.
    constexpr uint32_t kSeparator = 2;
    constexpr uint32_t kCrumbsForField = 5;
    Http2Session& session = session_of(user);
    Http2Stream* stream = stream_of(native, frame->hd.stream_id);
    if (stream == nullptr || stream->exchange == nullptr) {
        return 0;
    }
    const Http2Settings& limits = session.service_.settings().http2;
    bool is_crumb = text_of(name, name_size) == "cookie";
    HeadSize& sum = is_crumb ? stream->crumbs : stream->fields;
    sum.bytes +=
        static_cast<uint32_t>(value_size + (is_crumb ? kSeparator : name_size + kOverhead));
    sum.count++;
    uint32_t most = limits.max_header_fields * (is_crumb ? kCrumbsForField : 1);
    if (sum.bytes > limits.max_header_list_size || sum.count > most) {
        // Enough to be told: nothing more of it is kept. One that goes on and on is an attack.
        stream->refusal = 431;
        bool far_too_much = sum.bytes / 4 > limits.max_header_list_size || sum.count / 4 > most;
        return far_too_much ? NGHTTP2_ERR_CALLBACK_FAILURE : 0;
    }
    if (frame->headers.cat == NGHTTP2_HCAT_REQUEST) {
        session.take_field(*stream, text_of(name, name_size), text_of(value, value_size));
    }
    return 0;
}

// The library would leave such a field out; a message with one is malformed.
int Http2Callbacks::on_invalid_header(nghttp2_session* native, const nghttp2_frame* frame,
                                      const uint8_t*, size_t, const uint8_t*, size_t, uint8_t,
                                      void*) {
    if (Http2Stream* stream = stream_of(native, frame->hd.stream_id)) {
        stream->malformed = true;
    }
    return 0;
}

int Http2Callbacks::on_data(nghttp2_session* native, uint8_t, int32_t id, const uint8_t* data,
                            size_t size, void* user) {
    Http2Session& session = session_of(user);
    session.guard_.useful();
    Http2Stream* stream = stream_of(native, id);
    if (stream != nullptr && stream->tunnel != nullptr) {
        // Hold back the stream's own window until the application reads; the connection's window is
        // replenished, so that other streams are not stalled.
        stream->tunnel->receive(text_of(data, size));
        nghttp2_session_consume_connection(native, size);
    } else if (stream != nullptr && stream->exchange != nullptr && stream->refusal == 0) {
        session.take_data(*stream, text_of(data, size));
    } else {  // it is dropped: the peer need not send more of it
        nghttp2_session_consume_connection(native, size);
    }
    return 0;
}

int Http2Callbacks::on_frame(nghttp2_session* native, const nghttp2_frame* frame, void* user) {
    Http2Session& session = session_of(user);
    bool last = (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
    bool of_data = frame->hd.type == NGHTTP2_DATA;
    if (frame->hd.type == NGHTTP2_RST_STREAM) {
        Http2Stream* stream = stream_of(native, frame->hd.stream_id);
        bool expected = stream != nullptr ? stream->responded != 0 : session.guard_.reset_crossed();
        if (!expected) {
            session.count_reset();
        }
        if (nghttp2_session_find_stream(native, frame->hd.stream_id) != nullptr) {
            session.closed_.reset_by_peer(frame->hd.stream_id);
        }
        return 0;
    }
    if (frame->hd.type == NGHTTP2_HEADERS) {
        session.head_open_ = false;
    } else if (!of_data) {
        return 0;
    } else if (frame->hd.length <= frame->data.padlen && !last) {
        session.idle_frame();
    }
    Http2Stream* stream = stream_of(native, frame->hd.stream_id);
    if (stream != nullptr && last && stream->tunnel != nullptr) {
        stream->request_ended = true;
        stream->tunnel->receive_end();
        return 0;
    }
    if (stream == nullptr || stream->exchange == nullptr) {
        return 0;
    }
    if (stream->malformed) {
        session.reset(*stream, NGHTTP2_PROTOCOL_ERROR);
        session.lose_exchange(*stream);
        return 0;
    }
    if (!of_data && frame->headers.cat == NGHTTP2_HCAT_REQUEST) {
        session.head_complete(*stream);
        bool asks = stream->protocol != Http2Stream::Protocol::kNone;
        if (asks && !last) {
            session.open_tunnel(*stream);
            return 0;
        }
        if (asks && stream->refusal == 0) {
            stream->refusal = 400;  // nothing can come of one that has ended
        }
        if (!last) {
            session.begin_body(*stream);
        }
    }
    if (last && !stream->request_ended) {
        session.request_complete(*stream);
    } else if (stream->refusal != 0) {
        session.enqueue(*stream);
    }
    return 0;
}

int Http2Callbacks::on_stream_close(nghttp2_session* native, int32_t id, uint32_t error,
                                    void* user) {
    if (Http2Stream* stream = stream_of(native, id)) {
        session_of(user).stream_closed(*stream, error);
    }
    return 0;
}

// ---- session -----------------------------------------------------------------------------------

// The library takes a stream below the newest one for one that was closed. It may also be one that
// was passed over, which is closed for good.
void Http2Session::check_number(int32_t id) {
    if (id > newest_id_) {
        passed_over_ = id > newest_id_ + 2 ? newest_id_ : passed_over_;
        passed_over_end_ = id > newest_id_ + 2 ? id : passed_over_end_;
        newest_id_ = id;
    } else if (id > passed_over_ && id < passed_over_end_) {
        end_connection(NGHTTP2_PROTOCOL_ERROR);
    }
}

bool Http2Session::is_closed(int32_t id) const {
    return (id & 1) != 0 && id <= last_taken_ &&
           nghttp2_session_find_stream(session_, id) == nullptr;
}

// The library drops what comes for a stream that it does not know any more. Of a stream that was
// ended in order, or by its peer, nothing may come; of one that was reset here it may be on its
// way.
void Http2Session::check_closed(int32_t id, bool ends_connection) {
    if (!is_closed(id)) {
        return;
    }
    ClosedStreams::End end = closed_.end_of(id);
    if (end == ClosedStreams::End::kResetByPeer) {
        nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, id, NGHTTP2_STREAM_CLOSED);
    } else if (end == ClosedStreams::End::kInOrder && ends_connection) {
        end_connection(NGHTTP2_STREAM_CLOSED);
    }
}

// A frame is coming of which the library may tell nothing.
void Http2Session::look_at(const FrameWatch::Stop& stop) {
    if (stop.kind == FrameWatch::Kind::kData) {
        check_closed(stop.stream, true);
    } else if (stop.stream > last_taken_) {  // there is nothing to reset yet
        end_connection(NGHTTP2_PROTOCOL_ERROR);
    } else {
        nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, stop.stream, NGHTTP2_PROTOCOL_ERROR);
    }
}

void Http2Session::idle_frame() {
    if (!guard_.idle_frame()) {
        end_connection(NGHTTP2_ENHANCE_YOUR_CALM);
    }
}

void Http2Session::count_reset() {
    if (!guard_.reset(service_.loop().iteration_time())) {
        end_connection(NGHTTP2_ENHANCE_YOUR_CALM);
    }
}

Http2Stream& Http2Session::open_stream(int32_t id) {
    Http2Stream& stream = service_.http2_streams().take();
    Exchange& exchange = service_.exchanges().take();
    exchange.head.reset();
    exchange.head.minor_version = 1;
    stream.id = id;
    stream.exchange = &exchange;
    exchange.begin(*this, connection_, &stream);
    stream.began = stream.then = service_.loop().iteration_time();
    stream.last_data = 0;
    open_.push_back(stream);
    if (stream_count_++ == 0) {
        connection_.set_deadline(stream.began + check_period());
    }
    keep_places_free();
    return stream;
}

// Kept as lines of text, as HTTP/1 has them.
void Http2Session::take_field(Http2Stream& stream, std::string_view name, std::string_view value) {
    Exchange& exchange = *stream.exchange;
    if (name.front() == ':') {
        take_pseudo_field(stream, name, value);
        return;
    }
    auto& head = exchange.head;
    proto::http::Field field;
    HeadText::Line line = exchange.head_text.append(name, value);
    field.name = line.name;
    field.value = line.value;
    field.id = proto::http::known::identify(name.data(), name.size());
    bool drop = is_odd_name(name) || field.id == KnownField::kProxy;
    field.marks = drop ? proto::http::kFieldDrop : proto::http::kFieldPlain;
    head.add_field() = field;
    if (field.id == KnownField::kContentLength) {
        head.has_content_length = true;
        head.content_length = parse_length(value);
    } else if (field.id == KnownField::kExpect) {
        head.expect_continue = proto::http::equals_ignoring_case(value, "100-continue");
    } else if (field.id == KnownField::kHost) {
        head.host = field.value;
        head.has_host = true;
    }
}

void Http2Session::take_pseudo_field(Http2Stream& stream, std::string_view name,
                                     std::string_view value) {
    Exchange& exchange = *stream.exchange;
    if (name == ":protocol") {
        stream.protocol = value == "websocket" ? Http2Stream::Protocol::kWebSocket
                                               : Http2Stream::Protocol::kOther;
        return;
    }
    if (name == ":authority") {
        // User information is not allowed there (RFC 9113 8.3.1).
        stream.malformed = stream.malformed || value.find('@') != value.npos;
        stream.authority = exchange.head_text.append("host", value);
        return;
    }
    proto::http::Slice slice = exchange.head_text.append(name, value).value;
    if (name == ":method") {
        exchange.head.method_text = slice;
        exchange.head.method = proto::http::method_from_name(value);
    } else if (name == ":path") {
        exchange.head.target = slice;
    }
}

void Http2Session::head_complete(Http2Stream& stream) {
    Exchange& exchange = *stream.exchange;
    stream.last_data = service_.loop().iteration_time();
    if (stream.protocol == Http2Stream::Protocol::kWebSocket) {
        present_as_upgrade(stream);
    }
    if (stream.refusal == 0) {
        stream.refusal = judge_head(stream);
    }
    exchange.head.head_bytes = static_cast<uint32_t>(exchange.head_text.end());
}

// The application sees the handshake that it knows: a GET that asks for an upgrade.
void Http2Session::present_as_upgrade(Http2Stream& stream) {
    auto& head = stream.exchange->head;
    head.method = Method::kGet;
    head.method_text = stream.exchange->head_text.append(":method", "GET").value;
    head.upgrade = true;
    bool has_key = false;
    for (const proto::http::Field& field : head) {
        has_key = has_key || field.id == KnownField::kSecWebSocketKey;
    }
    take_field(stream, "upgrade", "websocket");
    take_field(stream, "connection", "Upgrade");
    if (!has_key) {  // the protocol needs none, but an application that replies to handshakes
                     // itself reads it
        take_field(stream, "sec-websocket-key", kAnyKey);
    }
}

// The request is handled at once, its stream is a connection from here on.
void Http2Session::open_tunnel(Http2Stream& stream) {
    if (stream.refusal == 0 && service_.connections().full()) {
        stream.refusal = 503;
    }
    if (stream.refusal == 0) {
        auto tunnel =
            std::make_unique<Http2Tunnel>(*this, stream, connection_.transport().encrypted());
        stream.tunnel = tunnel.get();
        net::Connection& connection = service_.adopt(std::move(tunnel), connection_);
        stream.exchange->begin(*this, connection, &stream);
    }
    enqueue(stream);
}

// 0, or the status of the refusal. What makes a message malformed the library has refused already.
int Http2Session::judge_head(Http2Stream& stream) {
    Exchange& exchange = *stream.exchange;
    auto& head = exchange.head;
    const HttpLimits& limits = service_.limits(connection_);
    std::string_view authority = exchange.text(stream.authority.value);
    if (!authority.empty()) {
        if (head.has_host &&
            !proto::http::equals_ignoring_case(exchange.text(head.host), authority)) {
            return 400;
        }
        if (!head.has_host) {
            proto::http::Field host;
            host.name = stream.authority.name;
            host.value = stream.authority.value;
            host.id = KnownField::kHost;
            head.add_field() = host;
            head.has_host = true;
        }
        head.host = stream.authority.value;
    }
    if (head.has_host && !proto::http::valid_host(exchange.text(head.host))) {
        return 400;
    }
    if (stream.protocol == Http2Stream::Protocol::kOther) {
        return 501;
    }
    // As HTTP/1's parser: no tunnels, no echo of the request, for no target; and "get" is not GET.
    bool refused = head.method == Method::kOther
                       ? has_lower_case(exchange.text(head.method_text))
                       : head.method == Method::kConnect || head.method == Method::kTrace;
    if (refused) {
        return 501;
    }
    if (head.target.length > limits.head.target_bytes) {
        return 414;
    }
    std::string_view target = exchange.text(head.target);
    bool is_path = target.starts_with("/") || target == "*";
    return is_path ? proto::http1::split_target(exchange.head_text.bytes(), head) : 400;
}

void Http2Session::begin_body(Http2Stream& stream) {
    Exchange& exchange = *stream.exchange;
    if (stream.refusal == 0) {
        stream.refusal = exchange.begin_body();
    }
    if (stream.refusal != 0) {
        return;
    }
    if (exchange.body.streams()) {
        enqueue(stream);  // and 100 goes out when the application wants the body
    } else {
        offer_continue(stream);
    }
}

void Http2Session::offer_continue(Http2Stream& stream) {
    Exchange& exchange = *stream.exchange;
    if (exchange.head.expect_continue && exchange.head.content_length != 0 &&
        exchange.response() == ResponseState::kNone) {
        static constexpr char kStatus[] = ":status";
        static constexpr char kContinue[] = "100";
        nghttp2_nv field{reinterpret_cast<uint8_t*>(const_cast<char*>(kStatus)),
                         reinterpret_cast<uint8_t*>(const_cast<char*>(kContinue)), 7, 3,
                         NGHTTP2_NV_FLAG_NO_COPY_NAME | NGHTTP2_NV_FLAG_NO_COPY_VALUE};
        nghttp2_submit_headers(session_, NGHTTP2_FLAG_NONE, stream.id, nullptr, &field, 1, nullptr);
        stale_ = true;
        connection_.mark_dirty();
    }
    exchange.head.expect_continue = false;
}

void Http2Session::take_data(Http2Stream& stream, std::string_view bytes) {
    Exchange& exchange = *stream.exchange;
    exchange.head.expect_continue = false;
    stream.last_data = service_.loop().iteration_time();
    int status = exchange.body.take(bytes);
    owed_ += bytes.size();
    count_body(stream, exchange.body.view().size());
    if (!exchange.body.streams()) {
        nghttp2_session_consume_stream(session_, stream.id, bytes.size());
    } else if (status == 0) {
        stream.unread += bytes.size();
        service_.handler().body_arrived(exchange);
    }
    if (status != 0) {
        refuse_later(stream, status);
    }
    give_window_back();
}

// A stream whose reader lags gets no more window, the others go on.
void Http2Session::body_wanted(Exchange& exchange) {
    Http2Stream& stream = *exchange.stream;
    offer_continue(stream);
    count_body(stream, exchange.body.view().size());
    if (stream.unread > 0 && exchange.body.has_room_again()) {
        nghttp2_session_consume_stream(session_, stream.id, stream.unread);
        stream.unread = 0;
        stale_ = true;
        connection_.mark_dirty();
    }
    give_window_back();
}

// ---- memory of bodies --------------------------------------------------------------------------

void Http2Session::count_body(Http2Stream& stream, uint64_t size) {
    body_bytes_ = body_bytes_ - stream.kept + size;
    stream.kept = size;
}

// The window of the connection is given back as long as its bodies fit into memory.
void Http2Session::give_window_back() {
    if (owed_ == 0 || over_ || !make_room_for_bodies()) {
        return;
    }
    nghttp2_session_consume_connection(session_, owed_);
    owed_ = 0;
    stale_ = true;
    connection_.mark_dirty();
}

// Handlers that are at work will free some. Bodies that only wait for each other would wait for
// ever: the newest are refused, in a way that lets the peer send them again, so that the oldest can
// come to its end.
bool Http2Session::make_room_for_bodies() {
    while (body_bytes_ > service_.settings().http2.body_memory) {
        Http2Stream* oldest = nullptr;
        Http2Stream* newest = nullptr;
        for (Http2Stream* stream = open_.front(); stream; stream = open_.after(*stream)) {
            if (stream->kept == 0) {
                continue;
            }
            if (stream->request_ended || stream->exchange->body.streams()) {
                return false;
            }
            oldest = oldest != nullptr ? oldest : stream;
            newest = stream;
        }
        if (newest == oldest) {
            return true;  // a single one is bounded by its own limit
        }
        reset(*newest, NGHTTP2_REFUSED_STREAM);
        lose_exchange(*newest);
    }
    return true;
}

void Http2Session::refuse_later(Http2Stream& stream, int status) {
    if (stream.exchange->body.streams()) {  // it is being handled: that ends here
        reset(stream, NGHTTP2_CANCEL);
        lose_exchange(stream);
        return;
    }
    stream.refusal = status;
    stream.exchange->body.drop();
    count_body(stream, 0);
    enqueue(stream);
}

void Http2Session::request_complete(Http2Stream& stream) {
    guard_.useful();
    stream.request_ended = true;
    Exchange& exchange = *stream.exchange;
    if (stream.refusal == 0) {
        stream.refusal = exchange.body.end();
    }
    if (exchange.body.streams()) {
        service_.handler().body_arrived(exchange);
        return;
    }
    enqueue(stream);
}

void Http2Session::enqueue(Http2Stream& stream) {
    if (!stream.ReadyNode::linked() && !stream.submitted) {
        ready_.push_back(stream);
    }
    schedule();
}

}  // namespace stampede::server
