// Where a request really comes from: the connection's peer, or whom trusted proxies name. Free
// functions; loop thread; never park.
#pragma once

#include <string_view>

#include "proto/proxy/address.h"
#include "server/exchange.h"
#include "server/settings.h"

namespace stampede::server {

// How its connection came.
struct Arrival {
    proto::proxy::Address peer{};         // or whom a PROXY header names
    proto::proxy::Address destination{};  // family 0: there was no such header
    bool encrypted = false;               // here, or before the proxy
};
Arrival arrival_of(const net::Connection& connection);

struct Origin {
    proto::proxy::Address client{};       // family 0: a unix socket
    proto::proxy::Address destination{};  // family 0: not known from a PROXY header
    uint16_t port = 0;                    // that the client spoke to; 0: that of the listener
    std::string_view host;                // in the request's bytes; empty: nobody trusted says
    bool https = false;
    bool told = false;  // the request's fields count
};

Origin origin_of(const ProxySettings& settings, const Exchange& exchange, const Arrival& arrival);

// INET6_ADDRSTRLEN bytes are enough; empty: no address.
std::string_view format_address(const proto::proxy::Address& address, char* out);

}  // namespace stampede::server
