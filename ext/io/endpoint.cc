#include "io/endpoint.h"

#include <algorithm>
#include <cerrno>
#include <climits>

#include "os/fd.h"
#include "zend/throw.h"

namespace stampede::io {

void Endpoint::inherit(const Endpoint& listener) {
    if (listener.state_.settings_or_null() != nullptr) {
        settings().inherit(*listener.state_.settings_or_null());
    }
}

bool Endpoint::configure(HashTable* options) {
    if (!settings().read_packets(options)) {
        return false;
    }
    receiver_.forget_rules();
    settings().read_others(options, timeouts());
    return !zend::exception_pending();
}

bool Endpoint::open() {
    Result<int> fd =
        os::open_socket(state_.kind().domain, state_.kind().type, state_.kind().protocol);
    if (!fd) {
        return fail(static_cast<int>(fd.error().code()));
    }
    bool opened = adopt(*fd);
    state_.set_unconnected();
    return opened;
}

bool Endpoint::adopt(int fd) {
    close();
    state_.stream().adopt(fd);
    if (Error error = os::set_nonblocking(fd)) {
        fail(static_cast<int>(error.code()));
        close();
        return false;
    }
    receiver_.restart();
    state_.set_connected();
    state_.reopen_directions();
    clear_error();
    if (state_.settings_or_null() != nullptr && state_.settings_or_null()->buffer_size > 0) {
        int size =
            static_cast<int>(std::min<size_t>(state_.settings_or_null()->buffer_size, INT_MAX));
        (void)os::set_option(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
        (void)os::set_option(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
    }
    return true;
}

void Endpoint::take_over_connection() {
    state_.set_connected();
    if (Result<os::SocketKind> known = os::socket_kind(fd())) {
        state_.kind().domain = known->domain;
    }
}

bool Endpoint::bind_to(std::string_view address, int port) {
    clear_error();
    AddressList local;
    if (!state_.check_open() || !state_.look_up(address, port, kNever, local)) {
        return false;
    }
    if (state_.is_internet_stream()) {
        int on = 1;
        (void)os::set_option(fd(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    }
    Error error = os::bind_socket(fd(), local.items[0]);
    return !error || fail(static_cast<int>(error.code()));
}

bool Endpoint::bind_as_set() {
    if (state_.settings_or_null() == nullptr || (state_.settings_or_null()->bind_address.empty() &&
                                                 state_.settings_or_null()->bind_port == 0)) {
        return true;
    }
    const char* any = state_.kind().domain == AF_INET6 ? "::" : "0.0.0.0";
    return bind_to(state_.settings_or_null()->bind_address.empty()
                       ? any
                       : state_.settings_or_null()->bind_address.c_str(),
                   static_cast<int>(state_.settings_or_null()->bind_port));
}

bool Endpoint::start_listening(int backlog) {
    clear_error();
    if (!state_.check_open()) {
        return false;
    }
    Error error = os::listen_socket(fd(), backlog > 0 ? backlog : 512);
    return !error || fail(static_cast<int>(error.code()));
}

int Endpoint::take_connection(double timeout) {
    clear_error();
    Nanos until = state_.read_deadline(timeout);
    if (!state_.check_open()) {
        return -1;
    }
    for (;;) {
        if (descriptor().may_be_ready(Direction::kRead)) {
            os::Address peer;
            Result<int> connection = os::accept_stream(fd(), peer);
            if (connection) {
                return *connection;
            }
            if (connection.error().is_system(ECONNABORTED) || connection.error().is_system(EINTR)) {
                continue;
            }
            if (!connection.error().is_system(EAGAIN)) {
                fail(static_cast<int>(connection.error().code()));
                return -1;
            }
            descriptor().blocked(Direction::kRead);
        }
        if (!state_.wait(Direction::kRead, until)) {
            return -1;
        }
    }
}

bool Endpoint::connect_to(std::string_view host, int port, double timeout) {
    clear_error();
    return state_.check_open() && bind_as_set() && dialer_.connect_to(host, port, timeout);
}

bool Endpoint::end_direction(int how) {
    clear_error();
    if (!state_.check_open()) {
        return false;
    }
    if (state_.stream().tls() != nullptr && how != SHUT_RD) {
        state_.stream().tls()->say_goodbye();
    }
    bool receiving = how == SHUT_RD || how == SHUT_RDWR;
    bool sending = how == SHUT_WR || how == SHUT_RDWR;
    bool again = (receiving || sending) && (!receiving || state_.ended(Direction::kRead)) &&
                 (!sending || state_.ended(Direction::kWrite));
    if (again) {
        return fail(ENOTCONN);
    }
    Error error = os::shutdown_socket(fd(), how);
    if (error && !(state_.was_connected() && error.is_system(ENOTCONN))) {
        return fail(static_cast<int>(error.code()));
    }
    if (receiving) {
        state_.end(Direction::kRead);
    }
    if (sending) {
        state_.end(Direction::kWrite);
    }
    return true;
}

bool Endpoint::is_alive() {
    clear_error();
    if (!state_.check_open()) {
        return false;
    }
    if (receiver_.has_buffered() || state_.stream().is_alive()) {
        return true;
    }
    return state_.fail_as_stream();
}

}  // namespace stampede::io
