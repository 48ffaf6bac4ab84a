#include "io/proxy.h"

#include <cerrno>
#include <memory>
#include <string_view>

#include "io/options.h"

namespace stampede::io {

using proto::proxy::Failure;
using proto::proxy::State;

namespace {

enum : int {
    kSocksVersion = 7001,
    kSocksMethod = 7002,
    kSocksLogin = 7003,
    kSocksHandshake = 7005,
    kSocksTarget = 7006,
    kHttpHandshakeError = 7101,
    kHttpHandshakeFailed = 7103,
    kHttpBadResponse = 7104,
};

int error_of_socks(Failure failure) {
    switch (failure) {
        case Failure::kNotThisProtocol:
            return kSocksVersion;
        case Failure::kNoMethod:
            return kSocksMethod;
        case Failure::kRefusedLogin:
            return kSocksLogin;
        case Failure::kRefusedTarget:
            return kSocksTarget;
        default:
            return kSocksHandshake;
    }
}

int error_of_http(Failure failure) {
    switch (failure) {
        case Failure::kNotThisProtocol:
            return kHttpBadResponse;
        case Failure::kTooLong:
            return kHttpHandshakeError;
        default:
            return kHttpHandshakeFailed;
    }
}

// Takes of what has come only what the machine wants: what follows is the server's.
template <typename Machine>
int receive_response(Stream& stream, Machine& machine, int cut_off, Nanos deadline) {
    char bytes[512];
    while (machine.state() == State::kReceive) {
        long count = stream.peek(bytes, sizeof(bytes));
        if (count < 0) {
            return stream.error();
        }
        if (count == 0 && stream.error() == 0) {
            return cut_off;
        }
        if (count == 0) {
            stream.descriptor().blocked(Direction::kRead);
            if (!stream.wait(Direction::kRead, deadline)) {
                return stream.error();
            }
            continue;
        }
        size_t used = machine.feed({bytes, static_cast<size_t>(count)});
        if (stream.receive_exactly(bytes, used, deadline) != used) {
            return stream.error();
        }
    }
    return 0;
}

template <typename Machine>
int converse(Stream& stream, Machine& machine, int cut_off, Nanos deadline) {
    while (machine.state() == State::kSend || machine.state() == State::kReceive) {
        if (machine.state() == State::kSend) {
            std::string_view bytes = machine.to_send();
            if (stream.send_all(bytes, deadline) != bytes.size()) {
                return stream.error();
            }
            machine.sent();
        }
        if (int error = receive_response(stream, machine, cut_off, deadline)) {
            return error;
        }
    }
    return 0;
}

}  // namespace

void read_proxy_options(HashTable* settings, ProxySettings& out) {
    const struct {
        ProxyKind kind;
        std::string_view host, port, user, other_user, password;
    } known[] = {
        {ProxyKind::kHttp, "http_proxy_host", "http_proxy_port", "http_proxy_user",
         "http_proxy_username", "http_proxy_password"},
        {ProxyKind::kSocks5, "socks5_host", "socks5_port", "socks5_username", "socks5_user",
         "socks5_password"},
    };
    for (const auto& each : known) {
        if (find_option(settings, each.host) == nullptr) {
            continue;
        }
        out = ProxySettings();
        read_text(settings, each.host, out.host);
        out.kind = out.host.empty() ? ProxyKind::kNone : each.kind;
        zend_long port = 0;
        read_number(settings, each.port, port);
        out.port = static_cast<uint16_t>(port);
        read_text(settings, each.other_user, out.credentials.user);
        read_text(settings, each.user, out.credentials.user);
        read_text(settings, each.password, out.credentials.password);
    }
}

int pass_proxy(Stream& stream, const ProxySettings& proxy, const proto::proxy::Target& target,
               Nanos deadline) {
    // On the heap: a coroutine's stack is small, and these hold texts.
    if (proxy.kind == ProxyKind::kSocks5) {
        auto machine = std::make_unique<proto::proxy::Socks5>(target, proxy.credentials);
        int error = converse(stream, *machine, kSocksHandshake, deadline);
        bool failed = machine->state() == State::kFailed;
        return error == 0 && failed ? error_of_socks(machine->failure()) : error;
    }
    auto machine = std::make_unique<proto::proxy::HttpConnect>(target, proxy.credentials);
    int error = converse(stream, *machine, kHttpHandshakeError, deadline);
    bool failed = machine->state() == State::kFailed;
    return error == 0 && failed ? error_of_http(machine->failure()) : error;
}

}  // namespace stampede::io
