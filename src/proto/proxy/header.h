// The header of the PROXY protocol, versions 1 and 2: what a proxy says of the connection that it
// passes on, before the connection's own bytes. A pure function over bytes. Any thread, never
// parks, never allocates.
#pragma once

#include <cstddef>
#include <cstdint>

#include "proto/proxy/address.h"

namespace stampede::proto::proxy {

inline constexpr size_t kMostHeader = 4096;  // version 1 has at most 107 bytes

struct Header {
    // The proxy speaks for itself (health checks), or does not know: the addresses of the
    // connection hold.
    bool own = false;
    Address source{};        // family 0: the client came by a unix socket
    Address destination{};   // the address it wanted
    bool encrypted = false;  // the client speaks TLS with the proxy
};

enum class HeaderStatus : uint8_t { kNeedMore, kDone, kBad };

struct HeaderResult {
    HeaderStatus status = HeaderStatus::kNeedMore;
    size_t size = 0;  // of the whole header, when done
};

// `data` begins with the connection's first byte.
HeaderResult parse_header(const char* data, size_t size, Header& out);

}  // namespace stampede::proto::proxy
