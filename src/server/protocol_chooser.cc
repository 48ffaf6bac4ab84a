#include "server/protocol_chooser.h"

#include <algorithm>
#include <cstring>

#include "server/http1/session.h"
#include "server/http2/session.h"
#include "server/service.h"

namespace stampede::server {

namespace {

constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

int base64_value(char c) {
    constexpr std::string_view kUrlAlphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    size_t at = kUrlAlphabet.find(c);
    return at == kUrlAlphabet.npos ? -1 : static_cast<int>(at);
}

// base64url without padding. False: it is none, or longer than settings are.
bool decode_settings(std::string_view text, Buffer& out) {
    constexpr size_t kMost = 1024;
    uint32_t bits = 0;
    int count = 0;
    for (char c : text.substr(0, text.find('='))) {
        int value = base64_value(c);
        if (value < 0 || out.size() > kMost) {
            return false;
        }
        bits = bits << 6 | static_cast<uint32_t>(value);
        count += 6;
        if (count >= 8) {
            count -= 8;
            out.append(static_cast<char>(bits >> count & 0xff));
        }
    }
    return true;
}

// The settings, when everything about the request is as it must be.
bool read_upgrade(const Exchange& exchange, Buffer& settings) {
    using proto::http::KnownField;
    const auto& head = exchange.head;
    const proto::http::Field* upgrade = head.find(KnownField::kUpgrade);
    const proto::http::Field* connection = head.find(KnownField::kConnection);
    if (upgrade == nullptr || connection == nullptr || head.minor_version != 1 ||
        !proto::http::lists(exchange.text(upgrade->value), "h2c") ||
        !proto::http::lists(exchange.text(connection->value), "http2-settings")) {
        return false;
    }
    const proto::http::Field* given = nullptr;
    for (const proto::http::Field& field : head) {
        if (proto::http::equals_ignoring_case(exchange.text(field.name), "http2-settings")) {
            if (given != nullptr) {
                return false;
            }
            given = &field;
        }
    }
    return given != nullptr && decode_settings(exchange.text(given->value), settings);
}

}  // namespace

ProtocolChooser::ProtocolChooser(Service& service, net::Connection& connection)
    : service_(service), connection_(connection) {
    connection.set_deadline(connection.opened_at + service.limits(connection).header_time);
}

void ProtocolChooser::on_bytes(const char* data, size_t size) {
    if (connection_.transport().encrypted()) {
        bool http2 = connection_.transport().protocol() == "h2";
        hand_over(http2 ? std::unique_ptr<HttpSession>(Http2Session::create(service_, connection_))
                        : std::make_unique<Http1Session>(service_, connection_),
                  {data, size});
        return;
    }
    std::string_view rest = kPreface.substr(matched_);
    size_t count = std::min(size, rest.size());
    if (std::memcmp(data, rest.data(), count) != 0) {
        hand_over(std::make_unique<Http1Session>(service_, connection_), {data, size});
        return;
    }
    if (count < rest.size()) {
        matched_ += count;
        return;
    }
    hand_over(Http2Session::create(service_, connection_), {data, size});
}

// The new session may read after its bytes, so they stay where they came from.
void ProtocolChooser::hand_over(std::unique_ptr<HttpSession> session, std::string_view bytes) {
    if (session == nullptr) {
        connection_.close_now(net::CloseCause::kError);
        return;
    }
    HttpSession& next = *session;
    service_.connections().hand_over(connection_, speaker_of(std::move(session)));
    if (matched_ > 0) {
        char start[kPreface.size() + net::Hub::kPadding];
        std::memcpy(start, kPreface.data(), matched_);
        next.on_bytes(start, matched_);
    }
    if (!connection_.closed()) {
        next.on_bytes(bytes.data(), bytes.size());
    }
}

void ProtocolChooser::on_end() { connection_.close_after_flush(); }

void ProtocolChooser::on_deadline() { connection_.close_after_flush(); }

void ProtocolChooser::on_closed() { service_.forget(connection_); }

bool upgrade_to_http2(Exchange& exchange, std::string_view bytes_behind) {
    net::Connection& connection = *exchange.connection();
    Buffer settings;
    if (connection.transport().encrypted() || !read_upgrade(exchange, settings)) {
        return false;
    }
    auto session = Http2Session::adopt(exchange, settings.view());
    if (session == nullptr) {
        connection.set_deadline(kNever);
        return false;
    }
    connection.cork().append(
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n");
    connection.mark_dirty();
    Http2Session& next = *session;
    exchange.service().connections().hand_over(connection, speaker_of(std::move(session)));
    if (!bytes_behind.empty()) {
        next.on_bytes(bytes_behind.data(), bytes_behind.size());
    }
    return true;
}

}  // namespace stampede::server
