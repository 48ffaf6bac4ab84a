#include "ext/server/sending.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "ext/server/connection_actions.h"
#include "ext/server/peers.h"
#include "ext/server/receive_handler.h"
#include "ext/server/worker.h"
#include "error_numbers.h"
#include "os/fd.h"
#include "os/process.h"
#include "os/socket_io.h"
#include "runtime/runtime.h"
#include "server/service.h"
#include "server/stream_session.h"
#include "zend/last_error.h"
#include "zend/throw.h"

extern "C" {
#include "main/php_network.h"
}

namespace stampede::classes {

namespace {

constexpr Nanos kMostWait = 10 * kSecond;  // for another worker, and of sendwait()
constexpr Nanos kRetryAfter = 2 * kMillisecond;
constexpr size_t kPieceElsewhere = 1u << 20;
constexpr int kSockUnixDatagram = 6;
constexpr uint64_t kRoomOfOthers = 8u << 20;  // of a connection that is no stream's

bool fail(int error) {
    zend::set_last_error(error);
    return false;
}

net::Connection* own_connection(zend_long fd) {
    server::Service* service = worker_service();
    return service != nullptr ? service->connections().find(fd) : nullptr;
}

server::StreamSession* own_stream(zend_long fd) {
    server::Service* service = worker_service();
    return service != nullptr ? service->connections().find_stream(fd) : nullptr;
}

bool may_wait(const ServerState& state) {
    return state.settings.send_yield && runtime::Runtime::get().can_park();
}

// Waits until there is room for more. A peer that takes nothing is closed after a time, which wakes
// the waiting coroutine: that is the limit where send_timeout is not set.
bool wait_to_send(ServerState& state, zend_long fd) {
    double limit = state.settings.send_timeout;
    Nanos until = limit > 0 ? monotonic_now() + to_nanos(limit) : kNever;
    for (;;) {
        net::Connection* connection = own_connection(fd);
        if (connection == nullptr || connection->closing()) {
            return fail(connection == nullptr ? api_error::kSessionNotExist
                                              : api_error::kSessionClosed);
        }
        server::StreamSession* session = own_stream(fd);
        uint64_t room = session != nullptr ? session->rules().room : kRoomOfOthers;
        if (connection->pending() < room) {
            return true;
        }
        connection->flush();
        if (!connection->closed() && connection->pending() < room) {
            return true;
        }
        if (connection->closed() || session == nullptr || !may_wait(state) ||
            !wait_for_room(*session, until)) {
            return fail(connection->closed() ? api_error::kSessionNotExist
                                             : api_error::kOutputBufferOverflow);
        }
    }
}

bool has_room(net::Connection& connection) {
    server::StreamSession* session = stream_of(connection);
    uint64_t room = session != nullptr ? session->rules().room : kRoomOfOthers;
    return connection.pending() < room;
}

// The connection, looked up again when the coroutine had to wait for room; null when it has none.
net::Connection* make_room(ServerState& state, net::Connection& connection, zend_long fd) {
    if (EXPECTED(!connection.closing() && has_room(connection))) {
        return &connection;
    }
    return wait_to_send(state, fd) ? own_connection(fd) : nullptr;
}

bool pause_shortly(Nanos until) {
    runtime::Runtime& runtime = runtime::Runtime::get();
    return runtime.can_park() && monotonic_now() < until &&
           runtime.park_for(kRetryAfter) == runtime::WakeReason::kTimeout;
}

// In pieces that the way between the workers has room for. A stream of which a part is missing is
// worth nothing: its connection is closed.
bool send_elsewhere(ServerState& state, zend_long fd, const zend_string* data) {
    Nanos until = monotonic_now() + kMostWait;
    for (size_t at = 0; at < ZSTR_LEN(data);) {
        size_t size = std::min(ZSTR_LEN(data) - at, kPieceElsewhere);
        if (standing_of(fd) == shm::Standing::kNone) {
            return fail(api_error::kSessionNotExist);
        }
        if (act_elsewhere(fd, Action::kSend, 0, {ZSTR_VAL(data) + at, size})) {
            at += size;
        } else if (!state.settings.send_yield || !pause_shortly(until)) {
            if (at > 0) {
                close_elsewhere(fd, true);
            }
            return fail(api_error::kOutputBufferOverflow);
        }
    }
    return true;
}

// The server's socket that datagrams of this family leave from: the one that is named, else the
// first.
const PortState* datagram_port(const ServerState& state, int type, zend_long socket) {
    for (const auto& port : state.ports) {
        bool named = socket < 0 || std::ranges::find(port->fds, socket) != port->fds.end();
        if (base_type(*port) == type && named && !port->fds.empty()) {
            return port.get();
        }
    }
    zend::warning("the server has no %s port to send from",
                  type == kSockUnixDatagram ? "unix datagram" : "UDP");
    return nullptr;
}

bool send_datagram(const PortState& port, const os::Address& peer, const zend_string* data) {
    long sent = os::send_to(port.fds.front(), ZSTR_VAL(data), ZSTR_LEN(data), peer);
    return sent == static_cast<long>(ZSTR_LEN(data)) || fail(errno);
}

// What heartbeat() looks at: null when silence has no limit.
Nanos heartbeat_limit(const ServerSettings& settings) {
    if (settings.heartbeat_idle_time > 0) {
        return settings.heartbeat_idle_time * kSecond;
    }
    return settings.heartbeat_check_interval * 2 * kSecond;
}

}  // namespace

// Connections are the workers': the master has none, and no way to theirs.
bool may_use_connections(ServerState& state) {
    if (!state.started) {
        zend::warning("server is not running");
        return false;
    }
    zval holder;
    zval* master =
        zend_read_property(state.object->ce, state.object, ZEND_STRL("master_pid"), true, &holder);
    if (worker_service() == nullptr && zval_get_long(master) == os::own_pid()) {
        zend::warning("the master process has no connections: send from a worker");
        return fail(api_error::kServerSendInMaster);
    }
    return true;
}

bool has_payload(const zend_string* data) {
    if (ZSTR_LEN(data) == 0) {
        zend::warning("the data sent must not be empty");
        return fail(api_error::kNoPayload);
    }
    return true;
}

bool send_to_connection(ServerState& state, zend_long fd, zend_string* data) {
    if (fd <= 0) {
        zend::warning("invalid fd[" ZEND_LONG_FMT "]", fd);
        return fail(api_error::kSessionInvalidId);
    }
    net::Connection* connection = own_connection(fd);
    if (connection == nullptr) {
        return send_elsewhere(state, fd, data);
    }
    connection = make_room(state, *connection, fd);
    if (connection == nullptr) {
        return false;
    }
    send_here(*connection, data);
    return true;
}

bool send_to_path(const ServerState& state, const zend_string* path, const zend_string* data,
                  zend_long socket) {
    Result<os::Address> peer = os::parse_unix(ZSTR_VAL(path));
    const PortState* port = datagram_port(state, kSockUnixDatagram, socket);
    if (port == nullptr || !peer) {
        return port != nullptr ? fail(EINVAL) : false;
    }
    return send_datagram(*port, *peer, data);
}

bool send_to_host(const ServerState& state, const zend_string* host, zend_long number,
                  const zend_string* data, zend_long socket) {
    if (number < 1 || number > 65535) {
        zend::warning("invalid port [" ZEND_LONG_FMT "]: it must be a number from 1 to 65535",
                      number);
        return fail(api_error::kInvalidParams);
    }
    bool six = memchr(ZSTR_VAL(host), ':', ZSTR_LEN(host)) != nullptr;
    auto short_number = static_cast<uint16_t>(number);
    Result<os::Address> peer = six ? os::parse_ipv6(ZSTR_VAL(host), short_number)
                                   : os::parse_ipv4(ZSTR_VAL(host), short_number);
    if (!peer) {
        zend::warning("\"%s\" is no IP address", ZSTR_VAL(host));
        return fail(api_error::kInvalidParams);
    }
    const PortState* port = datagram_port(state, six ? 4 : 2, socket);
    return port != nullptr && send_datagram(*port, *peer, data);
}

// Until the kernel has everything. The process waits where no coroutine can.
bool wait_until_sent(const ServerState& state, zend_long fd) {
    double limit = state.settings.send_timeout;
    Nanos until = monotonic_now() + (limit > 0 ? to_nanos(limit) : kMostWait);
    for (;;) {
        net::Connection* connection = own_connection(fd);
        if (connection == nullptr) {
            return fail(api_error::kSessionNotExist);
        }
        connection->flush();
        if (connection->closed()) {
            return fail(api_error::kSessionNotExist);
        }
        if (connection->pending() == 0) {
            return true;
        }
        server::StreamSession* session = own_stream(fd);
        bool went_on = session != nullptr && runtime::Runtime::get().can_park()
                           ? wait_for_room(*session, until)
                           : os::poll_one(connection->fd(), os::PollFor::kWriting, until) > 0;
        if (!went_on) {
            return fail(api_error::kOutputBufferOverflow);
        }
    }
}

bool send_file_to(ServerState& state, zend_long fd, const zend_string* path, FilePart part) {
    net::FileRange file;
    if (!open_part(ZSTR_VAL(path), part, file)) {
        zend::warning("cannot send the file \"%s\": %s", ZSTR_VAL(path),
                      errno != 0 ? strerror(errno) : "offset and length lie outside of it");
        return fail(errno == ENOENT ? api_error::kFileNotExist : api_error::kInvalidParams);
    }
    net::Connection* connection = own_connection(fd);
    if (connection == nullptr) {
        os::close_fd(file.fd);
        char* full = expand_filepath(ZSTR_VAL(path), nullptr);
        bool asked =
            full != nullptr && act_elsewhere(fd, Action::kSendFile, 0, part_message(part, full));
        if (full != nullptr) {
            efree(full);
        }
        return asked || fail(api_error::kSessionNotExist);
    }
    connection = make_room(state, *connection, fd);
    if (connection == nullptr) {
        os::close_fd(file.fd);
        return false;
    }
    send_file_here(*connection, file);
    return true;
}

bool act_on_connection(ServerState& state, zend_long fd, Action action, uint32_t number) {
    if (!may_use_connections(state)) {
        return false;
    }
    if (net::Connection* connection = own_connection(fd)) {
        return act_here(*connection, action, number);
    }
    return act_elsewhere(fd, action, number, {}) || fail(api_error::kSessionNotExist);
}

bool is_own_connection(zend_long fd) { return own_connection(fd) != nullptr; }

bool find_silent(const ServerState& state, Silent what, std::vector<zend_long>& found) {
    server::Service* service = worker_service();
    Nanos limit = heartbeat_limit(state.settings);
    if (service == nullptr || limit <= 0) {
        return false;
    }
    Nanos since = monotonic_now() - limit;
    std::vector<net::Connection*> silent;
    service->connections().each([&](net::Connection& connection) {
        server::StreamSession* session = own_stream(static_cast<zend_long>(connection.id()));
        if (session != nullptr && !session->guarded && connection.last_read_at <= since) {
            silent.push_back(&connection);
        }
    });
    for (net::Connection* connection : silent) {
        found.push_back(static_cast<zend_long>(connection->id()));
        if (what == Silent::kClose) {
            connection->close_after_flush();
        }
    }
    return true;
}

// A stream of PHP over a copy of the descriptor, which the other extension takes over.
void show_socket(const PortState& port, zval* out) {
    ZVAL_FALSE(out);
    zval function;
    ZVAL_STRING(&function, "socket_import_stream");
    bool known = zend_hash_str_exists(CG(function_table), ZEND_STRL("socket_import_stream"));
    Result<int> fd =
        known && !port.fds.empty() ? os::duplicate(port.fds.front()) : Error::system(EBADF);
    if (!known) {
        zend::warning("getSocket() needs PHP's extension sockets, which is not loaded");
    } else if (!fd) {
        zend::warning("the port is not open");
    } else {
        php_stream* stream = php_stream_sock_open_from_socket(*fd, nullptr);
        zval argument;
        php_stream_to_zval(stream, &argument);
        call_user_function(nullptr, nullptr, &function, out, 1, &argument);
        zval_ptr_dtor(&argument);
    }
    zval_ptr_dtor(&function);
}

}  // namespace stampede::classes
