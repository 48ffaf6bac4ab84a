// How requests are shown to the application. Plain values; PHP thread.
#pragma once

#include "server/form.h"

#include <cstdint>

namespace stampede::classes {

// How a server wants its requests shown.
struct RequestOptions {
    bool parse_cookie = true;
    bool parse_body = true;
    bool files_as_in_php = false;  // as PHP makes $_FILES
    uint64_t body_limit = 2u << 20;
    bool stream_body = false;                   // of what is no form
    server::UploadRoom* upload_room = nullptr;  // of all forms of the process
    uint64_t upload_limit = 0;                  // of a whole form with its files; 0: body_limit
    const char* upload_dir = "/tmp";
    bool request_id = false;  // each has a field x-request-id
    uint16_t port = 0;        // for `server_port`; 0: that of the running server's listener
};

// The address a request came to.
struct RequestPort {
    uint16_t number = 0;
};

}  // namespace stampede::classes
