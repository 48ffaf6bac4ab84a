#include "classes/client/dial.h"

#include <cerrno>

#include "classes/coroutine/coroutine.h"
#include "error_numbers.h"
#include "io/resolver.h"
#include "zend/throw.h"

namespace stampede::classes::client {

namespace {

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
    bool proxied = plan.proxy.kind != io::ProxyKind::kNone;
    std::string_view host = proxied ? plan.proxy.host : plan.host;
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
    io::set_ports(list, proxied ? plan.proxy.port : plan.port);
    for (int i = 0; i < list.count; i++) {
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

bool secure(io::Stream& stream, const DialPlan& plan, Nanos deadline, DialFailure& failure) {
    std::string why;
    auto session = io::make_tls_session(plan.ssl, stream.fd(), plan.host.c_str(), why);
    if (session == nullptr) {
        return fail_with(stream, api_error::kSslCreateContextFailed, std::move(why), failure);
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
    io::read_proxy_options(settings, plan.proxy);
    read_text(settings, "bind_address", plan.bind_address);
    read_port(settings, "bind_port", plan.bind_port);
    io::read_ssl_options(settings, plan.ssl);
}

void throw_client_exception(std::string_view class_name, const char* text) {
    zend_string* name = zend_string_init(class_name.data(), class_name.size(), 0);
    zend_class_entry* ce = zend_lookup_class(name);
    zend_string_release(name);
    if (ce != nullptr) {
        zend::throw_error(ce, api_error::kInvalidParams, "%s", text);
    }
}

bool dial(io::Stream& stream, const DialPlan& plan, Nanos deadline, DialFailure& failure) {
    if (!reach(stream, plan, deadline, failure)) {
        return false;
    }
    if (plan.tunnels()) {
        proto::proxy::Target target{plan.host, plan.port};
        if (int code = io::pass_proxy(stream, plan.proxy, target, deadline)) {
            return fail_with(stream, code, io::error_text(code), failure);
        }
    }
    return !plan.tls || secure(stream, plan, deadline, failure);
}

}  // namespace stampede::classes::client
