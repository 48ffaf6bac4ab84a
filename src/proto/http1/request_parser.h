// The strict parser for an HTTP/1 request head (RFC 9110, 9112): bytes in; done, need more or bad
// out. Pure: it keeps no state between calls and touches only the RequestHead it is given, which
// one loop may reuse for all its connections. Any thread, never parks.
//
// What it decides: request line, fields, Host, body framing, persistence, Expect. What it leaves:
// the size of the body (compare content_length with your limit before a 100), and whether the
// application likes the method.
#pragma once

#include <cstddef>
#include <cstdint>

#include "proto/http/limits.h"
#include "proto/http/request_head.h"

namespace stampede::proto::http1 {

using http::Field;
using http::KnownField;
using http::Limits;
using http::Method;
using http::ParseStatus;
using http::RequestHead;
using http::Slice;

struct ParseResult {
    ParseStatus status = ParseStatus::kNeedMore;
    uint16_t http_status =
        0;  // of the response when bad: 400, 413, 414, 417, 431, 501, 505; then close
    uint32_t consumed = 0;  // when done
};

// How many bytes after `size` may be read (their content does not matter).
inline constexpr size_t kPadding = 32;

// Parses the head at the start of `data`. `data + size + kPadding` must be readable.
// already_scanned: how many of these bytes an earlier call with the same start has seen (its size),
// 0 at first. A byte that cannot end a line costs no new look at the bytes before it, so a dripping
// peer stays cheap.
ParseResult parse_request_head(const char* data, size_t size, size_t already_scanned,
                               const Limits& limits, RequestHead& out);

// The same for bytes without padding after them; never reads at or past data + size.
ParseResult parse_request_head_exact(const char* data, size_t size, size_t already_scanned,
                                     const Limits& limits, RequestHead& out);

// Which scanner this processor was given: "avx2", "ssse3", "portable".
const char* scanner_name();

}  // namespace stampede::proto::http1
