#include "io/endpoint.h"

#include <cerrno>
#include <climits>

#include "error_numbers.h"
#include "os/fd.h"
#include "os/file.h"

namespace stampede::io {

namespace {

bool can_try_next(int error) {
    return error == ECONNREFUSED || error == ENETUNREACH || error == EHOSTUNREACH ||
           error == EADDRNOTAVAIL;
}

bool can_park() {
    runtime::Runtime* runtime = runtime::Runtime::peek();
    return runtime != nullptr && runtime->can_park();
}

int look_up_blocking(std::string_view host, int family, AddressList& out) {
    Result<os::Address> found = os::resolve_blocking(std::string(host).c_str(), family);
    if (!found) {
        return api_error::kDnsResolveFailed;
    }
    out.items[0] = *found;
    out.count = 1;
    return 0;
}

}  // namespace

EndpointSettings::~EndpointSettings() {
    if (length_function) {
        length_function.release();
    }
}

bool Endpoint::fail(int error) {
    error_ = error;
    if (!error_text_.empty()) {
        error_text_.clear();
    }
    if (error != 0) {
        error_text_ = io::error_text(error);
    }
    return false;
}

bool Endpoint::stream_failed() {
    fail(stream_.error());
    error_text_ = stream_.error_text();
    return false;
}

bool Endpoint::check_open() { return is_open() || fail(EBADF); }

EndpointSettings& Endpoint::settings() {
    if (settings_ == nullptr) {
        settings_ = std::make_unique<EndpointSettings>();
    }
    return *settings_;
}

void Endpoint::inherit(const Endpoint& listener) {
    if (listener.settings_ == nullptr) {
        return;
    }
    const EndpointSettings& from = *listener.settings_;
    EndpointSettings& all = settings();
    all.rules = from.rules;
    all.rules.measure_argument = this;
    if (from.length_function) {
        all.length_function =
            zend::Callable::hold(from.length_function.fci, from.length_function.fcc);
    }
    all.open_ssl = from.open_ssl;
    if (from.open_ssl) {
        all.ssl = from.ssl;
    }
}

bool Endpoint::open() {
    Result<int> fd = os::open_socket(kind_.domain, kind_.type, kind_.protocol);
    if (!fd) {
        return fail(static_cast<int>(fd.error().code()));
    }
    bool opened = adopt(*fd);
    connected_ = false;
    return opened;
}

bool Endpoint::adopt(int fd) {
    close();
    stream_.adopt(fd);
    if (Error error = os::set_nonblocking(fd)) {
        fail(static_cast<int>(error.code()));
        close();
        return false;
    }
    buffer_.clear();
    framer_.reset();
    unframeable_ = 0;
    connected_ = true;
    ended_[0] = ended_[1] = false;
    clear_error();
    if (settings_ != nullptr && settings_->buffer_size > 0) {
        int size = static_cast<int>(std::min<size_t>(settings_->buffer_size, INT_MAX));
        (void)os::set_option(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
        (void)os::set_option(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
    }
    return true;
}

void Endpoint::take_over_connection() {
    connected_ = true;
    if (Result<os::SocketKind> known = os::socket_kind(fd())) {
        kind_.domain = known->domain;
    }
}

void Endpoint::close() { stream_.close(); }

bool Endpoint::look_up(std::string_view host, int port, Nanos until, AddressList& out) {
    if (kind_.domain != AF_UNIX && (port < 0 || port > 65535)) {
        return fail(api_error::kBadPort);
    }
    if (!resolve_numeric(host, kind_.domain, out)) {
        int error = api_error::kBadHostAddress;
        if (host.empty() || kind_.domain == AF_UNIX) {
            return fail(error);
        }
        error = can_park() ? resolve(host, kind_.domain, until, out)
                           : look_up_blocking(host, kind_.domain, out);
        if (error != 0) {
            return fail(error);
        }
    }
    set_ports(out, static_cast<uint16_t>(port));
    return true;
}

bool Endpoint::bind_to(std::string_view address, int port) {
    clear_error();
    AddressList local;
    if (!check_open() || !look_up(address, port, kNever, local)) {
        return false;
    }
    if (is_stream() && kind_.domain != AF_UNIX) {
        int on = 1;
        (void)os::set_option(fd(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    }
    Error error = os::bind_socket(fd(), local.items[0]);
    return !error || fail(static_cast<int>(error.code()));
}

bool Endpoint::bind_as_set() {
    if (settings_ == nullptr || (settings_->bind_address.empty() && settings_->bind_port == 0)) {
        return true;
    }
    const char* any = kind_.domain == AF_INET6 ? "::" : "0.0.0.0";
    return bind_to(settings_->bind_address.empty() ? any : settings_->bind_address.c_str(),
                   static_cast<int>(settings_->bind_port));
}

bool Endpoint::start_listening(int backlog) {
    clear_error();
    if (!check_open()) {
        return false;
    }
    Error error = os::listen_socket(fd(), backlog > 0 ? backlog : 512);
    return !error || fail(static_cast<int>(error.code()));
}

int Endpoint::take_connection(double timeout) {
    clear_error();
    Nanos until = read_deadline(timeout);
    if (!check_open()) {
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
        if (!stream_.wait(Direction::kRead, until)) {
            stream_failed();
            return -1;
        }
    }
}

bool Endpoint::connect_to_any(std::string_view host, int port, Nanos until) {
    AddressList list;
    if (!look_up(host, port, until, list)) {
        return false;
    }
    // Meanwhile another may have used or closed it.
    if (!check_open() || descriptor().holder(Direction::kWrite) != nullptr) {
        return fail(ECANCELED);
    }
    for (int i = 0; i < list.count; i++) {
        if (stream_.connect_to(list.items[i], until)) {
            connected_ = true;
            ended_[0] = ended_[1] = false;
            clear_error();
            return true;
        }
        stream_failed();
        if (!can_try_next(error_)) {
            break;
        }
    }
    return false;
}

bool Endpoint::tell_proxy(std::string_view host, int port, Nanos until) {
    proto::proxy::Target target{std::string(host), static_cast<uint16_t>(port)};
    int error = pass_proxy(stream_, settings_->proxy, target, until);
    return error == 0 || fail(error);
}

bool Endpoint::connect_to(std::string_view host, int port, double timeout) {
    clear_error();
    if (!check_open() || !bind_as_set()) {
        return false;
    }
    dialled_host_ = host;
    Nanos until = deadline(timeout, timeouts_.connect);
    const ProxySettings* proxy = settings_ != nullptr ? &settings_->proxy : nullptr;
    bool by_proxy = proxy != nullptr && proxy->kind != ProxyKind::kNone && is_stream() &&
                    kind_.domain != AF_UNIX;
    if (by_proxy && !connect_to_any(proxy->host, proxy->port, until)) {
        return false;
    }
    if (!by_proxy && !connect_to_any(host, port, until)) {
        return false;
    }
    if (is_stream() && kind_.domain != AF_UNIX && (settings_ == nullptr || settings_->nodelay)) {
        os::set_nodelay(fd());
    }
    if (by_proxy && !tell_proxy(host, port, until)) {
        return false;
    }
    if (settings_ == nullptr || !settings_->open_ssl) {
        return true;
    }
    return start_tls_until(tls::Role::kClient, host, until);
}

bool Endpoint::start_tls(tls::Role role, std::string_view host) {
    return start_tls_until(role, host, deadline(0, timeouts_.connect));
}

bool Endpoint::start_tls_until(tls::Role role, std::string_view host, Nanos until) {
    clear_error();
    if (!check_open()) {
        return false;
    }
    if (stream_.tls() != nullptr) {
        return stream_.tls()->established() || fail(EINPROGRESS);
    }
    SslSettings& ssl = settings().ssl;
    ssl.options.role = role;
    std::string failure;
    std::string name(host);
    auto session = make_tls_session(ssl, fd(), name.c_str(), failure);
    if (session == nullptr) {
        fail(api_error::kSslCreateContextFailed);
        error_text_ = failure;
        return false;
    }
    return stream_.start_tls(std::move(session), until) || stream_failed();
}

long Endpoint::send(std::string_view bytes, double timeout) {
    clear_error();
    if (!check_open()) {
        return -1;
    }
    long count = stream_.send(bytes.data(), bytes.size(), write_deadline(timeout));
    if (UNEXPECTED(count < 0)) {
        stream_failed();
    }
    return count;
}

long Endpoint::send_all(std::string_view bytes, double timeout) {
    clear_error();
    if (!check_open()) {
        return -1;
    }
    size_t count = stream_.send_all(bytes, write_deadline(timeout));
    if (EXPECTED(count == bytes.size())) {
        return static_cast<long>(count);
    }
    stream_failed();
    return count > 0 ? static_cast<long>(count) : -1;
}

long Endpoint::send_vector_all(const iovec* parts, int count, double timeout) {
    clear_error();
    if (!check_open()) {
        return -1;
    }
    size_t wanted = 0;
    for (int i = 0; i < count; i++) {
        wanted += parts[i].iov_len;
    }
    size_t sent = stream_.send_vector(parts, count, write_deadline(timeout));
    if (sent == wanted) {
        return static_cast<long>(sent);
    }
    stream_failed();
    return sent > 0 ? static_cast<long>(sent) : -1;
}

long Endpoint::send_vector(const iovec* parts, int count, double timeout) {
    if (stream_.tls() != nullptr) {
        return send_vector_all(parts, count, timeout);
    }
    clear_error();
    Nanos until = write_deadline(timeout);
    while (check_open()) {
        long sent = os::send_vector(fd(), parts, count);
        if (sent >= 0) {
            return sent;
        }
        if (errno != EAGAIN) {
            fail(errno);
            return -1;
        }
        descriptor().blocked(Direction::kWrite);
        if (!stream_.wait(Direction::kWrite, until)) {
            stream_failed();
            return -1;
        }
    }
    return -1;
}

long Endpoint::send_to(std::string_view host, int port, std::string_view bytes) {
    clear_error();
    Nanos until = write_deadline(0);
    AddressList peer;
    if (!check_open() || !look_up(host, port, until, peer)) {
        return -1;
    }
    while (check_open()) {
        long sent = os::send_to(fd(), bytes.data(), bytes.size(), peer.items[0]);
        if (sent >= 0) {
            return sent;
        }
        if (errno != EAGAIN) {
            fail(errno);
            return -1;
        }
        descriptor().blocked(Direction::kWrite);
        if (!stream_.wait(Direction::kWrite, until)) {
            stream_failed();
            return -1;
        }
    }
    return -1;
}

bool Endpoint::send_file(const char* path, zend_long offset, zend_long count) {
    clear_error();
    if (!check_open()) {
        return false;
    }
    os::FileInfo file = os::open_regular(path);
    if (file.fd < 0) {
        return fail(errno == ENOENT ? api_error::kFileNotExist : errno);
    }
    auto begin = static_cast<uint64_t>(offset > 0 ? offset : 0);
    uint64_t left = begin < file.size ? file.size - begin : 0;
    uint64_t wanted = count > 0 ? static_cast<uint64_t>(count) : left;
    if (offset < 0 || count < 0 || wanted > left || (count == 0 && begin > file.size)) {
        os::close_fd(file.fd);
        return fail(EINVAL);
    }
    uint64_t sent = stream_.send_file(file.fd, begin, wanted, write_deadline(0));
    os::close_fd(file.fd);
    if (sent == wanted) {
        return true;
    }
    if (stream_.error() == 0) {
        return fail(EIO);  // the file has become shorter meanwhile
    }
    return stream_failed();
}

bool Endpoint::end_direction(int how) {
    clear_error();
    if (!check_open()) {
        return false;
    }
    if (stream_.tls() != nullptr && how != SHUT_RD) {
        stream_.tls()->say_goodbye();
    }
    bool receiving = how == SHUT_RD || how == SHUT_RDWR;
    bool sending = how == SHUT_WR || how == SHUT_RDWR;
    bool again = (receiving || sending) && (!receiving || ended_[0]) && (!sending || ended_[1]);
    if (again) {
        return fail(ENOTCONN);
    }
    Error error = os::shutdown_socket(fd(), how);
    if (error && !(connected_ && error.is_system(ENOTCONN))) {
        return fail(static_cast<int>(error.code()));
    }
    ended_[0] = ended_[0] || receiving;
    ended_[1] = ended_[1] || sending;
    return true;
}

bool Endpoint::is_alive() {
    clear_error();
    if (!check_open()) {
        return false;
    }
    if (!buffer_.empty() || stream_.is_alive()) {
        return true;
    }
    return stream_failed();
}

}  // namespace stampede::io
