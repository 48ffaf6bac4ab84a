// What Server::getClientInfo() tells of a connection: of this worker's by looking at it, of
// another's by what that worker has noted in shared memory.
#include "ext/server/peers.h"
#include "ext/server/worker.h"

#include <cstring>

#include "ext/server/http_handler.h"
#include "ext/server/websocket_hub.h"
#include "server/service.h"
#include "server/stream_session.h"

namespace stampede::classes {

namespace {

// WEBSOCKET_STATUS_CONNECTION and _ACTIVE: applications tell by it whether they can push.
constexpr zend_long kBeforeHandshake = 1;
constexpr zend_long kSpeaksWebSocket = 3;

struct Info {
    const PortState* port = nullptr;
    zend_long server_port = 0;
    zend_long socket = -1;
    os::Address peer;
    zend_long worker = 0;
    double opened_at = 0;     // wall clock, seconds
    double last_read_at = 0;  // the same
    zend_long pending = 0;    // bytes
    zend_long queued = 0;     // the same, of what came
    double last_sent_at = 0;  // wall clock, seconds
    double last_given_at = 0;
    zend_long uid = 0;
    bool established = false;
};

void show(const ServerState& state, const Info& info, zval* out) {
    array_init(out);
    add_assoc_long(out, "server_port", info.server_port);
    add_assoc_long(out, "server_fd", info.port->fds.empty() ? -1 : info.port->fds.front());
    add_assoc_long(out, "socket_fd", info.socket);
    add_assoc_long(out, "socket_type", base_type(*info.port));
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
    if (state.is_websocket && info.port->websocket) {
        add_assoc_long(out, "websocket_status",
                       info.established ? kSpeaksWebSocket : kBeforeHandshake);
    }
}

void add_stream(server::StreamSession& session, Info& info) {
    double now = static_cast<double>(wall_now()) / 1e9;
    auto wall = [&](Nanos when) {
        return when > 0 ? now - static_cast<double>(monotonic_now() - when) / 1e9 : 0;
    };
    info.last_sent_at = wall(session.last_sent_at);
    info.last_given_at = wall(session.last_given_at);
    info.queued = static_cast<zend_long>(session.bytes_in_calls() + session.bytes_kept());
    info.uid = session.uid;
}

void describe_own(const ServerState& state, net::Connection& connection, zval* out) {
    Info info;
    info.port = state.ports[connection.port_index].get();
    const net::ViaProxy* via = connection.transport().via_proxy();
    zend_long number = via != nullptr ? ntohs(via->destination.sin6_port) : 0;
    info.server_port = number != 0 ? number : info.port->port;
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
    info.established = hub != nullptr && hub->established(static_cast<zend_long>(connection.id()));
    show(state, info, out);
}

// False when there is no such connection.
bool describe_noted(const ServerState& state, zend_long fd, zval* out) {
    shm::Facts facts;
    shm::Standing standing = standing_of(fd, &facts);
    if (standing == shm::Standing::kNone || facts.port_index >= state.ports.size()) {
        return false;
    }
    Info info;
    info.port = state.ports[facts.port_index].get();
    info.server_port = info.port->port;
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

void describe_connection(zend_long fd, zval* out) {
    const ServerState* state = running_server();
    server::Service* service = worker_service();
    net::Connection* connection = service != nullptr ? service->connections().find(fd) : nullptr;
    if (connection != nullptr) {
        describe_own(*state, *connection, out);
    } else if (state == nullptr || !describe_noted(*state, fd, out)) {
        ZVAL_FALSE(out);
    }
}

}  // namespace stampede::classes
