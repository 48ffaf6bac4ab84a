#include "os/socket.h"

#include <arpa/inet.h>
#include <linux/filter.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>

namespace stampede::os {

uint16_t Address::port() const {
    if (family() == AF_INET) {
        return ntohs(reinterpret_cast<const sockaddr_in&>(storage).sin_port);
    }
    if (family() == AF_INET6) {
        return ntohs(reinterpret_cast<const sockaddr_in6&>(storage).sin6_port);
    }
    return 0;
}

size_t Address::format_host(char* out) const {
    out[0] = '\0';
    if (family() == AF_INET) {
        ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in&>(storage).sin_addr, out, 108);
    } else if (family() == AF_INET6) {
        ::inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6&>(storage).sin6_addr, out, 108);
    } else if (family() == AF_UNIX && length > offsetof(sockaddr_un, sun_path)) {
        std::memcpy(out, reinterpret_cast<const sockaddr_un&>(storage).sun_path, 107);
        out[107] = '\0';
    }
    return std::strlen(out);
}

bool Address::is_local() const {
    if (family() == AF_INET) {
        auto address = reinterpret_cast<const sockaddr_in&>(storage).sin_addr.s_addr;
        return (ntohl(address) >> 24) == IN_LOOPBACKNET;
    }
    if (family() == AF_INET6) {
        return IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6&>(storage).sin6_addr);
    }
    return true;
}

std::string Address::host() const {
    char text[108];
    size_t size = format_host(text);
    return std::string(text, size);
}

Result<Address> parse_ipv4(const char* host, uint16_t port) {
    Address address;
    auto& in = reinterpret_cast<sockaddr_in&>(address.storage);
    in.sin_family = AF_INET;
    in.sin_port = htons(port);
    address.length = sizeof(in);
    if (::inet_pton(AF_INET, host, &in.sin_addr) != 1) {
        return Error::server(ServerError::kBadAddress);
    }
    return address;
}

Result<Address> parse_ipv6(const char* host, uint16_t port) {
    Address address;
    auto& in = reinterpret_cast<sockaddr_in6&>(address.storage);
    in.sin6_family = AF_INET6;
    in.sin6_port = htons(port);
    address.length = sizeof(in);
    if (::inet_pton(AF_INET6, host, &in.sin6_addr) != 1) {
        return Error::server(ServerError::kBadAddress);
    }
    return address;
}

Result<Address> parse_unix(const char* path) {
    Address address;
    auto& un = reinterpret_cast<sockaddr_un&>(address.storage);
    size_t size = std::strlen(path);
    if (size == 0 || size >= sizeof(un.sun_path)) {
        return Error::server(ServerError::kBadAddress);
    }
    un.sun_family = AF_UNIX;
    std::memcpy(un.sun_path, path, size + 1);
    address.length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + size + 1);
    return address;
}

namespace {

void set_int(int fd, int level, int option, int value) {
    // Tuning only: a kernel that lacks the option serves all the same.
    (void)::setsockopt(fd, level, option, &value, sizeof(value));
}

// A socket file on which no process listens is left over from a killed server.
void remove_stale_socket(const Address& address, int type) {
    const char* path = reinterpret_cast<const sockaddr_un&>(address.storage).sun_path;
    struct stat info;
    if (::lstat(path, &info) != 0 || !S_ISSOCK(info.st_mode)) {
        return;
    }
    // Non-blocking: a server whose queue is full would hold this one up.
    Fd probe(::socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    auto* target = reinterpret_cast<const sockaddr*>(&address.storage);
    if (probe && ::connect(probe.get(), target, address.length) != 0 && errno == ECONNREFUSED) {
        (void)::unlink(path);
    }
}

void apply_listen_options(int fd, const Address& address, const ListenOptions& options) {
    if (options.send_buffer > 0) {
        set_int(fd, SOL_SOCKET, SO_SNDBUF, options.send_buffer);
    }
    if (options.receive_buffer > 0) {
        set_int(fd, SOL_SOCKET, SO_RCVBUF, options.receive_buffer);
    }
    if (address.family() == AF_UNIX) {
        if (options.unix_mode != 0) {  // before bind(): the file is never there with other rights
            (void)::fchmod(fd, options.unix_mode);
        }
        return;
    }
    set_int(fd, SOL_SOCKET, SO_REUSEADDR, 1);
    set_nodelay(fd);
    if (options.reuse_port) {
        set_int(fd, SOL_SOCKET, SO_REUSEPORT, 1);
    }
    if (options.defer_accept > 0) {
        set_int(fd, IPPROTO_TCP, TCP_DEFER_ACCEPT, options.defer_accept);
    }
    if (options.fast_open) {
        set_int(fd, IPPROTO_TCP, TCP_FASTOPEN, options.backlog);
    }
}

}  // namespace

Result<int> listen_stream(const Address& address, const ListenOptions& options) {
    Fd fd(::socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!fd) {
        return Error::last_errno();
    }
    if (address.family() == AF_UNIX) {
        remove_stale_socket(address, SOCK_STREAM);
    }
    apply_listen_options(fd.get(), address, options);
    if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address.storage), address.length) !=
        0) {
        return Error::last_errno();
    }
    if (::listen(fd.get(), options.backlog) != 0) {
        return Error::last_errno();
    }
    return fd.release();
}

Error listen_again(int fd, const ListenOptions& options) {
    apply_listen_options(fd, local_address(fd), options);
    return ::listen(fd, options.backlog) == 0 ? Error() : Error::last_errno();
}

// Without SO_REUSEADDR, with which a second server could bind the same port and take its datagrams.
Result<int> open_datagram_port(const Address& address, const ListenOptions& options) {
    Fd fd(::socket(address.family(), SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!fd) {
        return Error::last_errno();
    }
    if (address.family() == AF_UNIX) {
        remove_stale_socket(address, SOCK_DGRAM);
    } else if (options.reuse_port) {
        set_int(fd.get(), SOL_SOCKET, SO_REUSEPORT, 1);
    }
    if (options.send_buffer > 0) {
        set_int(fd.get(), SOL_SOCKET, SO_SNDBUF, options.send_buffer);
    }
    if (options.receive_buffer > 0) {
        set_int(fd.get(), SOL_SOCKET, SO_RCVBUF, options.receive_buffer);
    }
    if (address.family() == AF_INET6) {  // an IPv4 port of the same number may be beside it
        set_int(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, 1);
    }
    auto* raw = reinterpret_cast<const sockaddr*>(&address.storage);
    if (::bind(fd.get(), raw, address.length) != 0) {
        return Error::last_errno();
    }
    return fd.release();
}

Result<int> accept_stream(int listen_fd, Address& peer) {
    peer.length = sizeof(peer.storage);
    auto* raw = reinterpret_cast<sockaddr*>(&peer.storage);
    int fd = ::accept4(listen_fd, raw, &peer.length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) {
        return Error::last_errno();
    }
    return fd;
}

Address local_address(int fd) {
    Address address;
    address.length = sizeof(address.storage);
    if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address.storage), &address.length) != 0) {
        address.length = 0;
    }
    return address;
}

Address peer_address(int fd) {
    Address address;
    address.length = sizeof(address.storage);
    if (::getpeername(fd, reinterpret_cast<sockaddr*>(&address.storage), &address.length) != 0) {
        address.length = 0;
    }
    return address;
}

void set_nodelay(int fd, bool on) { set_int(fd, IPPROTO_TCP, TCP_NODELAY, on ? 1 : 0); }

bool is_listening(int fd) {
    int listens = 0;
    socklen_t size = sizeof(listens);
    return ::getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens != 0;
}

bool has_nodelay(int fd) {
    int value = 0;
    socklen_t size = sizeof(value);
    return ::getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &value, &size) == 0 && value != 0;
}

void set_keepalive(int fd, const KeepaliveOptions& options) {
    set_int(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    set_int(fd, IPPROTO_TCP, TCP_KEEPIDLE, options.idle_seconds);
    set_int(fd, IPPROTO_TCP, TCP_KEEPINTVL, options.interval_seconds);
    set_int(fd, IPPROTO_TCP, TCP_KEEPCNT, options.count);
}

void set_user_timeout(int fd, int millis) { set_int(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, millis); }

bool has_unread(int fd) {
    char byte;
    return ::recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

bool peer_has_ended(int fd) {
    pollfd entry{fd, POLLRDHUP, 0};
    return ::poll(&entry, 1, 0) > 0 && (entry.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

bool awaits_acknowledgement(int fd) {
    tcp_info info{};
    socklen_t size = sizeof(info);
    return ::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 && info.tcpi_unacked > 0;
}

// The filter drops segments that open a connection (SYN without ACK) and lets the others pass: a
// client whose handshake has begun completes it. One whose segment was dropped sends it again after
// a second, and is refused, or meets the server's successor.
void stop_new_connections(int fd) {
    static sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 13),              // the flags of TCP's header
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, TH_SYN, 0, 2),  //
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, TH_ACK, 1, 0),  //
        BPF_STMT(BPF_RET | BPF_K, 0),                        // dropped
        BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),               // passes
    };
    int domain = AF_UNIX;
    socklen_t size = sizeof(domain);
    (void)::getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size);
    if (domain == AF_UNIX) {
        (void)::shutdown(fd, SHUT_RD);
        return;
    }
    sock_fprog filter{sizeof(program) / sizeof(program[0]), program};
    (void)::setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof(filter));
}

void stop_listening(int fd) { (void)::shutdown(fd, SHUT_RDWR); }

void set_reset_on_close(int fd) {
    linger option{1, 0};
    (void)::setsockopt(fd, SOL_SOCKET, SO_LINGER, &option, sizeof(option));
}

void shutdown_write(int fd) { (void)::shutdown(fd, SHUT_WR); }

// A socket that is not connected is refused for that only where the rest is there.
bool kernel_has_tls() {
    int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return false;
    }
    bool found =
        ::setsockopt(fd, IPPROTO_TCP, TCP_ULP, "tls", sizeof("tls")) == 0 || errno == ENOTCONN;
    ::close(fd);
    return found;
}

long receive(int fd, char* out, size_t capacity) {
    long count;
    do {
        count = ::recv(fd, out, capacity, 0);
    } while (count < 0 && errno == EINTR);
    return count < 0 && errno == ENOTSOCK ? read_some(fd, out, capacity) : count;
}

long peek(int fd, char* out, size_t capacity) {
    long count;
    do {
        count = ::recv(fd, out, capacity, MSG_PEEK);
    } while (count < 0 && errno == EINTR);
    return count;
}

long send_bytes(int fd, const char* data, size_t size) {
    long count;
    do {
        count = ::send(fd, data, size, MSG_NOSIGNAL);
    } while (count < 0 && errno == EINTR);
    return count < 0 && errno == ENOTSOCK ? write_some(fd, data, size) : count;
}

namespace {

long send_parts(int fd, const iovec* parts, int count, int flags) {
    msghdr message{};
    message.msg_iov = const_cast<iovec*>(parts);
    message.msg_iovlen = static_cast<size_t>(count);
    long sent;
    do {
        sent = ::sendmsg(fd, &message, flags | MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent;
}

}  // namespace

long send_vector(int fd, const iovec* parts, int count) { return send_parts(fd, parts, count, 0); }

long send_held(int fd, const iovec* parts, int count) {
    return send_parts(fd, parts, count, MSG_MORE);
}

long send_file(int socket, int file, off_t& offset, size_t count) {
    long sent;
    do {
        sent = ::sendfile(socket, file, &offset, count);
    } while (sent < 0 && errno == EINTR);
    return sent;
}

}  // namespace stampede::os
