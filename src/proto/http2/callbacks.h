// What nghttp2 calls while it reads and writes for a Session: each finds the user's stream and
// tells the event. Part of Session; nobody else includes it. The table is made once and shared by
// all sessions of the process. Any thread; never parks.
#pragma once

#include <nghttp2/nghttp2.h>

namespace stampede::proto::http2 {

class Events;
class Stream;

struct Callbacks {
    static const nghttp2_session_callbacks* table();
    // Where nghttp2 gets the bodies of messages from. It is copied into the frame that is queued,
    // and finds its stream by the number, so that it may outlive the stream's object.
    static nghttp2_data_provider body_provider();

private:
    static Events& events_of(void* user);
    static Stream* stream_of(nghttp2_session* native, int32_t id);
    static Stream* stream_of_head(nghttp2_session* native, int32_t id, void* user);

    static int on_begin_frame(nghttp2_session*, const nghttp2_frame_hd* head, void* user);
    static int on_begin_headers(nghttp2_session*, const nghttp2_frame* frame, void* user);
    static int on_header(nghttp2_session* native, const nghttp2_frame* frame, const uint8_t* name,
                         size_t name_size, const uint8_t* value, size_t value_size, uint8_t flags,
                         void* user);
    static int on_invalid_header(nghttp2_session* native, const nghttp2_frame* frame,
                                 const uint8_t* name, size_t name_size, const uint8_t* value,
                                 size_t value_size, uint8_t flags, void* user);
    static int on_data(nghttp2_session* native, uint8_t flags, int32_t id, const uint8_t* data,
                       size_t size, void* user);
    static int on_frame(nghttp2_session* native, const nghttp2_frame* frame, void* user);
    static int on_frame_sent(nghttp2_session* native, const nghttp2_frame* frame, void* user);
    static int on_stream_close(nghttp2_session* native, int32_t id, uint32_t error, void* user);
    static ssize_t read_body(nghttp2_session* native, int32_t id, uint8_t* out, size_t capacity,
                             uint32_t* flags, nghttp2_data_source* source, void* user);
    static int send_body(nghttp2_session* native, nghttp2_frame* frame, const uint8_t* head,
                         size_t size, nghttp2_data_source* source, void* user);
    static nghttp2_session_callbacks* make();
};

}  // namespace stampede::proto::http2
