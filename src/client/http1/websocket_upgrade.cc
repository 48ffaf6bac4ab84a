#include "client/http1/websocket_upgrade.h"

#include "proto/ws/handshake.h"

namespace stampede::client::http1 {

namespace {

struct Found {
    std::string_view value;
    int lines = 0;
};

Found find(const proto::http1::ParsedResponseHead& head, const char* base, std::string_view name) {
    Found found;
    for (const proto::http::Field& field : head.fields) {
        if (proto::http::equals_ignoring_case(field.name.in(base), name)) {
            found.value = field.value.in(base);
            found.lines++;
        }
    }
    return found;
}

}  // namespace

Agreed judge_upgrade(const proto::http1::ParsedResponseHead& head, const char* base,
                     const Offer& offer, proto::ws::DeflateTerms& terms) {
    if (head.status != 101) {
        return Agreed::kNothing;
    }
    char wanted[proto::ws::kAcceptLength];
    proto::ws::make_accept(offer.key, wanted);
    Found accept = find(head, base, "Sec-WebSocket-Accept");
    if (!head.upgrade || accept.lines != 1 ||
        accept.value != std::string_view(wanted, sizeof(wanted))) {
        return Agreed::kBadHandshake;
    }
    Found extensions = find(head, base, "Sec-WebSocket-Extensions");
    if (extensions.lines == 0 || (extensions.lines == 1 && extensions.value.empty())) {
        return Agreed::kPlain;
    }
    // One extension was offered: several lines name more than that.
    bool fine = offer.deflate && extensions.lines == 1 &&
                proto::ws::read_deflate_response(extensions.value, terms);
    return fine ? Agreed::kDeflate : Agreed::kBadExtension;
}

}  // namespace stampede::client::http1
