#include "proto/http2/callbacks.h"

#include <cstdlib>
#include <string_view>

#include "proto/http2/session.h"

namespace stampede::proto::http2 {

namespace {

std::string_view text_of(const uint8_t* bytes, size_t size) {
    return {reinterpret_cast<const char*>(bytes), size};
}

FrameHead head_of(const nghttp2_frame_hd& native) {
    return {static_cast<uint32_t>(native.length), native.stream_id,
            static_cast<FrameType>(native.type), native.flags};
}

HeadKind kind_of(const nghttp2_frame& frame) {
    switch (frame.headers.cat) {
        case NGHTTP2_HCAT_REQUEST:
            return HeadKind::kRequest;
        case NGHTTP2_HCAT_RESPONSE:
            return HeadKind::kResponse;
        default:
            return HeadKind::kFurther;
    }
}

}  // namespace

Events& Callbacks::events_of(void* user) { return static_cast<Session*>(user)->events_; }

// Null when the stream is gone, or was never attached.
Stream* Callbacks::stream_of(nghttp2_session* native, int32_t id) {
    return static_cast<Stream*>(nghttp2_session_get_stream_user_data(native, id));
}

// ---- reading -----------------------------------------------------------------------------------

int Callbacks::on_begin_frame(nghttp2_session*, const nghttp2_frame_hd* head, void* user) {
    events_of(user).frame_begins(head_of(*head));
    return 0;
}

int Callbacks::on_begin_headers(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    bool is_request =
        frame->hd.type == NGHTTP2_HEADERS && frame->headers.cat == NGHTTP2_HCAT_REQUEST;
    if (is_request) {
        events_of(user).head_begins(frame->hd.stream_id);
    }
    return 0;
}

// nghttp2 finds the stream of a number in a table, for each field of a head.
Stream* Callbacks::stream_of_head(nghttp2_session* native, int32_t id, void* user) {
    Stream* latest = static_cast<Session*>(user)->latest_;
    return latest != nullptr && latest->id_ == id ? latest : stream_of(native, id);
}

int Callbacks::on_header(nghttp2_session* native, const nghttp2_frame* frame, const uint8_t* name,
                         size_t name_size, const uint8_t* value, size_t value_size, uint8_t,
                         void* user) {
    Stream* stream = stream_of_head(native, frame->hd.stream_id, user);
    if (stream == nullptr) {
        return 0;
    }
    Field field{text_of(name, name_size), text_of(value, value_size)};
    switch (events_of(user).take_field(*stream, kind_of(*frame), field)) {
        case FieldVerdict::kTaken:
            return 0;
        case FieldVerdict::kResetStream:
            return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
        case FieldVerdict::kEndConnection:
            break;
    }
    return NGHTTP2_ERR_CALLBACK_FAILURE;
}

int Callbacks::on_invalid_header(nghttp2_session* native, const nghttp2_frame* frame,
                                 const uint8_t*, size_t, const uint8_t*, size_t, uint8_t,
                                 void* user) {
    if (Stream* stream = stream_of(native, frame->hd.stream_id)) {
        events_of(user).field_left_out(*stream);
    }
    return 0;
}

int Callbacks::on_data(nghttp2_session* native, uint8_t, int32_t id, const uint8_t* data,
                       size_t size, void* user) {
    events_of(user).take_data(stream_of(native, id), text_of(data, size));
    return 0;
}

int Callbacks::on_frame(nghttp2_session* native, const nghttp2_frame* frame, void* user) {
    Events& events = events_of(user);
    FrameHead head = head_of(frame->hd);
    switch (frame->hd.type) {
        case NGHTTP2_HEADERS:
            events.head_ended(stream_of_head(native, head.stream, user), kind_of(*frame), head);
            break;
        case NGHTTP2_DATA: {
            auto padding = static_cast<uint32_t>(frame->data.padlen);
            uint32_t payload = head.length > padding ? head.length - padding : 0;
            events.data_ended(stream_of(native, head.stream), {head, payload});
            break;
        }
        case NGHTTP2_RST_STREAM:
            events.reset_received(head.stream, stream_of(native, head.stream));
            break;
        case NGHTTP2_GOAWAY:
            events.goaway_received(
                {static_cast<ErrorCode>(frame->goaway.error_code), frame->goaway.last_stream_id});
            break;
        case NGHTTP2_PING:
            if ((head.flags & NGHTTP2_FLAG_ACK) != 0) {
                events.ping_answered();
            }
            break;
        default:
            break;
    }
    return 0;
}

// ---- both --------------------------------------------------------------------------------------

// Resets of this side come here when they are sent, those of the peer when they are read. After it
// nghttp2 has no pointer to the stream's object any more.
int Callbacks::on_stream_close(nghttp2_session* native, int32_t id, uint32_t error, void* user) {
    Stream*& latest = static_cast<Session*>(user)->latest_;
    latest = latest != nullptr && latest->id_ == id ? nullptr : latest;
    if (Stream* stream = stream_of(native, id)) {
        events_of(user).stream_closed(*stream, static_cast<ErrorCode>(error));
    }
    return 0;
}

// ---- writing -----------------------------------------------------------------------------------

int Callbacks::on_frame_sent(nghttp2_session* native, const nghttp2_frame* frame, void* user) {
    int32_t id = frame->hd.stream_id;
    bool of_message = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
    if (frame->hd.type == NGHTTP2_RST_STREAM) {
        events_of(user).reset_sent(id, static_cast<ErrorCode>(frame->rst_stream.error_code));
    } else if (of_message && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) {
        if (Stream* stream = stream_of(native, id)) {
            events_of(user).end_sent(*stream);
        }
    }
    return 0;
}

// Bodies are never copied into nghttp2: it is told a size, and send_body() follows at once with the
// head of the frame, or with none when the stream was reset in between.
ssize_t Callbacks::read_body(nghttp2_session* native, int32_t id, uint8_t*, size_t capacity,
                             uint32_t* flags, nghttp2_data_source*, void* user) {
    Stream* stream = stream_of(native, id);
    if (stream == nullptr) {
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;  // nothing can complete it: it is reset
    }
    DataOffer offer = events_of(user).offer_data(*stream, capacity);
    switch (offer.kind) {
        case DataOffer::Kind::kNothing:
            stream->deferred_ = true;
            return NGHTTP2_ERR_DEFERRED;
        case DataOffer::Kind::kNoRoom:
            return NGHTTP2_ERR_PAUSE;
        case DataOffer::Kind::kBytes:
            break;
    }
    *flags |= NGHTTP2_DATA_FLAG_NO_COPY;
    if (offer.end != DataOffer::End::kMore) {
        *flags |= NGHTTP2_DATA_FLAG_EOF;
    }
    if (offer.end == DataOffer::End::kTrailers) {
        *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
    }
    return static_cast<ssize_t>(offer.size);
}

int Callbacks::send_body(nghttp2_session* native, nghttp2_frame* frame, const uint8_t* head,
                         size_t size, nghttp2_data_source*, void* user) {
    Stream* stream = stream_of(native, frame->hd.stream_id);
    bool sent = stream != nullptr &&
                events_of(user).send_data(*stream, text_of(head, FrameHead::kBytes), size);
    return sent ? 0 : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
}

// ---- the table ---------------------------------------------------------------------------------

nghttp2_session_callbacks* Callbacks::make() {
    nghttp2_session_callbacks* made = nullptr;
    if (nghttp2_session_callbacks_new(&made) != 0) {
        std::abort();  // a few words of memory, once in a process
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
}

const nghttp2_session_callbacks* Callbacks::table() {
    static const nghttp2_session_callbacks* const table = make();
    return table;
}

nghttp2_data_provider Callbacks::body_provider() {
    nghttp2_data_provider provider{};
    provider.read_callback = read_body;
    return provider;
}

}  // namespace stampede::proto::http2
