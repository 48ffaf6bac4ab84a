// The service of one worker: what its connections, sessions and requests share, and the way to an
// end (drain). Owned by the worker's main function; loop thread; never parks.
#pragma once

#include <memory>

#include "net/hub.h"
#include "server/acceptor.h"
#include "server/access_log.h"
#include "server/admission.h"
#include "server/connection_table.h"
#include "server/datagram_ports.h"
#include "server/exchange_pool.h"
#include "server/host.h"
#include "server/http2/stream_pool.h"
#include "server/request_counts.h"
#include "server/request_id.h"
#include "server/room.h"
#include "server/settings.h"
#include "server/usual_fields.h"

namespace stampede::server {

class Http1Session;
class Http2Tunnel;

// What a service works with. All of it is the caller's and outlives the service.
struct ServiceParts {
    loop::Loop& loop;
    Handler& handler;
    Host& host;
    shm::Scoreboard& board;
    // Takes what stream and datagram ports bring. Null where there are none.
    StreamHandler* streams = nullptr;
    // Where all processes look for connections.
    shm::Presence* presence = nullptr;
    // Connections of each address, of all processes.
    shm::AddressCounts* addresses = nullptr;
    AccessLog* access_log = nullptr;
    metrics::HttpMetrics* metrics = nullptr;
};

// A connection that a listener has accepted.
struct Accepted {
    int fd;
    const os::Address& peer;
    uint32_t port_index;
    bool has_nodelay;
};

// One that another worker has given away.
struct Moved {
    os::Fd fd;
    uint64_t id;
    uint32_t port_index;
    Nanos opened_at;
    Nanos last_read_at;
};

class Service {
public:
    Service(const ServiceParts& parts, const ServiceSettings& settings);
    ~Service();
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;

    // The descriptor stays the caller's.
    Error add_listener(int fd, uint32_t port_index) { return acceptor_.add(fd, port_index); }
    // A datagram socket of the same kind.
    Error add_datagram_port(int fd, uint32_t port_index) {
        return datagrams_.add(fd, port_index, settings_.workers > 1);
    }

    // As Host::leave_connection_to() of another worker asks.
    void look_for_connections() { acceptor_.look(); }
    // A connection begins. Its number, 0 when it may not stay.
    int64_t take(const Accepted& accepted);
    // One whose transport is the caller's (memory); nothing is watched.
    net::Connection& adopt(std::unique_ptr<net::Transport> transport);
    // A stream of this connection becomes a connection of its own, which is not read yet.
    net::Connection& adopt(std::unique_ptr<Http2Tunnel> tunnel, const net::Connection& carrier);
    // A connection of another worker goes on here, with its number. What has been read of it is
    // the caller's to give to the session; null: the port speaks something else here.
    StreamSession* adopt_stream(Moved moved);
    Http1Session* adopt_http(Moved moved);
    // A connection of this worker goes on in another one: its descriptor. Nobody hears of an end.
    os::Fd release(net::Connection& connection);
    // The connection's PROXY header has come. False: it may not stay.
    bool let_in(net::Connection& connection);
    // Its session says that it is gone.
    void forget(net::Connection& connection);

    // Accepts nothing more, tells keep-alive peers to go with their next response.
    void drain();
    bool draining() const { return draining_; }
    // Responses are the last of their connections.
    bool ends_connections() const { return draining_ || board_.winding_down(); }
    Acceptor& acceptor() { return acceptor_; }

    // What sessions share.
    net::Hub& hub() { return hub_; }
    loop::Loop& loop() { return hub_.loop(); }
    Handler& handler() { return handler_; }
    StreamHandler& stream_handler() { return *stream_handler_; }
    Host& host() { return host_; }
    shm::WorkerLine& line() { return line_; }
    shm::Presence* presence() const { return presence_; }
    // The other processes see how much of a connection is unsent, and wait with more.
    void publish_unsent(const net::Connection& connection) const {
        if (presence_ != nullptr) {
            presence_->publish_unsent(settings_.worker, static_cast<int64_t>(connection.id()),
                                      connection.pending());
            presence_->set_crowded(settings_.worker, hub_.unsent().is_full());
        }
    }
    ConnectionTable& connections() { return connections_; }
    const ConnectionTable& connections() const { return connections_; }
    ExchangePool& exchanges() { return exchanges_; }
    Http2StreamPool& http2_streams() { return http2_streams_; }
    RequestCounts& requests() { return requests_; }
    UsualFields& fields() { return fields_; }
    Compression& compression() { return compression_; }
    Admission& admission() { return admission_; }
    Room& body_room() { return body_room_; }
    const PathRules& rules() const { return rules_; }
    RequestIds& request_ids() { return request_ids_; }

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

    // A line of the access log. exchange: null when there is no head; status 0: that of the
    // response.
    void log(const net::Connection& connection, Exchange* exchange, int status = 0) {
        if (access_log_ != nullptr && (exchange == nullptr || !exchange->unlogged)) {
            access_log_->write(*this, connection, exchange,
                               status != 0 ? status : exchange->response_status());
        }
    }
    // A request has come to its end, or was refused before it had an exchange (null).
    void count(const Exchange* exchange, uint8_t ending) {
        if (metrics_ != nullptr) [[unlikely]] {
            count_request(exchange, ending);
        }
    }
    // The server has made a response of its own with this status.
    void count_refusal(int status) {
        if (metrics_ != nullptr) {
            metrics_->refused(metrics::refusal_of(status));
        }
    }
    // Null: nobody counts.
    metrics::HttpMetrics* metrics() const { return metrics_; }
    // The access log goes before the service.
    void stop_logging() { access_log_ = nullptr; }

private:
    Speaker speaker_for(net::Connection& connection);
    std::unique_ptr<net::Connection> revive(Moved& moved);
    void go_on(std::unique_ptr<net::Connection> connection, Speaker speaker);
    net::Connection& begin(std::unique_ptr<net::Connection> connection, Speaker speaker);
    bool make_transport(net::Connection& connection);
    void refuse(std::unique_ptr<net::Connection> connection);
    void count_request(const Exchange* exchange, uint8_t ending);

    net::Hub hub_;
    Handler& handler_;
    Host& host_;
    StreamHandler* stream_handler_;
    shm::Scoreboard& board_;
    shm::WorkerLine& line_;
    shm::Presence* presence_;
    AccessLog* access_log_;
    metrics::HttpMetrics* metrics_;
    ServiceSettings settings_;
    UsualFields fields_;
    Compression compression_;
    PathRules rules_;
    RequestIds request_ids_;
    Admission admission_;
    Room body_room_;
    DatagramPorts datagrams_;
    ConnectionTable connections_;
    Acceptor acceptor_;
    RequestCounts requests_;
    ExchangePool exchanges_;
    Http2StreamPool http2_streams_;
    bool draining_ = false;
};

}  // namespace stampede::server
