#include "os/socket_io.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <poll.h>
#include <unistd.h>

#include <cstring>

namespace stampede::os {

namespace {

template <typename Call>
long repeated(Call call) {
    long result;
    do {
        result = call();
    } while (result < 0 && errno == EINTR);
    return result;
}

Error error_of(int result) { return result < 0 ? Error::last_errno() : Error(); }

const sockaddr* raw(const Address& address) {
    return reinterpret_cast<const sockaddr*>(&address.storage);
}

}  // namespace

Result<int> open_socket(int domain, int type, int protocol) {
    int fd = ::socket(domain, type | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol);
    if (fd < 0) {
        return Error::last_errno();
    }
    return fd;
}

Error open_socket_pair(const SocketKind& kind, int (&ends)[2]) {
    return error_of(
        ::socketpair(kind.domain, kind.type | SOCK_NONBLOCK | SOCK_CLOEXEC, kind.protocol, ends));
}

Error bind_socket(int fd, const Address& address) {
    return error_of(::bind(fd, raw(address), address.length));
}

Error listen_socket(int fd, int backlog) { return error_of(::listen(fd, backlog)); }

Error connect_socket(int fd, const Address& address) {
    // Repeating an interrupted connect would fail; it goes on by itself.
    int result = ::connect(fd, raw(address), address.length);
    return result < 0 && errno == EINTR ? Error::system(EINPROGRESS) : error_of(result);
}

Result<int> connect_blocking(const Address& address) {
    Fd fd(::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!fd || ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address.storage),
                         address.length) != 0) {
        return Error::last_errno();
    }
    return fd.release();
}

int take_socket_error(int fd) {
    int error = 0;
    socklen_t size = sizeof(error);
    return ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0 ? errno : error;
}

Error shutdown_socket(int fd, int how) { return error_of(::shutdown(fd, how)); }

Result<SocketKind> socket_kind(int fd) {
    SocketKind kind{};
    const struct {
        int option;
        int* value;
    } wanted[] = {{SO_DOMAIN, &kind.domain}, {SO_TYPE, &kind.type}, {SO_PROTOCOL, &kind.protocol}};
    for (const auto& each : wanted) {
        socklen_t size = sizeof(int);
        if (::getsockopt(fd, SOL_SOCKET, each.option, each.value, &size) < 0) {
            return Error::last_errno();
        }
    }
    return kind;
}

long receive_with(int fd, char* out, size_t capacity, int flags) {
    return repeated([&] { return ::recv(fd, out, capacity, flags); });
}

long send_with(int fd, const char* data, size_t size, int flags) {
    return repeated([&] { return ::send(fd, data, size, flags | MSG_NOSIGNAL); });
}

long receive_from(int fd, char* out, size_t capacity, Address& peer) {
    return repeated([&] {
        peer.length = sizeof(peer.storage);
        return ::recvfrom(fd, out, capacity, 0, reinterpret_cast<sockaddr*>(&peer.storage),
                          &peer.length);
    });
}

long send_to(int fd, const char* data, size_t size, const Address& peer) {
    return repeated([&] { return ::sendto(fd, data, size, MSG_NOSIGNAL, raw(peer), peer.length); });
}

long receive_vector(int fd, const iovec* parts, int count) {
    return repeated([&] { return ::readv(fd, parts, count); });
}

long next_datagram_size(int fd) {
    char byte;
    return receive_with(fd, &byte, 1, MSG_PEEK | MSG_TRUNC);
}

long read_at(int file, char* out, size_t capacity, uint64_t offset) {
    return repeated([&] { return ::pread(file, out, capacity, static_cast<off_t>(offset)); });
}

Error set_option(int fd, int level, int name, const void* value, size_t size) {
    return error_of(::setsockopt(fd, level, name, value, static_cast<socklen_t>(size)));
}

Result<socklen_t> get_option(int fd, int level, int name, void* value, size_t capacity) {
    auto size = static_cast<socklen_t>(capacity);
    if (::getsockopt(fd, level, name, value, &size) < 0) {
        return Error::last_errno();
    }
    return size;
}

int poll_one(int fd, PollFor what, Nanos deadline) {
    pollfd wanted{fd, static_cast<short>(what == PollFor::kReading ? POLLIN : POLLOUT), 0};
    for (;;) {
        int millis = -1;
        if (deadline != kNever) {
            Nanos left = deadline - monotonic_now();
            millis = left <= 0 ? 0 : static_cast<int>((left + kMillisecond - 1) / kMillisecond);
        }
        int count = ::poll(&wanted, 1, millis);
        if (count >= 0 || errno != EINTR) {
            return count;
        }
    }
}

Result<Address> resolve_blocking(const char* host, int family) {
    addrinfo wanted{};
    wanted.ai_family = family;
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (::getaddrinfo(host, nullptr, &wanted, &found) != 0 || found == nullptr) {
        return Error::server(ServerError::kBadAddress);
    }
    Address address;
    address.length = found->ai_addrlen;
    std::memcpy(&address.storage, found->ai_addr, found->ai_addrlen);
    ::freeaddrinfo(found);
    return address;
}

unsigned interface_index(const char* name) { return ::if_nametoindex(name); }

namespace {

// The index of the first IPv4 address that fits, 0 when none does.
template <typename Fits>
unsigned find_interface(Fits&& fits) {
    ifaddrs* all = nullptr;
    if (::getifaddrs(&all) != 0) {
        return 0;
    }
    unsigned index = 0;
    for (const ifaddrs* one = all; one != nullptr && index == 0; one = one->ifa_next) {
        if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) {
            continue;
        }
        sockaddr_in address;
        std::memcpy(&address, one->ifa_addr, sizeof(address));
        unsigned candidate = ::if_nametoindex(one->ifa_name);
        index = fits(candidate, address.sin_addr) ? candidate : 0;
    }
    ::freeifaddrs(all);
    return index;
}

}  // namespace

bool interface_address(unsigned index, in_addr& out) {
    return find_interface([&](unsigned candidate, const in_addr& address) {
               out = address;
               return candidate == index;
           }) != 0;
}

unsigned interface_with(const in_addr& address) {
    return find_interface(
        [&](unsigned, const in_addr& candidate) { return candidate.s_addr == address.s_addr; });
}

}  // namespace stampede::os
