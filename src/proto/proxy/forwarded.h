// What proxies say of a request in its fields: Forwarded (RFC 7239) or X-Forwarded-*. Each proxy
// adds to the right what it saw, so the fields are read from there, and only as far as the proxies
// that wrote are trusted: what a client sends itself lies further left. Pure functions over text.
// Any thread, never parks, never allocates.
#pragma once

#include <cstdint>
#include <string_view>

#include "proto/proxy/address.h"

namespace stampede::proto::proxy {

enum class ForwardedStyle : uint8_t { kXForwarded, kForwarded };

// The values of a field's lines, in the order of the message. What is more is not looked at.
struct Lines {
    static constexpr size_t kMost = 16;
    std::string_view at[kMost];
    size_t count = 0;

    // The newest ones are those that count.
    void add(std::string_view value);
};

struct ForwardedFields {
    Lines forwarded;
    Lines x_for;
    Lines x_proto;
    Lines x_host;
    Lines x_port;
};

struct Origin {
    Address client{};  // as far as it can be believed
    enum class Scheme : uint8_t { kUnknown, kHttp, kHttps } scheme = Scheme::kUnknown;
    std::string_view host;  // valid, perhaps with a port; empty: not said
    uint16_t port = 0;      // that the client spoke to; 0: not said
    bool told = false;      // a trusted peer has said something
};

// `peer` is the address the connection comes from.
Origin find_origin(const ForwardedFields& fields, ForwardedStyle style, const TrustedPeers& trusted,
                   const Address& peer);

}  // namespace stampede::proto::proxy
