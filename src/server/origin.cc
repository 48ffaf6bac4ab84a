#include "server/origin.h"

#include <arpa/inet.h>

#include <charconv>
#include <cstdint>
#include <cstring>

#include "proto/http/message.h"
#include "proto/proxy/forwarded.h"

namespace stampede::server {

namespace {

using proto::proxy::ForwardedFields;
using proto::proxy::Lines;

Lines* lines_of(ForwardedFields& fields, std::string_view name) {
    using proto::http::equals_ignoring_case;
    struct Known {
        std::string_view name;
        Lines ForwardedFields::*lines;
    };
    static constexpr Known kKnown[] = {{"forwarded", &ForwardedFields::forwarded},
                                       {"x-forwarded-for", &ForwardedFields::x_for},
                                       {"x-forwarded-proto", &ForwardedFields::x_proto},
                                       {"x-forwarded-host", &ForwardedFields::x_host},
                                       {"x-forwarded-port", &ForwardedFields::x_port}};
    for (const Known& known : kKnown) {
        if (equals_ignoring_case(name, known.name)) {
            return &(fields.*known.lines);
        }
    }
    return nullptr;
}

void read_fields(const ProxySettings& settings, const Exchange& exchange, Origin& out) {
    ForwardedFields fields;
    for (const proto::http::Field& field : exchange.head) {
        std::string_view name = exchange.text(field.name);
        bool may_be = name.size() >= 9 && name.size() <= 17 && !field.dropped();
        if (Lines* lines = may_be ? lines_of(fields, name) : nullptr) {
            lines->add(exchange.text(field.value));
        }
    }
    using Scheme = proto::proxy::Origin::Scheme;
    proto::proxy::Origin found =
        proto::proxy::find_origin(fields, settings.style, settings.trusted, out.client);
    out.told = found.told;
    out.client = found.client;
    out.host = found.host;
    out.port = found.port != 0 ? found.port : out.port;
    out.https = found.scheme == Scheme::kUnknown ? out.https : found.scheme == Scheme::kHttps;
}

}  // namespace

Arrival arrival_of(const net::Connection& connection) {
    const net::Transport& transport = connection.transport();
    Arrival out;
    out.peer = connection.peer;
    out.encrypted = transport.encrypted();
    if (const net::ViaProxy* via = transport.via_proxy()) {
        out.destination = via->destination;
        out.encrypted = out.encrypted || via->encrypted;
    }
    return out;
}

Origin origin_of(const ProxySettings& settings, const Exchange& exchange, const Arrival& arrival) {
    Origin out;
    out.client = arrival.peer;
    out.destination = arrival.destination;
    out.port = ntohs(arrival.destination.sin6_port);
    out.https = arrival.encrypted;
    if (!settings.trusted.empty()) {
        read_fields(settings, exchange, out);
    }
    return out;
}

namespace {

// As inet_ntop() does it, which runs sprintf() for each request otherwise.
std::string_view format_ipv4(const in_addr& address, char* out) {
    uint8_t bytes[4];
    std::memcpy(bytes, &address, sizeof(bytes));
    char* end = out;
    for (uint8_t byte : bytes) {
        end = std::to_chars(end, end + 3, byte).ptr;
        *end++ = '.';
    }
    *--end = '\0';  // in place of the last dot
    return {out, static_cast<size_t>(end - out)};
}

}  // namespace

std::string_view format_address(const proto::proxy::Address& address, char* out) {
    if (address.sin6_family == AF_INET) {
        return format_ipv4(reinterpret_cast<const sockaddr_in&>(address).sin_addr, out);
    }
    if (address.sin6_family != AF_INET6) {
        return {};
    }
    const char* text = ::inet_ntop(AF_INET6, &address.sin6_addr, out, INET6_ADDRSTRLEN);
    return text != nullptr ? std::string_view(text) : std::string_view();
}

}  // namespace stampede::server
