// What nghttp2 calls while it reads and writes for an Http2Session: each finds the stream and hands
// on to the part that it concerns. The library must not be called from there with what makes it
// send or receive. The table is made once and shared by all sessions of the process. Loop thread;
// never parks.
#pragma once

#include <nghttp2/nghttp2.h>

namespace stampede::server {

struct Http2Callbacks {
    static const nghttp2_session_callbacks* get();
    // Where the library gets the body of a response from.
    static nghttp2_data_provider body_provider();
};

}  // namespace stampede::server
