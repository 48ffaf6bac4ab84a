// Cookies as a client sends and takes them. Free functions; any thread, never parks.
#pragma once

#include <string>
#include <string_view>

namespace stampede::client {

// Percent-encoded as forms do, but a space as %20.
std::string cookie_value(std::string_view text);

// A Set-Cookie field: "name=value; attributes".
struct SetCookie {
    std::string_view name;
    std::string_view value;  // as sent
    bool removes = false;    // its Max-Age is not above 0
};
// False for a line without a name.
bool read_set_cookie(std::string_view line, SetCookie& out);

}  // namespace stampede::client
