// What Server::getClientInfo() tells of a connection: of this worker's by looking at it, of
// another's by what that worker has noted in shared memory.
#include "ext/server/connection_info.h"

#include <cstring>
#include <unordered_map>

#include "ext/server/http_handler.h"
#include "ext/server/peers.h"
#include "ext/server/websocket_hub.h"
#include "ext/server/worker.h"
#include "server/service.h"
#include "server/stream_session.h"

namespace stampede::classes {

namespace {

// WEBSOCKET_STATUS_CONNECTION and _ACTIVE: applications tell by it whether they can push.
constexpr zend_long kBeforeHandshake = 1;
constexpr zend_long kSpeaksWebSocket = 3;

// Those that have ended and whose functions have not.
std::unordered_map<zend_long, const ConnectionInfo*> departed;

void show(const ServerState& state, const ConnectionInfo& info, zval* out) {
    const PortState& port = *state.ports[info.port_index];
    array_init(out);
    add_assoc_long(out, "server_port", info.server_port);
    add_assoc_long(out, "server_fd", port.fds.empty() ? -1 : port.fds.front());
    add_assoc_long(out, "socket_fd", info.socket);
    add_assoc_long(out, "socket_type", base_type(port));
    add_assoc_long(out, "remote_port", info.peer.port());
    add_assoc_string(out, "remote_ip", info.peer.host().c_str());
    add_assoc_long(out, "reactor_id", info.worker);
    add_assoc_long(out, "connect_time", static_cast<zend_long>(info.opened_at));
    add_assoc_long(out, "last_time", static_cast<zend_long>(info.last_read_at));
    add_assoc_double(out, "last_recv_time", info.last_read_at);
    add_assoc_double(out, "last_send_time", info.last_sent_at);
    add_assoc_double(out, "last_dispatch_time",
                     info.last_given_at > 0 ? info.last_given_at : info.last_read_at);
    add_assoc_long(out, "close_errno", 0);
    add_assoc_long(out, "worker_id", info.worker);
    add_assoc_long(out, "send_queued_bytes", info.pending);
    add_assoc_long(out, "recv_queued_bytes", info.queued);
    if (info.uid > 0) {
        add_assoc_long(out, "uid", info.uid);
    }
    if (port.websocket) {
        add_assoc_long(out, "websocket_status",
                       info.established ? kSpeaksWebSocket : kBeforeHandshake);
    }
}

void add_stream(server::StreamSession& session, ConnectionInfo& info) {
    double now = static_cast<double>(wall_now()) / 1e9;
    auto wall = [&](Nanos when) {
        return when > 0 ? now - static_cast<double>(monotonic_now() - when) / 1e9 : 0;
    };
    info.last_sent_at = wall(session.last_sent_at);
    info.last_given_at = wall(session.last_given_at);
    info.queued = static_cast<zend_long>(session.bytes_in_calls() + session.bytes_kept());
    info.uid = session.uid;
}

// False when there is no such connection.
bool describe_noted(const ServerState& state, zend_long fd, zval* out) {
    shm::Facts facts;
    shm::Standing standing = standing_of(fd, &facts);
    if (standing == shm::Standing::kNone || facts.port_index >= state.ports.size()) {
        return false;
    }
    ConnectionInfo info;
    info.port_index = facts.port_index;
    info.server_port = state.ports[facts.port_index]->port;
    sockaddr_in6 peer = {};
    peer.sin6_family = facts.family;
    peer.sin6_port = htons(facts.remote_port);
    if (facts.family == AF_INET) {
        memcpy(&reinterpret_cast<sockaddr_in&>(peer).sin_addr, facts.address, sizeof(in_addr));
    } else {
        memcpy(&peer.sin6_addr, facts.address, sizeof(in6_addr));
    }
    memcpy(&info.peer.storage, &peer, sizeof(peer));
    info.worker = state.board->line(state.presence->owner_of(fd)).worker.load();
    info.opened_at = info.last_read_at = facts.opened_at;
    info.established = standing == shm::Standing::kEstablished;
    show(state, info, out);
    return true;
}

}  // namespace

ConnectionInfo look_at(const ServerState& state, net::Connection& connection) {
    ConnectionInfo info;
    info.port_index = connection.port_index;
    const net::ViaProxy* via = connection.transport().via_proxy();
    zend_long number = via != nullptr ? ntohs(via->destination.sin6_port) : 0;
    info.server_port = number != 0 ? number : state.ports[info.port_index]->port;
    info.socket = connection.fd();
    memcpy(&info.peer.storage, &connection.peer, sizeof(connection.peer));
    info.worker = state.place.worker;
    double now = static_cast<double>(wall_now()) / 1e9;
    info.opened_at = now - static_cast<double>(monotonic_now() - connection.opened_at) / 1e9;
    info.last_read_at = now - static_cast<double>(monotonic_now() - connection.last_read_at) / 1e9;
    info.pending = static_cast<zend_long>(connection.pending());
    auto id = static_cast<int64_t>(connection.id());
    if (server::StreamSession* session = worker_service()->connections().find_stream(id)) {
        add_stream(*session, info);
    }
    const WebSocketHub* hub = websocket_hub();
    info.established =
        hub != nullptr && (hub->established(static_cast<zend_long>(connection.id())) ||
                           (connection.closed() && hub->had(connection.id())));
    return info;
}

DepartedConnection::DepartedConnection(zend_long fd, const ConnectionInfo& info)
    : fd_(fd), info_(info) {
    departed[fd] = &info_;
}

DepartedConnection::~DepartedConnection() { departed.erase(fd_); }

void describe_connection(zend_long fd, zval* out) {
    const ServerState* state = running_server();
    server::Service* service = worker_service();
    net::Connection* connection = service != nullptr ? service->connections().find(fd) : nullptr;
    if (connection != nullptr) {
        show(*state, look_at(*state, *connection), out);
        std::string certificate = connection->transport().peer_certificate();
        if (!certificate.empty()) {
            add_assoc_stringl(out, "ssl_client_cert", certificate.data(), certificate.size());
        }
    } else if (auto gone = departed.find(fd); gone != departed.end()) {
        show(*state, *gone->second, out);
    } else if (state == nullptr || !describe_noted(*state, fd, out)) {
        ZVAL_FALSE(out);
    }
}

}  // namespace stampede::classes
