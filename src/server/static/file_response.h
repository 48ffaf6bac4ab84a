// The responses of the static file handler. Free functions on the loop thread; never park.
#pragma once

#include <string>
#include <string_view>

#include "os/beneath.h"
#include "server/exchange.h"

namespace stampede::server {

struct FileResponse {
    std::string_view type;
    std::string_view coding;              // empty: none
    bool varies = false;                  // with Accept-Encoding
    std::string_view cache_control = {};  // empty: the field is not sent
    os::FileMark mark;
    int fd = -1;               // taken over; -1: the bytes are in content
    std::string_view content;  // valid during the call
};

// 200, 206, 304, 412 or 416, by the request's conditions and ranges.
void respond_with_file(Exchange& exchange, const FileResponse& file);
void response_status(Exchange& exchange, int status);
void send_redirect(Exchange& exchange, const std::string& path);
void respond_with_text(Exchange& exchange, std::string_view type, std::string_view text);

}  // namespace stampede::server
