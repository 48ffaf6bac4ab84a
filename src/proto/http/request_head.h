// The head of a request, of any version: slices of the bytes that it was read from. Owned by what
// reads requests, and used again for the next one; any thread, never parks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "proto/http/message.h"

namespace stampede::proto::http {

// Offsets count from the `data` that was parsed. Valid only after a parser has said kDone.
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

}  // namespace stampede::proto::http
