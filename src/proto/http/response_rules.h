// What a response of any version may say: names and values of fields, and whether its status goes
// with a body. Free functions; any thread, never park.
#pragma once

#include <string_view>

namespace stampede::proto::http {

// A name is a token; a value has no control character but TAB (so no CR, LF or NUL); obs-text is
// allowed.
bool valid_field_name(std::string_view name);
bool valid_field_value(std::string_view value);
bool valid_reason(std::string_view reason);

// Whether a response with this status may carry a body (not 1xx, 204, 205, 304).
bool status_has_body(int status);
// Whether it may say how long that is. 205 must: its receiver looks for a body (RFC 9112 6.3), and
// is told of one of no bytes.
bool status_has_length(int status);

}  // namespace stampede::proto::http
