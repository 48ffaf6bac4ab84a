// The opening and closing of a server's ports.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstring>

#include "ext/server/state.h"
#include "io/options.h"
#include "os/file.h"
#include "os/service_manager.h"
#include "os/socket.h"
#include "zend/last_error.h"
#include "zend/throw.h"

namespace stampede::classes {

namespace {

constexpr int kSockTcp = 1;
constexpr int kSockUdp = 2;
constexpr int kSockTcp6 = 3;
constexpr int kSockUdp6 = 4;
constexpr int kSockUnixStream = 5;
constexpr int kSockUnixDatagram = 6;
constexpr int kSockSsl = 512;

// The host "systemd" is a socket that the service manager hands over, "systemd:web" the one that it
// calls web.
constexpr std::string_view kManager = "systemd";

bool is_handed_over(std::string_view host) {
    return host == kManager || (host.starts_with(kManager) && host[kManager.size()] == ':');
}

std::string_view inherited_name(std::string_view host) {
    return host == kManager ? std::string_view() : host.substr(kManager.size() + 1);
}

Result<os::Address> resolve(const PortState& port, int type) {
    if (type == kSockTcp || type == kSockUdp) {
        return os::parse_ipv4(port.host == "localhost" ? "127.0.0.1" : port.host.c_str(),
                              static_cast<uint16_t>(port.port));
    }
    if (type == kSockTcp6 || type == kSockUdp6) {
        return os::parse_ipv6(port.host == "localhost" ? "::1" : port.host.c_str(),
                              static_cast<uint16_t>(port.port));
    }
    return os::parse_unix(port.host.c_str());
}

bool is_unix(int type) { return type == kSockUnixStream || type == kSockUnixDatagram; }

std::string address_text(const PortState& port, int type) {
    if (is_handed_over(port.host)) {
        return port.host;
    }
    if (is_unix(type)) {
        return "unix:" + port.host;
    }
    return port.host + ":" + std::to_string(port.port);
}

std::string why_not(const PortState& port, const Error& error) {
    if (port.inherited) {
        return error.is_system(ENOENT)
                   ? "no such socket was handed over (LISTEN_FDS, LISTEN_FDNAMES)"
                   : "what was handed over is no listening stream socket";
    }
    if (error.is_system(EADDRINUSE) && is_unix(port.type & ~kSockSsl)) {
        return "the path is in use by another process, or is no socket";
    }
    if (error.is(ServerError::kBadAddress)) {
        return "the address is not valid for this socket type";
    }
    if (error.is_system(EADDRINUSE)) {
        return "the port is in use by another process";
    }
    if (error.is_system(EACCES)) {
        return "ports below 1024 need root or the capability CAP_NET_BIND_SERVICE";
    }
    if (error.is_system(EADDRNOTAVAIL)) {
        return "this machine has no such address";
    }
    return strerror(static_cast<int>(error.code()));
}

// The kernel chose the number of a port 0.
void learn_number(PortState& port, int fd) {
    if (port.port == 0) {
        port.port = os::local_address(fd).port();
    }
}

void fail(OnFailure how, int code, const std::string& text) {
    zend::set_last_error(code);
    if (how == OnFailure::kThrow) {
        zend::throw_error(zend::error_classes.exception, code, "%s", text.c_str());
    } else {
        zend::warning("%s", text.c_str());
    }
}

os::ListenOptions listen_options(const ServerSettings& settings) {
    os::ListenOptions options;
    options.backlog = static_cast<int>(settings.backlog);
    options.reuse_port = settings.enable_reuse_port;
    options.defer_accept = static_cast<int>(settings.tcp_defer_accept);
    options.fast_open = settings.tcp_fastopen;
    options.send_buffer = static_cast<int>(settings.kernel_socket_send_buffer_size);
    options.receive_buffer = static_cast<int>(settings.kernel_socket_recv_buffer_size);
    return options;
}

// Bursts of datagrams find no sender that waits: what finds no room is lost. The kernel grants as
// much of it as rmem_max and wmem_max allow.
os::ListenOptions datagram_options(const ServerSettings& settings) {
    os::ListenOptions options = listen_options(settings);
    auto usual = static_cast<int>(std::min<int64_t>(settings.socket_buffer_size, INT_MAX));
    options.send_buffer = options.send_buffer > 0 ? options.send_buffer : usual;
    options.receive_buffer = options.receive_buffer > 0 ? options.receive_buffer : usual;
    return options;
}

Result<int> listen_on(const PortState& port, const ServerSettings& settings) {
    Result<os::Address> address = resolve(port, port.type & ~kSockSsl);
    if (!address) {
        return address.error();
    }
    return is_datagram(port) ? os::open_datagram_port(*address, datagram_options(settings))
                             : os::listen_stream(*address, listen_options(settings));
}

// What a port must be given later, because it was not known when the port was made.
bool has_late_options(const PortState& port, const ServerSettings& settings, size_t sockets) {
    bool buffers =
        settings.kernel_socket_send_buffer_size > 0 || settings.kernel_socket_recv_buffer_size > 0;
    if (is_datagram(port)) {
        return sockets > 1 || buffers ||
               settings.socket_buffer_size != ServerSettings().socket_buffer_size;
    }
    if (sockets > 1 || buffers) {
        return true;
    }
    return settings.tcp_defer_accept > 0 || settings.tcp_fastopen || settings.backlog != 512;
}

// -1: these are no octal digits.
int parse_mode(std::string_view text) {
    unsigned mode = 0;
    const char* end = text.data() + text.size();
    auto result = std::from_chars(text.data(), end, mode, 8);
    return result.ec == std::errc() && result.ptr == end && mode <= 0777 ? static_cast<int>(mode)
                                                                         : -1;
}

}  // namespace

std::string set_socket_modes(ServerState& state) {
    for (auto& port : state.ports) {
        std::string& wanted = port->socket_mode;
        wanted = state.settings.unix_socket_mode;
        if (Z_TYPE(port->settings) == IS_ARRAY) {
            io::read_text(Z_ARRVAL(port->settings), "unix_socket_mode", wanted);
        }
        if (port->path.empty() || wanted.empty()) {
            continue;
        }
        int mode = parse_mode(wanted);
        if (mode < 0) {
            return "unix_socket_mode must be octal digits such as \"0660\", not \"" + wanted + "\"";
        }
        if (!os::set_mode(port->path.c_str(), static_cast<unsigned>(mode))) {
            return "cannot set the mode of \"" + port->path + "\": " + strerror(errno);
        }
    }
    return {};
}

PortState* open_port(ServerState& state, std::string_view host, int number, int type,
                     OnFailure how) {
    int base = type & ~kSockSsl;
    if (base < kSockTcp || base > kSockUnixDatagram) {
        fail(how, EPROTONOSUPPORT,
             "the socket type " + std::to_string(type) + " is not supported by this server");
        return nullptr;
    }
    bool datagrams = base == kSockUdp || base == kSockUdp6 || base == kSockUnixDatagram;
    if (datagrams && (base != type || is_handed_over(host))) {
        fail(how, EPROTONOSUPPORT,
             base != type ? "SWOOLE_SSL needs a stream socket: datagrams cannot be encrypted (DTLS)"
                          : "a service manager can hand over stream sockets only");
        return nullptr;
    }
    if (number < 0 || number > 65535) {
        fail(how, EINVAL,
             "invalid port [" + std::to_string(number) + "]: it must be a number from 0 to 65535");
        return nullptr;
    }
    auto port = std::make_unique<PortState>();
    port->host.assign(host.data(), host.size());
    port->port = number;
    port->type = type;
    ZVAL_UNDEF(&port->object);
    ZVAL_UNDEF(&port->settings);
    port->inherited = is_handed_over(port->host);
    Result<int> fd = port->inherited ? os::take_inherited_listener(inherited_name(port->host))
                                     : listen_on(*port, state.settings);
    if (!fd) {
        fail(
            how, static_cast<int>(fd.error().code()),
            "failed to listen on " + address_text(*port, base) + ": " + why_not(*port, fd.error()));
        return nullptr;
    }
    learn_number(*port, *fd);
    port->fds.push_back(*fd);
    if (is_unix(base) && !port->inherited) {
        port->path = port->host;
    }
    state.ports.push_back(std::move(port));
    return state.ports.back().get();
}

std::string multiply_ports(ServerState& state) {
    for (auto& port : state.ports) {
        if (port->inherited) {
            continue;
        }
        // Options that were set after the port was opened. Clients may have connected meanwhile.
        int base = port->type & ~kSockSsl;
        size_t wanted =
            state.settings.enable_reuse_port ? static_cast<size_t>(state.settings.worker_num) : 1;
        if (is_unix(base) || !has_late_options(*port, port->in_force, wanted)) {
            continue;
        }
        if (is_datagram(*port) ||
            os::listen_again(port->fds.front(), listen_options(port->in_force))) {
            os::close_fd(port->fds.front());
            port->fds.clear();
        }
        while (port->fds.size() < wanted) {
            Result<int> fd = listen_on(*port, port->in_force);
            if (!fd) {
                return "failed to listen on " + address_text(*port, base) + ": " +
                       why_not(*port, fd.error());
            }
            port->fds.push_back(*fd);
        }
    }
    return "";
}

void close_listeners(ServerState& state) {
    for (auto& port : state.ports) {
        std::erase_if(port->fds, [](int fd) {
            bool listens = os::is_listening(fd);
            if (listens) {
                os::close_fd(fd);
            }
            return listens;
        });
    }
}

void close_ports(ServerState& state) {
    for (auto& port : state.ports) {
        for (int fd : port->fds) {
            os::close_fd(fd);
        }
        port->fds.clear();
        if (!port->path.empty() && !state.in_worker) {
            os::remove_path(port->path.c_str());
        }
    }
}

}  // namespace stampede::classes
