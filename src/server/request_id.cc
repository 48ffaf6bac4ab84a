#include "server/request_id.h"

#include <algorithm>

#include "os/host.h"
#include "proto/http/message.h"
#include "server/exchange.h"
#include "server/service.h"
#include "server/settings.h"

namespace stampede::server {

namespace {

constexpr size_t kMostGiven = 128;
constexpr uint64_t kSpread = 0x9e3779b97f4a7c15;  // odd, so that no two numbers become one

void format_hex(uint64_t number, char* out) {
    for (int i = 15; i >= 0; i--, number >>= 4) {
        out[i] = "0123456789abcdef"[number & 15];
    }
}

bool may_be_in_id(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_.:~/+=@").find(c) != std::string_view::npos;
}

}  // namespace

RequestIds::RequestIds() {
    os::random_bytes(&process_, sizeof(process_));
    os::random_bytes(&last_, sizeof(last_));
    last_ >>= 1;  // it never comes round to 0
}

void RequestIds::format(uint64_t number, char* out) const {
    format_hex(process_, out);
    format_hex(number * kSpread, out + 16);
}

std::string_view given_request_id(const ProxySettings& settings, const Exchange& exchange,
                                  const proto::proxy::Address& peer) {
    if (settings.trusted.empty() || !settings.trusted.contains(proto::proxy::unmapped(peer))) {
        return {};
    }
    for (const proto::http::Field& field : exchange.head) {
        if (!field.dropped() &&
            proto::http::equals_ignoring_case(exchange.text(field.name), kRequestIdField)) {
            std::string_view value = exchange.text(field.value);
            bool usable = value.size() <= kMostGiven && std::ranges::all_of(value, may_be_in_id);
            return usable ? value : std::string_view();
        }
    }
    return {};
}

std::string_view request_id(Exchange& exchange, const proto::proxy::Address& peer,
                            char (&out)[kRequestIdSize]) {
    Service& service = exchange.service();
    std::string_view given = given_request_id(service.settings().proxies, exchange, peer);
    if (!given.empty()) {
        return given;
    }
    if (exchange.id == 0) {
        exchange.id = service.request_ids().next();
    }
    service.request_ids().format(exchange.id, out);
    return {out, sizeof(out)};
}

}  // namespace stampede::server
