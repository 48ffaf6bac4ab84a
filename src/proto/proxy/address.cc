#include "proto/proxy/address.h"

#include <arpa/inet.h>

#include <cstring>

namespace stampede::proto::proxy {

namespace {

constexpr uint8_t kMapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

void to_bytes(const Address& address, uint8_t (&out)[16]) {
    if (address.sin6_family == AF_INET) {
        std::memcpy(out, kMapped, sizeof(kMapped));
        std::memcpy(out + 12, &reinterpret_cast<const sockaddr_in&>(address).sin_addr, 4);
    } else {
        std::memcpy(out, &address.sin6_addr, 16);
    }
}

bool same_bits(const uint8_t* one, const uint8_t* other, size_t bits) {
    size_t whole = bits / 8;
    if (std::memcmp(one, other, whole) != 0) {
        return false;
    }
    auto mask = static_cast<uint8_t>(0xff00 >> bits % 8);
    return bits % 8 == 0 || ((one[whole] ^ other[whole]) & mask) == 0;
}

bool parse_bits(std::string_view text, unsigned most, unsigned& out) {
    uint16_t number = 0;
    if (!parse_port(text, number) || number > most) {
        return false;
    }
    out = number;
    return true;
}

}  // namespace

bool parse_ip(std::string_view text, Address& out) {
    char copy[INET6_ADDRSTRLEN];
    if (text.empty() || text.size() >= sizeof(copy) || text.find('\0') != text.npos) {
        return false;
    }
    text.copy(copy, text.size());
    copy[text.size()] = '\0';
    out = {};
    auto& v4 = reinterpret_cast<sockaddr_in&>(out);
    if (::inet_pton(AF_INET, copy, &v4.sin_addr) == 1) {
        v4.sin_family = AF_INET;
        return true;
    }
    if (::inet_pton(AF_INET6, copy, &out.sin6_addr) == 1) {
        out.sin6_family = AF_INET6;
        return true;
    }
    return false;
}

bool parse_port(std::string_view text, uint16_t& out) {
    if (text.empty() || text.size() > 5 || (text[0] == '0' && text.size() > 1)) {
        return false;
    }
    uint32_t number = 0;
    for (char c : text) {
        if (c < '0' || c > '9') {
            return false;
        }
        number = number * 10 + static_cast<uint32_t>(c - '0');
    }
    out = static_cast<uint16_t>(number);
    return number <= UINT16_MAX;
}

bool parse_node(std::string_view text, Address& out) {
    std::string_view host = text;
    std::string_view port;
    if (text.starts_with("[")) {
        size_t end = text.find(']');
        if (end == text.npos || (end + 1 < text.size() && text[end + 1] != ':')) {
            return false;
        }
        host = text.substr(1, end - 1);
        port = text.substr(end + 1);
    } else if (size_t colon = text.find(':');
               colon != text.npos && text.find(':', colon + 1) == text.npos) {
        host = text.substr(0, colon);
        port = text.substr(colon);
    }
    if (!parse_ip(host, out) || (text.starts_with("[") && out.sin6_family != AF_INET6)) {
        return false;
    }
    uint16_t number = 0;
    if (!port.empty() && !parse_port(port.substr(1), number)) {
        return false;
    }
    out.sin6_port = htons(number);  // where IPv4 has it too
    return true;
}

Address unmapped(const Address& address) {
    if (address.sin6_family != AF_INET6 || !IN6_IS_ADDR_V4MAPPED(&address.sin6_addr)) {
        return address;
    }
    Address out{};
    auto& v4 = reinterpret_cast<sockaddr_in&>(out);
    v4.sin_family = AF_INET;
    v4.sin_port = address.sin6_port;
    std::memcpy(&v4.sin_addr, address.sin6_addr.s6_addr + 12, 4);
    return out;
}

bool TrustedPeers::add(std::string_view text) {
    if (text == "unix") {
        local_ = true;
        return true;
    }
    if (text == "private") {
        for (std::string_view network :
             {"127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16",
              "::1/128", "fc00::/7", "fe80::/10"}) {
            (void)add(network);
        }
        return true;
    }
    size_t slash = text.find('/');
    Address address;
    if (!parse_ip(text.substr(0, slash), address)) {
        return false;
    }
    bool v4 = address.sin6_family == AF_INET;
    unsigned bits = v4 ? 32 : 128;
    if (slash != text.npos && !parse_bits(text.substr(slash + 1), bits, bits)) {
        return false;
    }
    Network network{};
    to_bytes(address, network.bytes);
    network.bits = static_cast<uint8_t>(v4 ? bits + 96 : bits);
    networks_.push_back(network);
    return true;
}

bool TrustedPeers::contains(const Address& address) const {
    if (address.sin6_family != AF_INET && address.sin6_family != AF_INET6) {
        return local_;
    }
    uint8_t bytes[16];
    to_bytes(address, bytes);
    for (const Network& network : networks_) {
        if (same_bits(bytes, network.bytes, network.bits)) {
            return true;
        }
    }
    return false;
}

}  // namespace stampede::proto::proxy
