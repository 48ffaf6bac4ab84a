// The limits and times of an HTTP service, with their documented defaults. Plain values, filled by
// the edge that reads the user's settings, constant while a service runs. Any thread, never parks.
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "net/connection.h"
#include "os/socket.h"
#include "proto/http1/limits.h"

namespace stampede::server {

struct HttpLimits {
    proto::http1::Limits head;
    uint64_t body_bytes = 2u << 20;        // package_max_length: 413
    uint64_t pending_out = 4u << 20;       // unread answers above this: no further request is taken
    uint32_t pending_files = 64;           // files of unread answers: no further request is taken
    uint32_t pending_in = 64 * 1024;       // pipelined bytes kept while a request is handled
    uint32_t requests_per_turn = 64;       // of one connection, before others get the turn
    Nanos header_time = 10 * kSecond;      // from the first byte of a head to its end
    Nanos body_gap = 10 * kSecond;         // between two reads of a body
    Nanos body_rate_after = 10 * kSecond;  // from then on a body must keep ...
    uint64_t body_rate = 500;              // ... this many bytes a second
    Nanos idle_time = 30 * kSecond;        // of a keep-alive connection between requests
    uint32_t max_concurrency = UINT32_MAX;  // requests handled at once by the whole server: 503
    uint32_t worker_max_concurrency = UINT32_MAX;
};

struct SocketSettings {
    bool nodelay = true;
    bool keepalive = false;
    os::KeepaliveOptions keepalive_times{3600, 60, 5};
    int user_timeout_ms = 0;
};

struct WebSocketSettings {
    uint64_t message_bytes = 2u << 20;  // package_max_length: close 1009
    bool compression = false;
    bool show_pings = false;  // to the application, which then answers them
    bool show_pongs = false;
};

struct ServiceSettings {
    HttpLimits limits;
    WebSocketSettings websocket;
    net::ConnectionTimes times;
    SocketSettings socket;
    uint32_t max_connections = 100000;  // of this worker; further ones wait in the kernel's queue
    uint64_t max_requests = 0;          // after this many the worker drains; 0 = never
    uint32_t worker = 0;                // own line of the scoreboard
    uint32_t workers = 1;               // that share the listeners
};

}  // namespace stampede::server
