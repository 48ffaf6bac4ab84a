// Where the requests of a client go, and how that is named in them. Plain values; any thread, never
// parks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stampede::client {

enum class Scheme : uint8_t { kHttp, kHttps };

struct Origin {
    // A name, an address (IPv6 with or without brackets), "unix:" and a path, or a path.
    std::string_view host;
    uint16_t port = 0;
    Scheme scheme = Scheme::kHttp;
};

// As it stands in a URI: an IPv6 address in brackets; "localhost" for a socket that has a path.
std::string host_in_uri(const Origin& origin);

// As it stands in Host and :authority: host_in_uri() and the port, unless it is the scheme's
// usual one or the socket has a path.
std::string authority_of(const Origin& origin);

}  // namespace stampede::client
