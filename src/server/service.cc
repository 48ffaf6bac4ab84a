#include "server/service.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "server/http2/stream.h"
#include "server/http2/tunnel.h"
#include "server/protocol_chooser.h"
#include "server/proxied_transport.h"
#include "server/refused_session.h"
#include "server/stream_session.h"

namespace stampede::server {

Service::Service(loop::Loop& loop, Handler& handler, shm::Scoreboard& board,
                 const ServiceSettings& settings)
    : hub_(loop),
      handler_(handler),
      board_(board),
      settings_(settings),
      compression_(settings.compression),
      admission_(settings_, board),
      datagrams_(loop),
      line_(board.line(settings.worker)),
      in_flight_(line_) {
    std::memcpy(usual_fields_, kUsualFields, sizeof(kUsualFields));
    std::memcpy(closing_fields_, kClosingFields, sizeof(kClosingFields));
    accept_timer_.service = this;
    accept_timer_.on_fire = [](loop::Timer& timer) {
        static_cast<AcceptTimer&>(timer).service->start_accepting(true);
    };
}

Service::~Service() {
    close_all(net::CloseCause::kServer);
    hub_.end_iteration();
    loop().disarm(accept_timer_);
    for (auto& listener : listeners_) {
        if (listener->watched) {
            loop().unwatch(*listener);
        }
    }
    while (free_exchanges_ != nullptr) {
        Exchange* next = free_exchanges_->next_free_;
        delete free_exchanges_;
        free_exchanges_ = next;
    }
    while (spare_streams_ != nullptr) {
        Http2Stream* next = spare_streams_->next_spare;
        delete spare_streams_;
        spare_streams_ = next;
    }
}

Error Service::add_listener(int fd, uint32_t port_index) {
    auto listener = std::make_unique<Listener>();
    listener->fd = fd;
    listener->interest = loop::kReadable | (settings_.workers > 1 ? loop::kExclusive : 0);
    listener->service = this;
    listener->port_index = port_index;
    listener->forced = false;
    listener->nodelay = os::has_nodelay(fd);
    listener->on_ready = [](loop::Watch& watch, uint32_t) {
        auto& ready = static_cast<Listener&>(watch);
        ready.service->accept_some(ready);
    };
    Error error = loop().watch(*listener);
    listener->watched = !error;
    listeners_.push_back(std::move(listener));
    return error;
}

void Service::accept_some(Listener& listener) {
    if (!listener.forced && leave_to_others()) {
        stop_accepting(10 * kMillisecond);
        return;
    }
    listener.forced = false;
    // With siblings on the same queue one at a time: an idle worker gets the next.
    int burst = settings_.workers > 1 ? 1 : kAcceptBurst;
    for (int i = 0; i < burst; i++) {
        if (connections_.size() >= settings_.max_connections) {
            stop_accepting(50 * kMillisecond);
            reclaim_idle();
            return;
        }
        os::Address peer;
        Result<int> fd = os::accept_stream(listener.fd, peer);
        if (!fd) {
            if (accept_failed(fd.error())) {
                continue;
            }
            return;
        }
        net::Connection* taken = adopt(*fd, peer, listener);
        if (settings_.workers > 1 && sibling_is_free()) {
            stop_accepting(kMillisecond);
            awaited_ = taken != nullptr ? static_cast<int64_t>(taken->id()) : 0;
            return;
        }
    }
}

// A handler that blocks would hold up a second connection of this worker, while another worker is
// idle. That one has been woken for it, or is now; otherwise it is taken when the first request of
// the connection before has ended, at the latest a millisecond later.
bool Service::sibling_is_free() const {
    for (uint32_t i = 0; i < board_.size(); i++) {
        const shm::WorkerLine& line = board_.line(i);
        if (i != settings_.worker && line.concurrency.get() == 0 &&
            line.connections.get() < connections_.size() &&
            line.state.load(std::memory_order_relaxed) == shm::WorkerState::kRunning) {
            return true;
        }
    }
    return false;
}

// True when accepting may go on at once.
bool Service::accept_failed(const Error& error) {
    if (error.is_system(EAGAIN)) {
        return false;
    }
    if (error.is_system(EMFILE) || error.is_system(ENFILE) || error.is_system(ENOBUFS) ||
        error.is_system(ENOMEM)) {
        stop_accepting(100 * kMillisecond);  // connections wait in the kernel's queue meanwhile
        reclaim_idle();
        return false;
    }
    return true;  // the peer went away again, or the network had a fault: next one
}

// There is no room for the clients that wait to be accepted: the longest idle keep-alive
// connections make some. One that was in use a moment ago is spared, its next request may be on its
// way.
void Service::reclaim_idle() {
    Nanos idle_since = loop().iteration_time() - kSecond;
    std::vector<net::Connection*> idle;
    each_connection([&](net::Connection& connection) {
        if (connection.last_read_at < idle_since && !connection.closing() &&
            static_cast<ServiceSession&>(connection.session()).idle()) {
            idle.push_back(&connection);
        }
    });
    size_t count = std::min(idle.size(), settings_.max_connections / 16 + size_t{1});
    std::ranges::partial_sort(idle, idle.begin() + static_cast<long>(count), {},
                              &net::Connection::last_read_at);
    for (size_t i = 0; i < count; i++) {
        static_cast<ServiceSession&>(idle[i]->session()).drain();
    }
}

// One accept queue serves all workers. The kernel wakes them in a fixed order, so without this rule
// the first would get nearly everything. A worker with clearly more connections than the average
// looks away for a moment; when it looks again and the connection is still there, the others were
// busy and it takes it.
bool Service::leave_to_others() const {
    if (settings_.workers <= 1) {
        return false;
    }
    uint64_t total = 0;
    uint64_t live = 0;
    for (uint32_t i = 0; i < board_.size(); i++) {
        if (board_.line(i).state.load(std::memory_order_relaxed) == shm::WorkerState::kRunning) {
            total += board_.line(i).connections.get();
            live++;
        }
    }
    uint64_t fair = live > 0 ? total / live : 0;
    return live > 1 && connections_.size() > fair + fair / 16 + 2;
}

void Service::stop_accepting(Nanos retry_after) {
    for (auto& listener : listeners_) {
        if (listener->watched) {
            loop().unwatch(*listener);
            listener->watched = false;
        }
    }
    awaited_ = 0;
    if (!draining_) {
        loop().arm(accept_timer_, retry_after);
    }
}

void Service::start_accepting(bool forced) {
    awaited_ = 0;
    if (draining_) {
        return;
    }
    for (auto& listener : listeners_) {
        if (!listener->watched) {
            listener->watched = !loop().watch(*listener);
            listener->forced = forced;
        }
    }
}

// The handler has shown that it does not hold up what comes next.
void Service::has_served(int64_t connection) {
    if (connection == awaited_ && connection != 0) {
        loop().disarm(accept_timer_);
        start_accepting(false);
    }
}

int64_t Service::next_id() {
    uint64_t sequence = line_.next_sequence.fetch_add(1, std::memory_order_relaxed);
    // As Presence::line_of() finds the line again: only workers' lines count there.
    uint64_t lines = presence_ != nullptr ? presence_->lines() : board_.size();
    return static_cast<int64_t>((sequence - 1) * lines + settings_.worker + 1);
}

net::Connection* Service::adopt(int fd, const os::Address& peer, const Listener& listener) {
    const PortSettings& port = settings_.port(listener.port_index);
    auto connection =
        std::make_unique<net::Connection>(hub_, fd, static_cast<uint64_t>(next_id()), port.times);
    connection->port_index = listener.port_index;
    if (peer.family() == AF_INET || peer.family() == AF_INET6) {
        std::memcpy(&connection->peer, &peer.storage, sizeof(connection->peer));
        configure(fd, port.socket, listener.nodelay);
    }
    if (!admission_.expects_header(*connection) && !admission_.enter(*connection)) {
        refuse(std::move(connection));
        return nullptr;
    }
    if (!make_transport(*connection)) {
        admission_.leave(*connection);
        os::close_fd(fd);
        return nullptr;
    }
    connection->set_session(session_for(*connection));
    return add(std::move(connection));
}

bool Service::make_transport(net::Connection& connection) {
    bool expects = admission_.expects_header(connection);
    if (transport_maker_ != nullptr && !transport_maker_(transport_argument_, connection)) {
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
    if (encrypted || settings_.port(port).stream.used || refused_open_ >= kMostRefused) {
        os::set_reset_on_close(connection->fd());
        os::close_fd(connection->fd());
        return;
    }
    refused_open_++;
    auto session = std::make_unique<RefusedSession>(*this, *connection);
    RefusedSession& refusal = *session;
    connection->set_session(std::move(session));
    net::Connection* raw = connection.release();
    connections_.emplace(static_cast<int64_t>(raw->id()), raw);
    line_.accepted.add(1);
    line_.connections.set(connections_.size());
    raw->start();
    refusal.refuse(503);
}

net::Connection* Service::adopt(std::unique_ptr<net::Transport> transport) {
    auto connection = std::make_unique<net::Connection>(hub_, -1, static_cast<uint64_t>(next_id()),
                                                        settings_.times);
    connection->set_transport(std::move(transport));
    connection->announced = true;
    connection->set_session(session_for(*connection));
    return add(std::move(connection));
}

net::Connection* Service::adopt(std::unique_ptr<Http2Tunnel> tunnel,
                                const net::Connection& carrier) {
    auto connection = std::make_unique<net::Connection>(hub_, -1, static_cast<uint64_t>(next_id()),
                                                        settings_.times);
    connection->port_index = carrier.port_index;
    connection->peer = carrier.peer;
    connection->announced = true;
    connection->pause_reading();
    connection->set_session(std::make_unique<TunnelSession>(*this, *tunnel));
    tunnel->set_connection(*connection);
    connection->set_transport(std::move(tunnel));
    return add(std::move(connection));
}

void Service::configure(int fd, const SocketSettings& settings, bool has_nodelay) {
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

std::unique_ptr<net::Session> Service::session_for(net::Connection& connection) {
    const StreamRules& stream = settings_.port(connection.port_index).stream;
    if (stream.used) {
        return std::make_unique<StreamSession>(*this, connection, stream);
    }
    if (settings_.http2.offered_on(connection.port_index)) {
        return std::make_unique<ProtocolChooser>(*this, connection);
    }
    return std::make_unique<Http1Session>(*this, connection);
}

namespace {

shm::Facts facts_of(const net::Connection& connection) {
    shm::Facts facts;
    facts.opened_at = static_cast<uint32_t>(wall_now() / kSecond);
    facts.port_index = static_cast<uint8_t>(std::min<uint32_t>(connection.port_index, 255));
    facts.family = static_cast<uint8_t>(connection.peer.sin6_family);
    facts.remote_port = ntohs(connection.peer.sin6_port);
    if (facts.family == AF_INET) {
        memcpy(facts.address, &reinterpret_cast<const sockaddr_in&>(connection.peer).sin_addr,
               sizeof(in_addr));
    } else {
        memcpy(facts.address, &connection.peer.sin6_addr, sizeof(in6_addr));
    }
    return facts;
}

}  // namespace

net::Connection* Service::add(std::unique_ptr<net::Connection> connection) {
    net::Connection* raw =
        connection.release();  // the hub frees it at the end of its last iteration
    connections_.emplace(static_cast<int64_t>(raw->id()), raw);
    line_.accepted.add(1);
    line_.connections.set(connections_.size());
    if (raw->fd() >= 0 && static_cast<uint64_t>(raw->fd()) > line_.highest_fd.get()) {
        line_.highest_fd.set(static_cast<uint64_t>(raw->fd()));
    }
    if (presence_ != nullptr) {
        presence_->add(static_cast<int64_t>(raw->id()), facts_of(*raw));
    }
    raw->start();
    if (raw->announced) {
        handler_.opened(*raw);
    }
    return raw;
}

net::Connection* Service::find(int64_t id) {
    auto found = connections_.find(id);
    return found == connections_.end() ? nullptr : found->second;
}

StreamSession* Service::find_stream(int64_t id) {
    net::Connection* connection = find(id);
    bool stream = connection != nullptr && settings_.port(connection->port_index).stream.used;
    return stream ? &static_cast<StreamSession&>(connection->session()) : nullptr;
}

void Service::forget(net::Connection& connection) {
    if (presence_ != nullptr) {
        presence_->remove(static_cast<int64_t>(connection.id()));
    }
    connections_.erase(static_cast<int64_t>(connection.id()));
    admission_.leave(connection);
    line_.closed.add(1);
    line_.connections.set(connections_.size());
    line_.bytes_in.add(connection.bytes_in);
    line_.bytes_out.add(connection.bytes_out);
    handler_.closed(connection);
    has_served(static_cast<int64_t>(connection.id()));
}

void Service::drain() {
    if (draining_) {
        return;
    }
    // What the kernel has accepted for us is served, not reset.
    for (auto& listener : listeners_) {
        while (connections_.size() < settings_.max_connections) {
            os::Address peer;
            Result<int> fd = os::accept_stream(listener->fd, peer);
            if (!fd) {
                break;
            }
            adopt(*fd, peer, *listener);
        }
    }
    draining_ = true;
    datagrams_.stop();
    stop_accepting(0);
    each_connection([](net::Connection& connection) {
        static_cast<ServiceSession&>(connection.session()).announce_drain();
    });
}

void Service::close_idle(Idle which) {
    std::vector<net::Connection*> all;
    all.reserve(connections_.size());
    each_connection([&](net::Connection& connection) { all.push_back(&connection); });
    for (net::Connection* connection : all) {
        if (connection->closed() || connection->closing()) {
            continue;
        }
        auto& session = static_cast<ServiceSession&>(connection->session());
        bool surprised = session.idle() && !session.drain_announced();
        // A request may have come that has not been read yet.
        if (surprised && (which == Idle::kTold || os::has_unread(connection->fd()))) {
            continue;
        }
        session.drain();
    }
}

void Service::close_all(net::CloseCause cause) {
    while (!connections_.empty()) {
        connections_.begin()->second->close_now(cause);
    }
}

void Service::renew_date() {
    Nanos wall = wall_now();
    proto::http::format_date(static_cast<time_t>(wall / kSecond), usual_fields_ + kDateOffset);
    std::memcpy(closing_fields_ + kDateOffset, usual_fields_ + kDateOffset,
                proto::http::kDateLength);
    date_until_ = loop().iteration_time() + kSecond - wall % kSecond;
}

Exchange& Service::acquire() {
    Exchange* exchange = free_exchanges_;
    if (exchange != nullptr) {
        free_exchanges_ = exchange->next_free_;
        free_count_--;
    } else {
        exchange = new Exchange(*this);
    }
    exchange->references_ = 1;
    exchanges_in_use_++;
    return *exchange;
}

void Service::recycle(Exchange& exchange) {
    exchanges_in_use_--;
    if (free_count_ >= kSpareExchanges) {
        delete &exchange;
        return;
    }
    exchange.reset();
    exchange.next_free_ = free_exchanges_;
    free_exchanges_ = &exchange;
    free_count_++;
}

Http2Stream& Service::acquire_stream() {
    Http2Stream* stream = spare_streams_;
    if (stream == nullptr) {
        return *new Http2Stream();
    }
    spare_streams_ = stream->next_spare;
    spare_stream_count_--;
    return *stream;
}

void Service::recycle_stream(Http2Stream& stream) {
    if (spare_stream_count_ >= kSpareExchanges) {
        delete &stream;
        return;
    }
    stream.reuse();
    stream.next_spare = spare_streams_;
    spare_streams_ = &stream;
    spare_stream_count_++;
}

bool Service::over_concurrency() {
    const HttpLimits& limits = settings_.limits;
    return limits.max_concurrency != UINT32_MAX &&
           board_.total(&shm::WorkerLine::concurrency) >= limits.max_concurrency;
}

void Service::request_started(Exchange& exchange) {
    exchange.counted = true;
    exchange.board_place = in_flight_.begin(exchange.text(exchange.head.method_text),
                                            exchange.text(exchange.head.target),
                                            exchange.connection_id_, exchange.received_at_);
    line_.requests.add(1);
    line_.requests_ever.add(1);
    line_.concurrency.add(1);
}

void Service::request_ended(Exchange& exchange) {
    if (!exchange.counted) {
        return;
    }
    exchange.counted = false;
    in_flight_.end(exchange.board_place);
    count_ended();
    has_served(exchange.connection_id_);
}

void Service::call_started() {
    line_.requests.add(1);
    line_.requests_ever.add(1);
    line_.concurrency.add(1);
}

void Service::call_ended(int64_t connection) {
    count_ended();
    has_served(connection);
}

void Service::count_ended() {
    line_.concurrency.sub(1);
    if (settings_.max_requests != 0 && line_.requests.get() >= settings_.max_requests &&
        exhausted_ != nullptr) {
        auto callback = std::exchange(exhausted_, nullptr);
        callback(exhausted_argument_);
    }
}

}  // namespace stampede::server
