// Writing an HTTP/1 response: status lines, fields, chunk framing and ready-made error responses.
// Free functions that append to a Buffer of the caller. Any thread, never parks.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/buffer.h"
#include "proto/http/response_rules.h"

namespace stampede::proto::http1 {

using http::valid_reason;

// "HTTP/1.1 200 OK\r\n". An unknown status has an empty reason. status must be 100 to 999.
void append_status_line(Buffer& out, int status);
// With the caller's own reason; one that is not valid_reason() is replaced by the usual one.
void append_status_line(Buffer& out, int status, std::string_view reason);

// "Name: value\r\n"; both must be valid.
void append_field(Buffer& out, std::string_view name, std::string_view value);
// "Content-Length: 5\r\n"
void append_content_length(Buffer& out, uint64_t length);
void append_decimal(Buffer& out, uint64_t number);
void append_end_of_head(Buffer& out);

// "1a2b\r\n"; length must not be 0 (that would end the body).
void append_chunk_prefix(Buffer& out, uint64_t length);
inline constexpr std::string_view kChunkSuffix = "\r\n";
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";
inline constexpr std::string_view kLastChunkBeforeTrailer = "0\r\n";
inline constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

// A whole response with Content-Length, "Connection: close" and one line of text, ready to be
// written. Statuses that are not in the table give the response for 500.
std::string_view canned_error(int status);

enum class ErrorBody : uint8_t {
    kSend,
    kOmit,  // to a HEAD request
};
// The same with a Date (kDateLength bytes).
void append_error(Buffer& out, int status, std::string_view date, ErrorBody body);

}  // namespace stampede::proto::http1
