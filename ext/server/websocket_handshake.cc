#include "ext/server/websocket_handshake.h"

#include <vector>

#include "io/websocket_frames.h"
#include "proto/ws/handshake.h"
#include "server/service.h"

namespace stampede::classes {

using proto::http::Field;
using proto::http::KnownField;
using server::Exchange;

namespace {

// The value when the request has the field once, else empty.
std::string_view only(const Exchange& exchange, KnownField id) {
    std::string_view value;
    int count = 0;
    for (const Field& field : exchange.head) {
        if (field.id == id) {
            value = exchange.text(field.value);
            count++;
        }
    }
    return count == 1 ? value : std::string_view();
}

}  // namespace

bool has_field(server::FieldList fields, std::string_view name) {
    for (const server::FieldRef& field : fields) {
        if (proto::http::equals_ignoring_case(field.name, name)) {
            return true;
        }
    }
    return false;
}

int judge_handshake(const Exchange& exchange) {
    const auto& head = exchange.head;
    bool shaped = head.method == proto::http::Method::kGet && head.minor_version > 0 &&
                  head.upgrade && !head.chunked && head.content_length == 0 &&
                  proto::http::lists(only(exchange, KnownField::kUpgrade), "websocket");
    if (!shaped) {
        return 400;
    }
    if (only(exchange, KnownField::kSecWebSocketVersion) != "13") {
        return 426;
    }
    return proto::ws::valid_key(only(exchange, KnownField::kSecWebSocketKey)) ? 0 : 400;
}

void refuse_handshake(Exchange& exchange, int status) {
    static constexpr server::FieldRef kFields[] = {{"Upgrade", "websocket"},
                                                   {"Sec-WebSocket-Version", "13"}};
    server::ResponseHead head;
    head.status = status;
    head.fields = kFields;
    head.field_count = status == 426 ? 2 : 0;
    exchange.send_head(head, 0);
    exchange.finish();
}

bool asks_for_websocket(const Exchange& exchange) {
    return exchange.head.upgrade &&
           proto::http::lists(only(exchange, KnownField::kUpgrade), "websocket");
}

server::WebSocketSession& accept_handshake(Exchange& exchange, server::FieldList given) {
    const server::WebSocketSettings& settings =
        exchange.service().websocket(*exchange.connection());
    proto::ws::DeflateTerms terms;
    std::string extension;
    std::unique_ptr<proto::ws::Deflate> deflate;
    if (settings.compression && !has_field(given, "Sec-WebSocket-Extensions") &&
        proto::ws::accept_deflate_offer(only(exchange, KnownField::kSecWebSocketExtensions), terms,
                                        extension)) {
        deflate = io::make_deflate(proto::ws::Role::kServer, terms);
    }
    std::vector<server::FieldRef> fields = {{"Connection", "Upgrade"}, {"Upgrade", "websocket"}};
    char accept[proto::ws::kAcceptLength];
    if (!has_field(given, "Sec-WebSocket-Accept")) {
        proto::ws::make_accept(only(exchange, KnownField::kSecWebSocketKey), accept);
        fields.push_back({"Sec-WebSocket-Accept", {accept, sizeof(accept)}});
    }
    if (deflate != nullptr) {
        fields.push_back({"Sec-WebSocket-Extensions", extension});
    }
    fields.insert(fields.end(), given.begin(), given.end());
    proto::ws::ReadLimits limits;
    limits.message_bytes = settings.message_bytes;
    auto session = std::make_unique<server::WebSocketSession>(
        exchange.service(), *exchange.connection(), limits, std::move(deflate));
    server::WebSocketSession& result = *session;
    exchange.upgrade(fields, std::move(session));
    result.limit_messages(settings.message_time);
    result.watch_silence(settings.heartbeat);
    return result;
}

}  // namespace stampede::classes
