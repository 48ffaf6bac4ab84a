// The limits and times of an HTTP service, with their documented defaults. Plain values, filled by
// the edge that reads the user's settings, constant while a service runs. Any thread, never parks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "net/connection.h"
#include "os/socket.h"
#include "proto/http/limits.h"
#include "proto/proxy/address.h"
#include "proto/proxy/forwarded.h"
#include "server/compression.h"
#include "server/path_rules.h"
#include "server/stream.h"

namespace stampede::server {

struct HttpLimits {
    proto::http::Limits head;
    uint64_t body_bytes = 2u << 20;   // package_max_length: 413
    bool decode_bodies = false;       // compressed ones: 415 for what is not known
    uint64_t pending_out = 4u << 20;  // unread responses above this: no further request is taken
    uint32_t pending_files = 64;      // files of unread responses: no further request is taken
    uint32_t pending_in = 64 * 1024;  // pipelined bytes kept while a request is handled
    uint32_t requests_per_iteration = 64;   // of one connection, before others are served
    Nanos header_time = 10 * kSecond;       // from the first byte of a head to its end
    Nanos body_gap = 10 * kSecond;          // between two reads of a body
    Nanos body_rate_after = 10 * kSecond;   // from then on a body must keep ...
    uint64_t body_rate = 500;               // ... this many bytes a second
    Nanos idle_time = 30 * kSecond;         // of a keep-alive connection between requests
    uint32_t max_concurrency = UINT32_MAX;  // requests handled at once by the whole server: 503
};

struct SocketSettings {
    bool nodelay = true;
    bool keepalive = false;
    os::KeepaliveOptions keepalive_times{3600, 60, 5};
    int user_timeout_ms = 0;
};

struct Http2Settings {
    uint32_t header_table_size = 4096;
    uint32_t max_concurrent_streams = 128;  // further ones: REFUSED_STREAM
    uint32_t initial_window_size = 1u << 20;
    uint32_t max_frame_size = 16384;
    uint32_t max_header_list_size = 64 * 1024;  // 431, counted as RFC 9113 6.5.2 does
    uint32_t max_header_fields = 200;           // 431
    // Request bodies of one connection in memory; above it the peer waits, and what cannot be
    // waited for is refused. More than one whole body.
    uint64_t body_memory = 16u << 20;
    std::vector<bool> ports;  // by index: which speak it

    bool offered_on(uint32_t port) const { return port < ports.size() && ports[port]; }
};

struct ProxySettings {
    std::vector<bool> header_ports;      // by index: their connections begin with a PROXY header
    proto::proxy::TrustedPeers trusted;  // whose headers and fields are believed
    proto::proxy::ForwardedStyle style = proto::proxy::ForwardedStyle::kXForwarded;

    bool has_header(uint32_t port) const {
        return port < header_ports.size() && header_ports[port];
    }
};

struct WebSocketSettings {
    uint64_t message_bytes = 2u << 20;  // package_max_length: close 1009
    bool compression = false;
    size_t compression_memory = 16u << 20;  // of all connections of the process
    uint64_t room = 8u << 20;               // unsent bytes from which a sender has to wait
    Nanos message_time = 0;                 // from the first byte of a message to its last; 0: any
    Nanos heartbeat = 0;  // a peer that is silent for so long is cut off, after a ping; 0: never
    bool show_pings = false;  // to the application, which then replies to them
    bool show_pongs = false;
};

// What differs from port to port.
struct PortSettings {
    std::optional<HttpLimits> limits;  // none: the service's
    std::optional<WebSocketSettings> websocket;
    SocketSettings socket;
    StreamRules stream;
    bool dispatched = false;  // the host says which worker handles a request
    net::ConnectionTimes times;
};

struct ServiceSettings {
    HttpLimits limits;
    Http2Settings http2;
    WebSocketSettings websocket;
    ProxySettings proxies;
    CompressionSettings compression;
    net::ConnectionTimes times;
    PathRuleSettings rules;
    std::vector<PortSettings> ports;     // by index; the last one counts for further ports
    uint32_t max_connections = 100000;   // of this worker; further ones wait in the kernel's queue
    uint32_t max_per_address = 0;        // connections, of all workers; 0 = any number
    std::vector<bool> tls_ports;         // by index
    uint64_t output_bytes = UINT32_MAX;  // of a body that is sent at once
    uint64_t unsent_memory = 0;          // of what senders leave to slow peers; 0: any
    uint64_t body_memory = UINT64_MAX;   // of all requests and messages that are not yet whole: 503
    uint64_t max_requests = 0;           // after this many the worker drains; 0 = never
    uint32_t worker = 0;                 // own line of the scoreboard
    uint32_t workers = 1;                // that share the listeners

    ServiceSettings() : ports(1) {}
    const PortSettings& port(uint32_t index) const {
        return ports[index < ports.size() ? index : ports.size() - 1];
    }
};

}  // namespace stampede::server
