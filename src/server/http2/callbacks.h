// What nghttp2 calls while it reads and writes for an Http2Session. The table is made once and
// shared by all sessions of the process. Loop thread; never parks.
#pragma once

#include <nghttp2/nghttp2.h>

#include "server/http2/session.h"
#include "server/settings.h"

namespace stampede::server {

struct Http2Callbacks {
    static const nghttp2_session_callbacks* get();

    static int on_begin_frame(nghttp2_session*, const nghttp2_frame_hd* header, void* user);
    static int on_begin_headers(nghttp2_session*, const nghttp2_frame* frame, void* user);
    static int on_header(nghttp2_session*, const nghttp2_frame* frame, const uint8_t* name,
                         size_t name_size, const uint8_t* value, size_t value_size, uint8_t flags,
                         void* user);
    static int on_invalid_header(nghttp2_session*, const nghttp2_frame* frame, const uint8_t* name,
                                 size_t name_size, const uint8_t* value, size_t value_size,
                                 uint8_t flags, void* user);
    static int on_data(nghttp2_session*, uint8_t flags, int32_t id, const uint8_t* data,
                       size_t size, void* user);
    static int on_frame(nghttp2_session*, const nghttp2_frame* frame, void* user);
    static int on_frame_sent(nghttp2_session*, const nghttp2_frame* frame, void* user);
    static int on_stream_close(nghttp2_session*, int32_t id, uint32_t error, void* user);

    static ssize_t read_body(nghttp2_session*, int32_t id, uint8_t* out, size_t capacity,
                             uint32_t* flags, nghttp2_data_source* source, void* user);
    static int send_body(nghttp2_session*, nghttp2_frame* frame, const uint8_t* header, size_t size,
                         nghttp2_data_source* source, void* user);
};

// Puts the true limit of streams into the settings frame.
void correct_settings(const char* frame, size_t size, const Http2Settings& settings);

}  // namespace stampede::server
