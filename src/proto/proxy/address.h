// Addresses in the words of proxies, and lists of networks that are trusted. Plain values; filled
// once, then only read. Any thread, never parks.
#pragma once

#include <netinet/in.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stampede::proto::proxy {

// An IPv4 address lies at the beginning of it, as in a socket's storage. Family 0: no address.
using Address = sockaddr_in6;

// "192.0.2.1", "2001:db8::1". Nothing else: no port, no brackets, no zone. Port 0.
bool parse_ip(std::string_view text, Address& out);
// The same, also "192.0.2.1:80", "[2001:db8::1]" and "[2001:db8::1]:80".
bool parse_node(std::string_view text, Address& out);
// 0 to 65535 in decimal digits, without leading zeros.
bool parse_port(std::string_view text, uint16_t& out);
// ::ffff:192.0.2.1 is 192.0.2.1.
Address unmapped(const Address& address);

class TrustedPeers {
public:
    // "192.0.2.0/24", "2001:db8::/32", a single address, "private" (the networks of RFC 1918, 3927
    // and 4193, and this host), "unix". False: it is none of these.
    bool add(std::string_view text);
    bool empty() const { return networks_.empty() && !local_; }
    // An address of family 0 is the peer of a unix socket.
    bool contains(const Address& address) const;

private:
    struct Network {
        uint8_t bytes[16];  // of an IPv4 network as ::ffff:...
        uint8_t bits;
    };
    std::vector<Network> networks_;
    bool local_ = false;
};

}  // namespace stampede::proto::proxy
