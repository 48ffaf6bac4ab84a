// The API's socks5_* and http_proxy_* settings, and the way through such a proxy on a stream that
// is connected to it. PHP thread; pass_proxy() parks as the stream does.
#pragma once

#include <string>

#include "io/stream.h"
#include "proto/proxy/handshake.h"
#include "zend/php.h"

namespace stampede::io {

enum class ProxyKind : uint8_t { kNone, kSocks5, kHttp };

struct ProxySettings {
    ProxyKind kind = ProxyKind::kNone;
    std::string host;
    uint16_t port = 0;
    proto::proxy::Credentials credentials;
};

// Takes over the keys of the API's array that belong here and leaves `out` as it is without them.
// `out` must not be a local of the caller: reading a value may end the script.
void read_proxy_options(HashTable* settings, ProxySettings& out);

// Asks the proxy at the other end of the stream for the target. 0, or an errno value or
// SWOOLE_ERROR_SOCKS5_*, SWOOLE_ERROR_HTTP_PROXY_*.
int pass_proxy(Stream& stream, const ProxySettings& proxy, const proto::proxy::Target& target,
               Nanos deadline);

}  // namespace stampede::io
