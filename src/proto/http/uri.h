// Percent-decoding, host validation and path normalisation (RFC 3986).
// Free functions over bytes; results go to memory of the caller. Any thread, never parks, never
// allocates.
#pragma once

#include <cstddef>
#include <string_view>

namespace stampede::proto::http {

enum class Plus : unsigned char { kLiteral, kSpace };

// Decodes %XX into out (at least in.size() bytes; may be in.data() itself) and returns the new
// length. What is no valid escape stays as it is, as PHP's urldecode does.
size_t percent_decode(std::string_view in, char* out, Plus plus);

// The value of a hexadecimal digit, -1 for any other character.
int hex_value(char c);

// host [":" port] as it may stand in a Host field: a name, an IPv4 address or a bracketed IPv6
// address. Stricter than the grammar: no empty host, no user information, no list, no escapes, port
// at most 65535.
bool valid_host(std::string_view host);
// The part of a valid host before the port.
std::string_view host_without_port(std::string_view host);

// Turns a decoded absolute path into one without "." and ".." segments and doubled slashes, for
// looking up files below a root. out needs path.size() bytes and may be path.data(). False when the
// path would leave its root, does not start with
// '/', or holds a NUL or a backslash.
bool normalise_path(std::string_view path, char* out, size_t& out_length);

}  // namespace stampede::proto::http
