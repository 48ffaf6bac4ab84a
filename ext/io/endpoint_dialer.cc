#include "io/endpoint_dialer.h"

#include <cerrno>

#include "error_numbers.h"

namespace stampede::io {

namespace {

bool can_try_next(int error) {
    return error == ECONNREFUSED || error == ENETUNREACH || error == EHOSTUNREACH ||
           error == EADDRNOTAVAIL;
}

}  // namespace

bool EndpointDialer::connect_to_any(std::string_view host, int port, Nanos until) {
    AddressList list;
    if (!state_.look_up(host, port, until, list)) {
        return false;
    }
    // Meanwhile another may have used or closed it.
    if (!state_.check_open() || state_.descriptor().holder(Direction::kWrite) != nullptr) {
        return state_.fail(ECANCELED);
    }
    for (int i = 0; i < list.count; i++) {
        if (state_.stream().connect_to(list.items[i], until)) {
            state_.set_connected();
            state_.reopen_directions();
            state_.clear_error();
            return true;
        }
        state_.fail_as_stream();
        if (!can_try_next(state_.error())) {
            break;
        }
    }
    return false;
}

bool EndpointDialer::tell_proxy(std::string_view host, int port, Nanos until) {
    proto::proxy::Target target{std::string(host), static_cast<uint16_t>(port)};
    int error = pass_proxy(state_.stream(), state_.settings_or_null()->proxy, target, until);
    return error == 0 || state_.fail(error);
}

bool EndpointDialer::connect_to(std::string_view host, int port, double timeout) {
    dialled_host_ = host;
    Nanos until = state_.connect_deadline(timeout);
    const ProxySettings* proxy =
        state_.settings_or_null() != nullptr ? &state_.settings_or_null()->proxy : nullptr;
    bool by_proxy =
        proxy != nullptr && proxy->kind != ProxyKind::kNone && state_.is_internet_stream();
    if (by_proxy && !connect_to_any(proxy->host, proxy->port, until)) {
        return false;
    }
    if (!by_proxy && !connect_to_any(host, port, until)) {
        return false;
    }
    if (state_.is_internet_stream() &&
        (state_.settings_or_null() == nullptr || state_.settings_or_null()->nodelay)) {
        os::set_nodelay(state_.fd());
    }
    if (by_proxy && !tell_proxy(host, port, until)) {
        return false;
    }
    if (state_.settings_or_null() == nullptr || !state_.settings_or_null()->open_ssl) {
        return true;
    }
    return start_tls_until(tls::Role::kClient, host, until);
}

bool EndpointDialer::start_tls(tls::Role role, std::string_view host) {
    return start_tls_until(role, host, state_.connect_deadline(0));
}

bool EndpointDialer::start_tls_until(tls::Role role, std::string_view host, Nanos until) {
    state_.clear_error();
    if (!state_.check_open()) {
        return false;
    }
    if (state_.stream().tls() != nullptr) {
        return state_.stream().tls()->established() || state_.fail(EINPROGRESS);
    }
    SslSettings& ssl = state_.settings().ssl;
    ssl.options.role = role;
    std::string failure;
    std::string name(host);
    auto session = make_tls_session(ssl, state_.fd(), name.c_str(), failure);
    if (session == nullptr) {
        state_.fail(api_error::kSslCreateContextFailed);
        state_.explain(failure);
        return false;
    }
    return state_.stream().start_tls(std::move(session), until) || state_.fail_as_stream();
}

}  // namespace stampede::io
