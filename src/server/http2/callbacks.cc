#include "server/http2/callbacks.h"

#include <cstdlib>
#include <string_view>

#include "server/http2/session.h"

namespace stampede::server {

namespace {

Http2Session& session_of(void* user) { return *static_cast<Http2Session*>(user); }

Http2Stream* stream_of(nghttp2_session* session, int32_t id) {
    return static_cast<Http2Stream*>(nghttp2_session_get_stream_user_data(session, id));
}

std::string_view text_of(const uint8_t* bytes, size_t size) {
    return {reinterpret_cast<const char*>(bytes), size};
}

int on_begin_frame(nghttp2_session*, const nghttp2_frame_hd* header, void* user) {
    session_of(user).frames().frame_begins(*header);
    return 0;
}

int on_begin_headers(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    bool is_request =
        frame->hd.type == NGHTTP2_HEADERS && frame->headers.cat == NGHTTP2_HCAT_REQUEST;
    return is_request ? session_of(user).intake().begin_head(frame->hd.stream_id) : 0;
}

int on_header(nghttp2_session* native, const nghttp2_frame* frame, const uint8_t* name,
              size_t name_size, const uint8_t* value, size_t value_size, uint8_t, void* user) {
    Http2Stream* stream = stream_of(native, frame->hd.stream_id);
    if (stream == nullptr) {
        return 0;
    }
    return session_of(user).intake().take_field(*stream, *frame, text_of(name, name_size),
                                                text_of(value, value_size));
}

// The library would leave such a field out; a message with one is malformed.
int on_invalid_header(nghttp2_session* native, const nghttp2_frame* frame, const uint8_t*, size_t,
                      const uint8_t*, size_t, uint8_t, void*) {
    if (Http2Stream* stream = stream_of(native, frame->hd.stream_id)) {
        stream->request.head.set_malformed();
    }
    return 0;
}

int on_data(nghttp2_session* native, uint8_t, int32_t id, const uint8_t* data, size_t size,
            void* user) {
    session_of(user).intake().take_data(stream_of(native, id), text_of(data, size));
    return 0;
}

int on_frame(nghttp2_session* native, const nghttp2_frame* frame, void* user) {
    int32_t id = frame->hd.stream_id;
    if (frame->hd.type == NGHTTP2_RST_STREAM) {
        session_of(user).frames().reset_came(id, stream_of(native, id));
    } else if (frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA) {
        session_of(user).intake().take_frame(stream_of(native, id), *frame);
    }
    return 0;
}

int on_frame_sent(nghttp2_session* native, const nghttp2_frame* frame, void* user) {
    int32_t id = frame->hd.stream_id;
    bool of_stream = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
    if (frame->hd.type == NGHTTP2_RST_STREAM) {
        session_of(user).frames().reset_sent(id, frame->rst_stream.error_code);
    } else if (of_stream && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) {
        if (Http2Stream* stream = stream_of(native, id)) {
            session_of(user).responses().end_sent(*stream);
        }
    }
    return 0;
}

int on_stream_close(nghttp2_session* native, int32_t id, uint32_t error, void* user) {
    if (Http2Stream* stream = stream_of(native, id)) {
        session_of(user).responses().stream_closed(*stream, error);
    }
    return 0;
}

ssize_t read_body(nghttp2_session* native, int32_t id, uint8_t*, size_t capacity, uint32_t* flags,
                  nghttp2_data_source*, void* user) {
    if (Http2Stream* stream = stream_of(native, id)) {
        return session_of(user).responses().offer_frame(*stream, capacity, *flags);
    }
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
}

int send_body(nghttp2_session* native, nghttp2_frame* frame, const uint8_t* header, size_t size,
              nghttp2_data_source*, void* user) {
    Http2Stream* stream = stream_of(native, frame->hd.stream_id);
    bool sent = stream != nullptr && session_of(user).responses().send_frame(*stream, header, size);
    return sent ? 0 : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
}

const nghttp2_session_callbacks* make_table() {
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
}

}  // namespace

const nghttp2_session_callbacks* Http2Callbacks::get() {
    static const nghttp2_session_callbacks* const table = make_table();
    return table;
}

nghttp2_data_provider Http2Callbacks::body_provider() {
    nghttp2_data_provider provider{};
    provider.read_callback = read_body;
    return provider;
}

}  // namespace stampede::server
