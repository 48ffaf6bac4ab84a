#include "classes/client/dial.h"

#include <cerrno>

#include "classes/coroutine.h"
#include "io/resolver.h"

namespace stampede::classes::client {

namespace {

constexpr int kProxyHandshakeFailed = 7103;  // SWOOLE_ERROR_HTTP_PROXY_HANDSHAKE_FAILED
constexpr int kProxyBadResponse = 7104;      // SWOOLE_ERROR_HTTP_PROXY_BAD_RESPONSE

zval* find(HashTable* settings, std::string_view name) {
    zval* value = zend_hash_str_find(settings, name.data(), name.size());
    if (value != nullptr) {
        ZVAL_DEREF(value);
    }
    return value;
}

void read_text(HashTable* settings, std::string_view name, std::string& out) {
    zval* value = find(settings, name);
    if (value == nullptr) {
        return;
    }
    zend_string* text = zval_get_string(value);
    out.assign(ZSTR_VAL(text), ZSTR_LEN(text));
    zend_string_release(text);
}

void read_port(HashTable* settings, std::string_view name, uint16_t& out) {
    if (zval* value = find(settings, name)) {
        zend_long number = zval_get_long(value);
        out = number > 0 && number <= 65535 ? static_cast<uint16_t>(number) : 0;
    }
}

bool fail(io::Stream& stream, DialFailure& failure) {
    failure.code = stream.error();
    failure.text = stream.error_text();
    stream.close();
    return false;
}

bool fail_with(io::Stream& stream, int code, std::string text, DialFailure& failure) {
    failure.code = code;
    failure.text = std::move(text);
    stream.close();
    return false;
}

bool reach(io::Stream& stream, const DialPlan& plan, Nanos deadline, DialFailure& failure) {
    const Proxy* proxy = plan.socks5.used()       ? &plan.socks5
                         : plan.http_proxy.used() ? &plan.http_proxy
                                                  : nullptr;
    std::string_view host = proxy != nullptr ? proxy->at.host : std::string_view(plan.host);
    io::AddressList from;
    io::AddressList list;
    if (!plan.bind_address.empty() && !io::resolve_numeric(plan.bind_address, AF_UNSPEC, from)) {
        return fail_with(stream, EADDRNOTAVAIL, io::error_text(EADDRNOTAVAIL), failure);
    }
    int family = from.count > 0 ? from.items[0].family() : AF_UNSPEC;
    if (int code = io::resolve(host, family, deadline, list)) {
        return fail_with(stream, code, io::error_text(code), failure);
    }
    if (from.count > 0) {
        io::set_port(from.items[0], plan.bind_port);
    }
    for (int i = 0; i < list.count; i++) {
        io::set_port(list.items[i], proxy != nullptr ? proxy->at.port : plan.port);
        if (stream.dial(list.items[i], from.items[0], deadline)) {
            if (list.items[i].family() != AF_UNIX) {
                os::set_nodelay(stream.fd());
            }
            return true;
        }
        if (stream.error() == ECANCELED || stream.error() == ETIMEDOUT) {
            break;
        }
    }
    return fail(stream, failure);
}

std::string say_why(proto::proxy::Failure why, int status) {
    switch (why) {
        case proto::proxy::Failure::kRefusedLogin:
            return "the proxy refused the user or the password";
        case proto::proxy::Failure::kNoMethod:
            return "the proxy wants a way to log in that is not supported";
        case proto::proxy::Failure::kRefusedTarget:
            return "the proxy refused the target with status " + std::to_string(status);
        case proto::proxy::Failure::kTooLong:
            return "the target or the login is too long for the proxy's protocol";
        default:
            return "the proxy does not speak its protocol";
    }
}

template <typename Machine>
bool pass(io::Stream& stream, Machine&& machine, Nanos deadline, DialFailure& failure) {
    using proto::proxy::State;
    while (machine.state() != State::kDone) {
        if (machine.state() == State::kFailed) {
            bool refused = machine.failure() != proto::proxy::Failure::kNotThisProtocol;
            return fail_with(stream, refused ? kProxyHandshakeFailed : kProxyBadResponse,
                             say_why(machine.failure(), machine.status()), failure);
        }
        if (machine.state() == State::kSend) {
            std::string_view bytes = machine.to_send();
            if (stream.send_all(bytes, deadline) < bytes.size()) {
                return fail(stream, failure);
            }
            machine.sent();
            continue;
        }
        // A byte at a time: what comes behind the proxy's answer is the server's.
        char byte;
        long count = stream.receive(&byte, 1, deadline);
        if (count == 0) {
            return fail_with(stream, kProxyBadResponse, "the proxy closed the connection", failure);
        }
        if (count < 0) {
            return fail(stream, failure);
        }
        machine.feed({&byte, 1});
    }
    return true;
}

bool secure(io::Stream& stream, const DialPlan& plan, Nanos deadline, DialFailure& failure) {
    std::string why;
    auto session = io::make_tls_session(plan.ssl, stream.fd(), plan.host.c_str(), why);
    if (session == nullptr) {
        return fail_with(stream, io::kErrorTlsContextFailed, std::move(why), failure);
    }
    return stream.start_tls(std::move(session), deadline) || fail(stream, failure);
}

Nanos usual(const char* name, const char* other_name, Nanos fallback) {
    for (const char* key : {name, other_name, "socket_timeout"}) {
        if (zval* value = find_coroutine_option(key)) {
            return time_setting(value);
        }
    }
    return fallback;
}

}  // namespace

Nanos time_setting(zval* value) {
    double seconds = zval_get_double(value);
    return seconds > 0 ? timeout_of(seconds) : kNever;
}

Times usual_times() {
    Times times;
    times.connect = usual("socket_connect_timeout", "socket_connect_timeout", times.connect);
    times.read = usual("socket_read_timeout", "socket_recv_timeout", times.read);
    times.write = usual("socket_write_timeout", "socket_send_timeout", times.write);
    return times;
}

void read_dial_settings(HashTable* settings, DialPlan& plan) {
    read_text(settings, "socks5_host", plan.socks5.at.host);
    read_port(settings, "socks5_port", plan.socks5.at.port);
    read_text(settings, "socks5_username", plan.socks5.credentials.user);
    read_text(settings, "socks5_password", plan.socks5.credentials.password);
    read_text(settings, "http_proxy_host", plan.http_proxy.at.host);
    read_port(settings, "http_proxy_port", plan.http_proxy.at.port);
    read_text(settings, "http_proxy_user", plan.http_proxy.credentials.user);
    read_text(settings, "http_proxy_username", plan.http_proxy.credentials.user);
    read_text(settings, "http_proxy_password", plan.http_proxy.credentials.password);
    read_text(settings, "bind_address", plan.bind_address);
    read_port(settings, "bind_port", plan.bind_port);
    io::read_ssl_options(settings, plan.ssl);
}

bool dial(io::Stream& stream, const DialPlan& plan, Nanos deadline, DialFailure& failure) {
    if (!reach(stream, plan, deadline, failure)) {
        return false;
    }
    proto::proxy::Target target{plan.host, plan.port};
    if (plan.socks5.used() &&
        !pass(stream, proto::proxy::Socks5(target, plan.socks5.credentials), deadline, failure)) {
        return false;
    }
    if (!plan.socks5.used() && plan.tunnels() &&
        !pass(stream, proto::proxy::HttpConnect(target, plan.http_proxy.credentials), deadline,
              failure)) {
        return false;
    }
    return !plan.tls || secure(stream, plan, deadline, failure);
}

}  // namespace stampede::classes::client
