// The strict parser for the head of an HTTP/1 response (RFC 9112), for clients: bytes in; done,
// need more or bad out. Pure but for the ParsedResponseHead it is given, which a client reuses. Any
// thread, never parks.
#pragma once

#include <cstdint>
#include <vector>

#include "proto/http/message.h"
#include "proto/http/limits.h"

namespace stampede::proto::http1 {

using http::Limits;

// How the end of a response's body is known.
enum class BodyEnd : uint8_t { kNone, kCounted, kChunked, kClose };

// Offsets count from the `data` that was parsed. Valid only after ParseStatus::kDone.
struct ParsedResponseHead {
    std::string_view content_coding(const char* base) const { return coding.in(base); }

    int status = 0;
    uint8_t minor_version = 1;
    bool keep_alive = true;
    bool chunked = false;
    bool has_content_length = false;
    bool upgrade = false;  // "Connection: upgrade" together with an Upgrade field
    uint64_t content_length = 0;
    uint32_t head_bytes = 0;
    http::Slice reason;
    http::Slice coding;  // of Content-Encoding
    std::vector<http::Field> fields;
};

// already_scanned: how many of these bytes an earlier call with the same start has seen, 0 at
// first. Never reads at or after data + size.
http::ParseStatus parse_response_head(std::string_view data, size_t already_scanned,
                                      const Limits& limits, ParsedResponseHead& out);

// What follows the head of a response to a request with this method. 1xx have none.
BodyEnd body_end_of(const ParsedResponseHead& head, http::Method request);

}  // namespace stampede::proto::http1
