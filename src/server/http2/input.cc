// The input half of Http2Session: frames -> heads and bodies -> exchanges that are ready.
#include <nghttp2/nghttp2.h>

#include "server/http2/callbacks.h"
#include "server/http2/tunnel.h"
#include "server/service.h"

namespace stampede::server {

using Protocol = Http2RequestHead::Protocol;

namespace {

Http2Session& session_of(void* user) { return *static_cast<Http2Session*>(user); }

Http2Stream* stream_of(nghttp2_session* session, int32_t id) {
    return static_cast<Http2Stream*>(nghttp2_session_get_stream_user_data(session, id));
}

std::string_view text_of(const uint8_t* bytes, size_t size) {
    return {reinterpret_cast<const char*>(bytes), size};
}

HeadStore store_of(Exchange& exchange) { return {exchange.head, exchange.head_text}; }

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
    Http2Session& session = session_of(user);
    Http2Stream* stream = stream_of(native, frame->hd.stream_id);
    if (stream == nullptr || stream->exchange == nullptr) {
        return 0;
    }
    HeadStore store = store_of(*stream->exchange);
    Http2RequestHead& head = stream->request.head;
    std::string_view name_text = text_of(name, name_size);
    std::string_view value_text = text_of(value, value_size);
    Http2RequestHead::Size size =
        head.count(name_text, value_text, session.service_.settings().http2);
    if (size != Http2RequestHead::Size::kFits) {
        stream->request.refusal = 431;
        return size == Http2RequestHead::Size::kFarTooLarge ? NGHTTP2_ERR_CALLBACK_FAILURE : 0;
    }
    if (frame->headers.cat == NGHTTP2_HCAT_REQUEST) {
        head.add(store, name_text, value_text);
    }
    return 0;
}

// The library would leave such a field out; a message with one is malformed.
int Http2Callbacks::on_invalid_header(nghttp2_session* native, const nghttp2_frame* frame,
                                      const uint8_t*, size_t, const uint8_t*, size_t, uint8_t,
                                      void*) {
    if (Http2Stream* stream = stream_of(native, frame->hd.stream_id)) {
        stream->request.head.set_malformed();
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
    } else if (stream != nullptr && stream->exchange != nullptr && stream->request.refusal == 0) {
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
        bool expected =
            stream != nullptr ? stream->response.responded != 0 : session.guard_.reset_crossed();
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
        stream->request.ended = true;
        stream->tunnel->receive_end();
        return 0;
    }
    if (stream == nullptr || stream->exchange == nullptr) {
        return 0;
    }
    if (stream->request.head.malformed()) {
        session.reset(*stream, NGHTTP2_PROTOCOL_ERROR);
        session.lose_exchange(*stream);
        return 0;
    }
    if (!of_data && frame->headers.cat == NGHTTP2_HCAT_REQUEST) {
        session.head_complete(*stream);
        bool asks = stream->request.head.protocol() != Protocol::kNone;
        if (asks && !last) {
            session.open_tunnel(*stream);
            return 0;
        }
        if (asks && stream->request.refusal == 0) {
            stream->request.refusal = 400;  // nothing can come of one that has ended
        }
        if (!last) {
            session.begin_body(*stream);
        }
    }
    if (last && !stream->request.ended) {
        session.request_complete(*stream);
    } else if (stream->request.refusal != 0) {
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
    stream.begin(id, service_.loop().iteration_time());
    stream.exchange = &exchange;
    exchange.begin(*this, connection_, &stream);
    open_.push_back(stream);
    if (stream_count_++ == 0) {
        connection_.set_deadline(stream.request.began + check_period());
    }
    keep_places_free();
    return stream;
}

void Http2Session::head_complete(Http2Stream& stream) {
    Exchange& exchange = *stream.exchange;
    HeadStore store = store_of(exchange);
    Http2RequestHead& head = stream.request.head;
    stream.request.last_data = service_.loop().iteration_time();
    if (head.protocol() == Protocol::kWebSocket) {
        head.present_as_upgrade(store);
    }
    if (stream.request.refusal == 0) {
        stream.request.refusal = head.judge(store, service_.limits(connection_).head);
    }
    exchange.head.head_bytes = static_cast<uint32_t>(exchange.head_text.end());
}

// The request is handled at once, its stream is a connection from here on.
void Http2Session::open_tunnel(Http2Stream& stream) {
    if (stream.request.refusal == 0 && service_.connections().full()) {
        stream.request.refusal = 503;
    }
    if (stream.request.refusal == 0) {
        auto tunnel =
            std::make_unique<Http2Tunnel>(*this, stream, connection_.transport().encrypted());
        stream.tunnel = tunnel.get();
        net::Connection& connection = service_.adopt(std::move(tunnel), connection_);
        stream.exchange->begin(*this, connection, &stream);
    }
    enqueue(stream);
}

void Http2Session::begin_body(Http2Stream& stream) {
    Exchange& exchange = *stream.exchange;
    if (stream.request.refusal == 0) {
        stream.request.refusal = exchange.begin_body();
    }
    if (stream.request.refusal != 0) {
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
    stream.request.last_data = service_.loop().iteration_time();
    int status = exchange.body.take(bytes);
    owed_ += bytes.size();
    count_body(stream, exchange.body.view().size());
    if (!exchange.body.streams()) {
        nghttp2_session_consume_stream(session_, stream.id, bytes.size());
    } else if (status == 0) {
        stream.request.unread += bytes.size();
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
    if (stream.request.unread > 0 && exchange.body.has_room_again()) {
        nghttp2_session_consume_stream(session_, stream.id, stream.request.unread);
        stream.request.unread = 0;
        stale_ = true;
        connection_.mark_dirty();
    }
    give_window_back();
}

// ---- memory of bodies --------------------------------------------------------------------------

void Http2Session::count_body(Http2Stream& stream, uint64_t size) {
    body_bytes_ = body_bytes_ - stream.request.kept + size;
    stream.request.kept = size;
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
            if (stream->request.kept == 0) {
                continue;
            }
            if (stream->request.ended || stream->exchange->body.streams()) {
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
    stream.request.refusal = status;
    stream.exchange->body.drop();
    count_body(stream, 0);
    enqueue(stream);
}

void Http2Session::request_complete(Http2Stream& stream) {
    guard_.useful();
    stream.request.ended = true;
    Exchange& exchange = *stream.exchange;
    if (stream.request.refusal == 0) {
        stream.request.refusal = exchange.body.end();
    }
    if (exchange.body.streams()) {
        service_.handler().body_arrived(exchange);
        return;
    }
    enqueue(stream);
}

void Http2Session::enqueue(Http2Stream& stream) {
    if (!stream.ReadyNode::linked() && !stream.response.submitted) {
        ready_.push_back(stream);
    }
    schedule();
}

}  // namespace stampede::server
