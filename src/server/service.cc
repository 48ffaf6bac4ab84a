#include "server/service.h"

#include <cstring>

#include "proto/ws/deflate_memory.h"
#include "server/http1/session.h"
#include "server/http2/tunnel.h"
#include "server/protocol_chooser.h"
#include "server/proxied_transport.h"
#include "server/refused_session.h"
#include "server/stream_session.h"

namespace stampede::server {

namespace {

void configure(int fd, const SocketSettings& settings, bool has_nodelay) {
    if (settings.nodelay != has_nodelay) {
        os::set_nodelay(fd, settings.nodelay);
    }
    if (settings.keepalive) {
        os::set_keepalive(fd, settings.keepalive_times);
    }
    if (settings.user_timeout_ms > 0) {
        os::set_user_timeout(fd, settings.user_timeout_ms);
    }
}

}  // namespace

Service::Service(const ServiceParts& parts, const ServiceSettings& settings)
    : hub_(parts.loop),
      handler_(parts.handler),
      host_(parts.host),
      stream_handler_(parts.streams),
      board_(parts.board),
      line_(parts.board.line(settings.worker)),
      presence_(parts.presence),
      access_log_(parts.access_log),
      metrics_(parts.metrics),
      settings_(settings),
      fields_(parts.loop),
      compression_(settings.compression),
      rules_(settings.rules),
      admission_(settings_, parts.board, parts.addresses),
      body_room_{.most = settings.body_memory, .used = 0},
      datagrams_(parts.loop, parts.streams),
      connections_(parts.board, settings_, parts.presence, parts.metrics),
      acceptor_(*this, parts.loop, parts.board, settings_, parts.host),
      requests_(parts.board, settings_, acceptor_, parts.host),
      exchanges_(*this) {
    hub_.unsent().set_most(settings_.unsent_memory);
    proto::ws::deflate_memory().set_most(settings.websocket.compression_memory);
}

Service::~Service() {
    connections_.close_all(net::CloseCause::kServer);
    hub_.end_iteration();
}

int64_t Service::take(const Accepted& accepted) {
    const PortSettings& port = settings_.port(accepted.port_index);
    auto connection =
        std::make_unique<net::Connection>(hub_, accepted.fd, connections_.next_id(), port.times);
    connection->port_index = accepted.port_index;
    if (accepted.peer.family() == AF_INET || accepted.peer.family() == AF_INET6) {
        std::memcpy(&connection->peer, &accepted.peer.storage, sizeof(connection->peer));
        configure(accepted.fd, port.socket, accepted.has_nodelay);
    }
    if (!admission_.expects_header(*connection) && !admission_.enter(*connection)) {
        refuse(std::move(connection));
        return 0;
    }
    if (!make_transport(*connection)) {
        admission_.leave(*connection);
        os::close_fd(accepted.fd);
        return 0;
    }
    Speaker speaker = speaker_for(*connection);
    return static_cast<int64_t>(begin(std::move(connection), std::move(speaker)).id());
}

bool Service::make_transport(net::Connection& connection) {
    bool expects = admission_.expects_header(connection);
    if (!host_.give_transport(connection)) {
        return false;
    }
    connection.announced = !expects;
    if (expects) {
        connection.set_transport(
            std::make_unique<ProxiedTransport>(*this, connection, connection.take_transport()));
    }
    return true;
}

bool Service::let_in(net::Connection& connection) {
    if (!admission_.enter(connection)) {
        admission_.note_refused(connection);
        return false;
    }
    connection.announced = true;
    handler_.opened(connection);
    return true;
}

// The peer is told why as long as that costs little. Nobody waits for a TLS handshake that ends so.
void Service::refuse(std::unique_ptr<net::Connection> connection) {
    admission_.note_refused(*connection);
    uint32_t port = connection->port_index;
    bool encrypted = port < settings_.tls_ports.size() && settings_.tls_ports[port];
    if (encrypted || settings_.port(port).stream.used || !admission_.begin_telling()) {
        os::set_reset_on_close(connection->fd());
        os::close_fd(connection->fd());
        return;
    }
    auto session = std::make_unique<RefusedSession>(*this, *connection);
    RefusedSession& refusal = *session;
    connections_.add(std::move(connection), {std::move(session)}).start();
    refusal.refuse(503);
}

net::Connection& Service::adopt(std::unique_ptr<net::Transport> transport) {
    auto connection =
        std::make_unique<net::Connection>(hub_, -1, connections_.next_id(), settings_.times);
    connection->set_transport(std::move(transport));
    connection->announced = true;
    Speaker speaker = speaker_for(*connection);
    return begin(std::move(connection), std::move(speaker));
}

net::Connection& Service::adopt(std::unique_ptr<Http2Tunnel> tunnel,
                                const net::Connection& carrier) {
    auto connection =
        std::make_unique<net::Connection>(hub_, -1, connections_.next_id(), settings_.times);
    connection->port_index = carrier.port_index;
    connection->peer = carrier.peer;
    connection->announced = true;
    connection->pause_reading();
    tunnel->set_connection(*connection);
    connection->set_transport(std::move(tunnel));
    auto session = std::make_unique<TunnelSession>(*this, *connection);
    return begin(std::move(connection), {std::move(session)});
}

std::unique_ptr<net::Connection> Service::revive(Moved& moved) {
    os::Address peer = os::peer_address(moved.fd.get());
    auto connection = std::make_unique<net::Connection>(hub_, moved.fd.release(), moved.id,
                                                        settings_.port(moved.port_index).times);
    connection->port_index = moved.port_index;
    connection->opened_at = moved.opened_at;
    connection->last_read_at = moved.last_read_at;
    connection->announced = true;
    if (peer.family() == AF_INET || peer.family() == AF_INET6) {
        std::memcpy(&connection->peer, &peer.storage, sizeof(connection->peer));
    }
    (void)admission_.enter(*connection);  // it was admitted
    return connection;
}

void Service::go_on(std::unique_ptr<net::Connection> connection, Speaker speaker) {
    net::Connection& begun = connections_.add_moved(std::move(connection), std::move(speaker));
    connections_.announce_moved(begun);
    begun.start();
}

StreamSession* Service::adopt_stream(Moved moved) {
    const StreamRules& rules = settings_.port(moved.port_index).stream;
    if (!rules.used) {
        return nullptr;
    }
    auto connection = revive(moved);
    auto session = std::make_unique<StreamSession>(*this, *connection, rules);
    StreamSession* adopted = session.get();
    go_on(std::move(connection), {std::move(session), nullptr, adopted});
    return adopted;
}

Http1Session* Service::adopt_http(Moved moved) {
    if (settings_.port(moved.port_index).stream.used) {
        return nullptr;
    }
    auto connection = revive(moved);
    auto session = std::make_unique<Http1Session>(*this, *connection);
    Http1Session* adopted = session.get();
    go_on(std::move(connection), speaker_of(std::move(session)));
    return adopted;
}

os::Fd Service::release(net::Connection& connection) {
    connections_.remove_moved(connection);
    admission_.leave(connection);
    acceptor_.has_served(static_cast<int64_t>(connection.id()));
    return os::Fd(connection.give_up_descriptor());
}

Speaker Service::speaker_for(net::Connection& connection) {
    const StreamRules& stream = settings_.port(connection.port_index).stream;
    if (stream.used) {
        auto session = std::make_unique<StreamSession>(*this, connection, stream);
        StreamSession* found = session.get();
        return {std::move(session), nullptr, found};
    }
    if (settings_.http2.offered_on(connection.port_index)) {
        return {std::make_unique<ProtocolChooser>(*this, connection)};
    }
    return speaker_of(std::make_unique<Http1Session>(*this, connection));
}

net::Connection& Service::begin(std::unique_ptr<net::Connection> connection, Speaker speaker) {
    net::Connection& begun = connections_.add(std::move(connection), std::move(speaker));
    connections_.announce(begun);
    begun.start();
    if (begun.announced) {
        handler_.opened(begun);
    }
    return begun;
}

void Service::forget(net::Connection& connection) {
    handler_.closed(connection);  // which may still look for it by its number
    connections_.remove(connection);
    admission_.leave(connection);
    acceptor_.has_served(static_cast<int64_t>(connection.id()));
}

// Called before the last bytes of the response are handed to the kernel: a client that has all of
// it has been counted, whatever happens to this process then.
void Service::count_request(const Exchange* exchange, uint8_t ending) {
    if (exchange == nullptr) {
        metrics_->ended_unread(ending);
        return;
    }
    if (exchange->connection() != nullptr) {
        connections_.note_bytes(*exchange->connection());
    }
    metrics_->ended({.route = exchange->route,
                     .method = static_cast<uint8_t>(exchange->head.method),
                     .ending = ending,
                     .isolation = exchange->isolation,
                     .received_at = exchange->received_at(),
                     .handled_at = exchange->handled_at,
                     .first_byte_at = exchange->first_byte_at(),
                     .ended_at = monotonic_now()});
}

void Service::drain() {
    if (draining_) {
        return;
    }
    acceptor_.stop();
    draining_ = true;
    datagrams_.stop();
    connections_.announce_drain();
}

}  // namespace stampede::server
