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
#include <string>

#include "proto/http/message.h"
#include "proto/http1/limits.h"

namespace stampede::proto::http1 {

using http::Field;
using http::KnownField;
using http::Method;
using http::ParseStatus;
using http::Slice;

// Offsets count from the `data` that was parsed. Valid only after ParseStatus::kDone.
struct RequestHead {
    static constexpr uint32_t kInlineFields = 32;

    RequestHead() = default;
    ~RequestHead();
    RequestHead(const RequestHead&) = delete;
    RequestHead& operator=(const RequestHead&) = delete;

    // Called by the parser; keeps a grown field array for the next head.
    void reset();
    Field& add_field() {
        if (field_count == field_capacity) {
            grow();
        }
        return fields[field_count++];
    }
    // The first field with this id, null when there is none.
    const Field* find(KnownField id) const;
    // The first field with this name in any letter case, for names without an id.
    const Field* find(std::string_view name, const char* base) const;
    // The next field with the same name, null when there is none.
    const Field* find_next(const Field& field, const char* base) const;
    // The value of a field. Several lines are one list (RFC 9110 5.3), which is put together in
    // room; one line is not copied. data() is null when there is none.
    std::string_view list(std::string_view name, const char* base, std::string& room) const;

    const Field* begin() const { return fields; }
    const Field* end() const { return fields + field_count; }
    void grow();

    Slice method_text;
    Slice target;  // as sent
    Slice
        path;  // up to '?'; empty stands for "/" (absolute-form without a path); "*" for OPTIONS *
    Slice query;      // after '?', without it
    Slice authority;  // of an absolute-form target; stands in for the value of Host, too
    Slice host;  // the authority if there is one, else the value of Host; empty when neither is
                 // there (1.0)

    Method method = Method::kGet;
    uint8_t minor_version = 1;  // 0 or 1; any HTTP/1.x above 1.0 counts as 1
    bool keep_alive = true;
    bool chunked = false;
    bool has_content_length = false;
    bool expect_continue = false;  // never for 1.0
    bool upgrade = false;          // "Connection: upgrade" together with an Upgrade field
    bool has_host = false;

    uint64_t content_length = 0;  // at most 2^63-1
    uint32_t head_bytes = 0;      // all that was consumed: leading empty lines, head, blank line
    uint32_t field_count = 0;
    uint32_t field_capacity = kInlineFields;
    Field* fields = inline_fields;
    Field inline_fields[kInlineFields];
};

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

// Takes a target apart that is not a plain origin-form one: sets path, query and authority. 0, or
// the status of the refusal.
uint16_t split_target(const char* data, RequestHead& out);

// Which scanner this processor was given: "avx2", "ssse3", "portable".
const char* scanner_name();

}  // namespace stampede::proto::http1
