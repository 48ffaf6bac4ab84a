// The output half of Http2Session: responses -> heads for the library and bodies in the streams ->
// frames when the connection takes them.
#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <charconv>

#include "proto/http/message.h"
#include "proto/http1/response_head.h"
#include "server/http2/callbacks.h"
#include "server/http2/tunnel.h"
#include "server/service.h"

namespace stampede::server {

namespace {

Http2Session& session_of(void* user) { return *static_cast<Http2Session*>(user); }

Http2Stream* stream_of(nghttp2_session* session, int32_t id) {
    return static_cast<Http2Stream*>(nghttp2_session_get_stream_user_data(session, id));
}

// The fields of one head, for the library, which copies them and makes names lower-case.
class FieldSet {
public:
    FieldSet() { list_.clear(); }

    void add(std::string_view name, std::string_view value) {
        list_.push_back({reinterpret_cast<uint8_t*>(const_cast<char*>(name.data())),
                         reinterpret_cast<uint8_t*>(const_cast<char*>(value.data())), name.size(),
                         value.size(), NGHTTP2_NV_FLAG_NONE});
    }
    const nghttp2_nv* data() const { return list_.data(); }
    size_t size() const { return list_.size(); }

private:
    static std::vector<nghttp2_nv> list_;  // of the loop's one thread; its memory is kept
};

std::vector<nghttp2_nv> FieldSet::list_;

// What HTTP/2 has no place for.
bool is_of_connection(std::string_view name) {
    using proto::http::equals_ignoring_case;
    switch (name.size()) {
        case 7:
            return equals_ignoring_case(name, "upgrade");
        case 10:
            return equals_ignoring_case(name, "connection") ||
                   equals_ignoring_case(name, "keep-alive");
        case 16:
            return equals_ignoring_case(name, "proxy-connection");
        case 17:
            return equals_ignoring_case(name, "transfer-encoding");
        default:
            return false;
    }
}

void add_given(FieldSet& set, const FieldRef* fields, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (!is_of_connection(fields[i].name)) {
            set.add(fields[i].name, proto::http::trimmed(fields[i].value));
        }
    }
}

// The proof of a handshake is one of HTTP/1 (RFC 8441 5).
void add_handshake(FieldSet& set, FieldList fields) {
    for (const FieldRef& field : fields) {
        bool of_http1 = is_of_connection(field.name) ||
                        proto::http::equals_ignoring_case(field.name, "sec-websocket-accept");
        if (!of_http1) {
            set.add(field.name, proto::http::trimmed(field.value));
        }
    }
}

}  // namespace

void correct_settings(const char* frame, size_t size, const Http2Settings& settings) {
    constexpr size_t kHeader = 9;
    constexpr size_t kEntry = 6;
    auto* bytes = reinterpret_cast<uint8_t*>(const_cast<char*>(frame));
    for (size_t at = kHeader; at + kEntry <= size; at += kEntry) {
        if (bytes[at] == 0 && bytes[at + 1] == NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS) {
            uint32_t limit = settings.max_concurrent_streams;
            for (size_t i = 0; i < 4; i++) {
                bytes[at + 2 + i] = static_cast<uint8_t>(limit >> (24 - 8 * i));
            }
        }
    }
}

const nghttp2_session_callbacks* Http2Callbacks::get() {
    static const nghttp2_session_callbacks* const table = [] {
        nghttp2_session_callbacks* made = nullptr;
        if (nghttp2_session_callbacks_new(&made) != 0) {
            std::abort();
        }
        nghttp2_session_callbacks_set_on_begin_frame_callback(made, on_begin_frame);
        nghttp2_session_callbacks_set_on_begin_headers_callback(made, on_begin_headers);
        nghttp2_session_callbacks_set_on_header_callback(made, on_header);
        nghttp2_session_callbacks_set_on_invalid_header_callback(made, on_invalid_header);
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(made, on_data);
        nghttp2_session_callbacks_set_on_frame_recv_callback(made, on_frame);
        nghttp2_session_callbacks_set_on_frame_send_callback(made, on_frame_sent);
        nghttp2_session_callbacks_set_on_stream_close_callback(made, on_stream_close);
        nghttp2_session_callbacks_set_send_data_callback(made, send_body);
        return made;
    }();
    return table;
}

int Http2Callbacks::on_frame_sent(nghttp2_session* native, const nghttp2_frame* frame, void* user) {
    Http2Session& session = session_of(user);
    if (frame->hd.type == NGHTTP2_RST_STREAM) {
        uint32_t error = frame->rst_stream.error_code;
        bool own_doing = error == NGHTTP2_NO_ERROR || error == NGHTTP2_REFUSED_STREAM ||
                         error == NGHTTP2_INTERNAL_ERROR || error == NGHTTP2_CANCEL;
        if (!own_doing) {
            session.count_reset();
        }
        if (nghttp2_session_find_stream(native, frame->hd.stream_id) != nullptr) {
            session.closed_.reset(frame->hd.stream_id);
        }
        return 0;
    }
    bool of_stream = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
    if (of_stream && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) {
        Http2Stream* stream = stream_of(native, frame->hd.stream_id);
        if (stream == nullptr) {
            return 0;
        }
        stream->response.end_sent = true;
        if (stream->request.ended) {
            return 0;
        }
        if (stream->request.head.protocol() == Http2RequestHead::Protocol::kNone) {
            session.responded_early(*stream);
        } else {  // a tunnel ends at once
            nghttp2_submit_rst_stream(native, NGHTTP2_FLAG_NONE, stream->id, NGHTTP2_NO_ERROR);
        }
    }
    return 0;
}

ssize_t Http2Callbacks::read_body(nghttp2_session* native, int32_t id, uint8_t*, size_t capacity,
                                  uint32_t* flags, nghttp2_data_source*, void* user) {
    Http2Session& session = session_of(user);
    Http2Stream* stream = stream_of(native, id);
    if (stream == nullptr) {
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    }
    uint64_t size = stream->response.body.size();
    if (size == 0 && !stream->response.ended) {
        stream->response.deferred = true;
        return NGHTTP2_ERR_DEFERRED;
    }
    if (session.connection_.pending() >= Http2Session::kFillTo) {
        session.stale_ = true;
        return NGHTTP2_ERR_PAUSE;
    }
    auto count = static_cast<size_t>(std::min<uint64_t>(capacity, size));
    *flags |= NGHTTP2_DATA_FLAG_NO_COPY;
    if (count == size && stream->response.ended) {
        *flags |= NGHTTP2_DATA_FLAG_EOF;
        if (!stream->response.trailers.empty()) {
            *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
            session.submit_trailers(*stream);
        }
    }
    return static_cast<ssize_t>(count);
}

int Http2Callbacks::send_body(nghttp2_session* native, nghttp2_frame* frame, const uint8_t* header,
                              size_t size, nghttp2_data_source*, void* user) {
    Http2Stream* stream = stream_of(native, frame->hd.stream_id);
    bool sent = stream != nullptr && session_of(user).send_frame(*stream, header, size);
    return sent ? 0 : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
}

bool Http2Session::send_frame(Http2Stream& stream, const uint8_t* header, size_t size) {
    constexpr size_t kHeader = 9;
    Buffer& out = connection_.cork();
    size_t mark = out.size();
    uint64_t referenced = connection_.pending() - mark;
    out.append({reinterpret_cast<const char*>(header), kHeader});
    uint64_t before = stream.response.body.size();
    if (!stream.response.body.move_to(connection_, size)) {
        take_back_frame(mark, referenced);
        return false;
    }
    stream.response.moved += size;
    guard_.useful();
    Exchange* exchange = stream.exchange;
    bool low = before > kWakeBelow && stream.response.body.size() <= kWakeBelow;
    if (stream.tunnel != nullptr) {
        stream.tunnel->drained();
    }
    if (exchange != nullptr && !exchange->writers.empty() && low) {
        service_.handler().drained(*exchange);
    }
    return true;
}

// A file became shorter while it was sent: its stream cannot go on, the others can.
void Http2Session::take_back_frame(size_t mark, uint64_t referenced) {
    Buffer& out = connection_.cork();
    if (connection_.pending() - out.size() == referenced) {
        out.unwrite(out.size() - mark);
    } else {  // half a frame cannot be taken back, and nothing can follow it
        connection_.close_with_reset(net::CloseCause::kError);
    }
}

void Http2Session::submit_trailers(Http2Stream& stream) {
    FieldSet set;
    std::string_view rest = stream.response.trailers.view();
    while (!rest.empty()) {
        std::string_view name = rest.substr(0, rest.find('\0'));
        rest.remove_prefix(name.size() + 1);
        std::string_view value = rest.substr(0, rest.find('\0'));
        rest.remove_prefix(value.size() + 1);
        set.add(name, value);
    }
    nghttp2_submit_trailer(session_, stream.id, set.data(), set.size());
}

void Http2Session::more_to_send(Http2Stream& stream) {
    if (stream.response.deferred) {
        stream.response.deferred = false;
        nghttp2_session_resume_data(session_, stream.id);
    }
    stale_ = true;
    connection_.mark_dirty();
}

void Http2Session::reset(Http2Stream& stream, uint32_t error) {
    if (!stream.closed) {
        nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, stream.id, error);
        stream.response.body.clear();
        more_to_send(stream);
    }
}

// ---- the exchange's response
// ---------------------------------------------------------------------

void Http2Session::write_head(Exchange& exchange, const ResponseHead& head, uint64_t body_length) {
    Http2Stream& stream = *exchange.stream;
    int status = head.status;
    if (stream.tunnel != nullptr && status < 300) {
        status = 501;  // a success would open the tunnel: only upgrade() does that
    }
    bool may_have_body = proto::http1::status_has_body(status);
    body_length = may_have_body ? body_length : 0;
    exchange.promise.make(body_length, exchange.is_head_request() || !may_have_body);
    char status_text[3] = {static_cast<char>('0' + status / 100),
                           static_cast<char>('0' + status / 10 % 10),
                           static_cast<char>('0' + status % 10)};
    FieldSet set;
    set.add(":status", {status_text, 3});
    add_given(set, head.fields, head.field_count);
    if (!(head.given & kGivenServer)) {
        set.add("server", "stampede");
    }
    if (!(head.given & kGivenDate)) {
        set.add("date", service_.fields().date());
    }
    if (may_have_body && !(head.given & kGivenContentType) &&
        (body_length != 0 || head.type_without_body)) {
        set.add("content-type", head.default_type);
    }
    char length_text[20];
    if (proto::http1::status_has_length(status) && body_length != kUnknownLength) {
        char* end = std::to_chars(length_text, std::end(length_text), body_length).ptr;
        set.add("content-length", {length_text, static_cast<size_t>(end - length_text)});
    }
    nghttp2_data_provider body{};
    body.read_callback = Http2Callbacks::read_body;
    bool empty = exchange.promise.suppressed() || body_length == 0;
    nghttp2_submit_response(session_, stream.id, set.data(), set.size(), empty ? nullptr : &body);
    stream.response.submitted = true;
    stream.response.bodiless = empty;
    more_to_send(stream);
}

void Http2Session::write_hints(Exchange& exchange, const FieldRef* fields, uint32_t count) {
    FieldSet set;
    set.add(":status", "103");
    add_given(set, fields, count);
    nghttp2_submit_headers(session_, NGHTTP2_FLAG_NONE, exchange.stream->id, nullptr, set.data(),
                           set.size(), nullptr);
    stale_ = true;
    connection_.mark_dirty();
}

// Bytes promised by a length: never more than promised are sent.
void Http2Session::write_body(Exchange& exchange, std::string_view bytes) {
    if (exchange.promise.suppressed() || bytes.empty()) {
        return;
    }
    Http2Stream& stream = *exchange.stream;
    stream.response.body.append(bytes.substr(0, exchange.promise.take(bytes.size())));
    more_to_send(stream);
}

void Http2Session::write_body_ref(Exchange& exchange, const net::BytesRef& bytes) {
    Http2Stream& stream = *exchange.stream;
    stream.response.body.add(bytes);
    more_to_send(stream);
}

void Http2Session::write_file(Exchange& exchange, const net::FileRange& file) {
    uint64_t length = exchange.promise.take(file.length);
    if (exchange.promise.suppressed() || length == 0) {
        os::close_fd(file.fd);
        return;
    }
    Http2Stream& stream = *exchange.stream;
    stream.response.body.add({file.fd, file.offset, length});
    more_to_send(stream);
}

void Http2Session::write_trailers(Exchange& exchange, const FieldRef* fields, uint32_t count) {
    Http2Stream& stream = *exchange.stream;
    if (exchange.promise.suppressed()) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!is_of_connection(fields[i].name)) {
            stream.response.trailers.append(fields[i].name);
            stream.response.trailers.append('\0');
            stream.response.trailers.append(proto::http::trimmed(fields[i].value));
            stream.response.trailers.append('\0');
        }
    }
}

void Http2Session::finish(Exchange& exchange) {
    if (exchange.response() == ResponseState::kNone) {
        write_head(exchange, ResponseHead{}, 0);
        exchange.promise.settle();
    }
    Http2Stream& stream = *exchange.stream;
    stream.response.ended = true;
    more_to_send(stream);
    if (exchange.promise.is_short()) {
        reset(stream, NGHTTP2_INTERNAL_ERROR);
    }
    part(stream, Parting::kComplete);
}

void Http2Session::abort(Exchange& exchange) {
    Http2Stream& stream = *exchange.stream;
    reset(stream, NGHTTP2_INTERNAL_ERROR);
    part(stream, Parting::kAborted);
}

void Http2Session::part(Http2Stream& stream, Parting how) {
    std::exchange(stream.exchange, nullptr)->part(connection_, how);
    count_body(stream, 0);
    give_window_back();
    if (stream.closed) {
        recycle(stream);
    }
}

// ---- tunnels -----------------------------------------------------------------------------------

bool Http2Session::upgrade(Exchange& exchange, FieldList fields,
                           std::unique_ptr<net::Session> next) {
    Http2Stream& stream = *exchange.stream;
    if (stream.tunnel == nullptr) {
        return false;  // there is no 101 in HTTP/2
    }
    FieldSet set;
    set.add(":status", "200");
    add_handshake(set, fields);
    nghttp2_data_provider body{};
    body.read_callback = Http2Callbacks::read_body;
    nghttp2_submit_response(session_, stream.id, set.data(), set.size(), &body);
    stream.response.submitted = true;
    more_to_send(stream);
    std::exchange(stream.exchange, nullptr)->part(connection_, Parting::kUpgraded);
    net::Connection& connection = stream.tunnel->connection();
    service_.connections().hand_over(connection, {std::move(next)});
    connection.resume_reading();
    return true;
}

void Http2Session::give_back_window(Http2Stream& stream, size_t bytes) {
    if (!stream.closed) {
        nghttp2_session_consume_stream(session_, stream.id, bytes);
        stale_ = true;
        connection_.mark_dirty();
    }
}

void Http2Session::end_tunnel(Http2Stream& stream, net::CloseCause cause) {
    stream.tunnel = nullptr;
    bool in_order = cause == net::CloseCause::kServer && stream.exchange == nullptr;
    if (in_order && !stream.closed) {
        stream.response.ended = true;
        more_to_send(stream);
        return;
    }
    lose_exchange(stream);
    reset(stream, NGHTTP2_CANCEL);
}

uint64_t Http2Session::pending(const Exchange& exchange) const {
    const Http2Stream* stream = exchange.stream;
    return stream != nullptr ? stream->response.body.size() : 0;
}

}  // namespace stampede::server
