// The HTTP service of one worker: listeners, connections, the pool of exchanges, counters and the
// way to an end (drain). Owned by the worker's main function; loop thread; never parks.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "net/hub.h"
#include "server/access_log.h"
#include "server/admission.h"
#include "server/datagram_ports.h"
#include "server/exchange.h"
#include "server/http1/session.h"
#include "server/settings.h"
#include "shm/presence.h"
#include "shm/scoreboard.h"

namespace stampede::server {

class Http2Tunnel;
struct Http2Stream;

class Service {
public:
    Service(loop::Loop& loop, Handler& handler, shm::Scoreboard& board,
            const ServiceSettings& settings);
    ~Service();
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;

    // Gives an accepted connection its transport (TLS), or leaves it plain; false: it is given up.
    // Before the first listener.
    using TransportMaker = bool (*)(void* argument, net::Connection& connection);
    void set_transport_maker(TransportMaker maker, void* argument) {
        transport_maker_ = maker;
        transport_argument_ = argument;
    }

    // The descriptor stays the caller's.
    Error add_listener(int fd, uint32_t port_index);
    // A datagram socket of the same kind.
    Error add_datagram_port(int fd, uint32_t port_index) {
        return datagrams_.add(fd, port_index, settings_.workers > 1);
    }
    // Takes what stream and datagram ports bring. Before the first of them; outlives the service.
    void set_stream_handler(StreamHandler* handler) {
        streams_ = handler;
        datagrams_.set_handler(handler);
    }
    StreamHandler* streams() const { return streams_; }
    // Null: there is no such connection, or its port speaks something else.
    StreamSession* find_stream(int64_t id);
    // Takes over a connection whose transport is the caller's (memory); nothing is watched.
    net::Connection* adopt(std::unique_ptr<net::Transport> transport);
    // A stream of this connection becomes a connection of its own, which is not read yet.
    net::Connection* adopt(std::unique_ptr<Http2Tunnel> tunnel, const net::Connection& carrier);
    bool full() const { return connections_.size() >= settings_.max_connections; }

    net::Connection* find(int64_t id);
    template <typename Visit>
    void each_connection(Visit&& visit) {
        for (auto& entry : connections_) {
            visit(*entry.second);
        }
    }
    size_t connection_count() const { return connections_.size(); }
    // Exchanges that somebody still holds: the service must stay until there are none.
    size_t exchanges_in_use() const { return exchanges_in_use_; }

    // Accepts nothing more, tells keep-alive peers to go with their next response.
    void drain();
    // kTold: those that heard of it, or that are told so while they close. The others may send a
    // request at any moment, and are closed by its response.
    enum class Idle : uint8_t { kTold, kAll };
    void close_idle(Idle which = Idle::kAll);
    void close_all(net::CloseCause cause);
    bool draining() const { return draining_; }
    // Where all processes look for connections. Before the first listener.
    void set_presence(shm::Presence* presence) { presence_ = presence; }
    shm::Presence* presence() const { return presence_; }
    // For connections of each address. Before the first listener.
    void set_address_counts(shm::AddressCounts* counts) { admission_.set_counts(counts); }
    // Null: no log. Before the first listener; the caller's, and outlives the service.
    void set_access_log(AccessLog* log) { access_log_ = log; }
    // Called once when the worker should be replaced (max_requests).
    void set_exhausted(void (*callback)(void*), void* argument) {
        exhausted_ = callback;
        exhausted_argument_ = argument;
    }

    net::Hub& hub() { return hub_; }
    loop::Loop& loop() { return hub_.loop(); }
    Handler& handler() { return handler_; }
    const ServiceSettings& settings() const { return settings_; }
    // Those of the connection's port.
    const HttpLimits& limits(const net::Connection& connection) const {
        const auto& own = settings_.port(connection.port_index).limits;
        return own ? *own : settings_.limits;
    }
    const WebSocketSettings& websocket(const net::Connection& connection) const {
        const auto& own = settings_.port(connection.port_index).websocket;
        return own ? *own : settings_.websocket;
    }
    shm::WorkerLine& line() { return line_; }
    shm::Scoreboard& board() { return board_; }
    // "Sun, 06 Nov 1994 08:49:37 GMT", made once a second.
    std::string_view date() {
        if (loop().iteration_time() >= date_until_) {
            renew_date();
        }
        return {usual_fields_ + kDateOffset, proto::http::kDateLength};
    }
    // "Server: ...\r\nDate: ...\r\nConnection: keep-alive\r\n", and the same with close.
    std::string_view usual_fields() {
        (void)date();
        return {usual_fields_, sizeof(kUsualFields) - 1};
    }
    std::string_view closing_fields() {
        (void)date();
        return {closing_fields_, sizeof(kClosingFields) - 1};
    }

    Compression& compression() { return compression_; }

    // For sessions.
    Exchange& acquire();
    Http2Stream& acquire_stream();
    void recycle_stream(Http2Stream& stream);
    void recycle(Exchange& exchange);
    void request_started(Exchange& exchange);
    void request_ended(Exchange& exchange);
    // The same of a call that is no request.
    void call_started();
    void call_ended(int64_t connection);  // 0: of no connection
    bool over_concurrency();
    // A line of the access log. exchange: null when there is no head; status 0: that of the
    // response.
    void log(const net::Connection& connection, const Exchange* exchange, int status = 0) {
        if (access_log_ != nullptr) {
            access_log_->write(*this, connection, exchange,
                               status != 0 ? status : exchange->response_status());
        }
    }
    Admission& admission() { return admission_; }
    // The connection's PROXY header has come. False: it may not stay.
    bool let_in(net::Connection& connection);
    void refused_gone() { refused_open_--; }
    void forget(net::Connection& connection);

private:
    struct Listener : loop::Watch {
        Service* service;
        uint32_t port_index;
        bool watched;
        bool forced;   // the next accept does not ask which worker has fewer
        bool nodelay;  // its connections inherit it
    };
    struct AcceptTimer : loop::Timer {
        Service* service;
    };

    void accept_some(Listener& listener);
    bool sibling_is_free() const;
    bool leave_to_others() const;
    void stop_accepting(Nanos retry_after);
    void start_accepting(bool forced);
    void has_served(int64_t connection);
    bool accept_failed(const Error& error);
    void reclaim_idle();
    void renew_date();
    net::Connection* adopt(int fd, const os::Address& peer, const Listener& listener);
    std::unique_ptr<net::Session> session_for(net::Connection& connection);
    net::Connection* add(std::unique_ptr<net::Connection> connection);
    int64_t next_id();
    static void configure(int fd, const SocketSettings& settings, bool has_nodelay);
    void count_ended();
    void refuse(std::unique_ptr<net::Connection> connection);
    bool make_transport(net::Connection& connection);

    static constexpr int kAcceptBurst = 8;
    static constexpr size_t kSpareExchanges = 256;
    static constexpr size_t kMostRefused = 64;  // that are told why; further ones are just closed

    net::Hub hub_;
    Handler& handler_;
    shm::Scoreboard& board_;
    ServiceSettings settings_;
    Compression compression_;
    Admission admission_;
    DatagramPorts datagrams_;
    StreamHandler* streams_ = nullptr;
    AccessLog* access_log_ = nullptr;
    size_t refused_open_ = 0;
    shm::WorkerLine& line_;
    shm::InFlightList in_flight_;
    std::vector<std::unique_ptr<Listener>> listeners_;
    std::unordered_map<int64_t, net::Connection*> connections_;
    AcceptTimer accept_timer_;
    int64_t awaited_ = 0;  // accepting goes on when this connection's first request has ended
    Exchange* free_exchanges_ = nullptr;
    size_t free_count_ = 0;
    size_t exchanges_in_use_ = 0;
    Http2Stream* spare_streams_ = nullptr;
    size_t spare_stream_count_ = 0;
    TransportMaker transport_maker_ = nullptr;
    void* transport_argument_ = nullptr;
    shm::Presence* presence_ = nullptr;
    bool draining_ = false;
    void (*exhausted_)(void*) = nullptr;
    void* exhausted_argument_ = nullptr;
    Nanos date_until_ = 0;
    static constexpr char kUsualFields[] =
        "Server: stampede\r\nDate: .............................\r\nConnection: keep-alive\r\n";
    static constexpr char kClosingFields[] =
        "Server: stampede\r\nDate: .............................\r\nConnection: close\r\n";
    static constexpr size_t kDateOffset = sizeof("Server: stampede\r\nDate: ") - 1;
    char usual_fields_[sizeof(kUsualFields)];
    char closing_fields_[sizeof(kClosingFields)];
};

}  // namespace stampede::server
