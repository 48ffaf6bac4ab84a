// How a client gets its connection: names, several addresses, proxies, a local address, TLS. The
// plan is a member of the client that was configured. PHP thread; dial() parks.
#pragma once

#include <string>

#include "client/origin.h"
#include "io/proxy.h"
#include "io/ssl_options.h"
#include "io/stream.h"

namespace stampede::classes::client {

// Times from now on, kNever for no limit.
struct Times {
    Nanos connect = 10 * kSecond;
    Nanos read = 60 * kSecond;
    Nanos write = 60 * kSecond;
};
// What Coroutine::set() says (socket_connect_timeout and so on), else the defaults above.
Times usual_times();
// A number of seconds of the API: 0 and less is no limit.
Nanos time_setting(zval* value);

enum class Tunnel : uint8_t { kNever, kWithTls, kAlways };

struct DialPlan {
    std::string host;
    uint16_t port = 0;
    bool tls = false;
    io::ProxySettings proxy;
    // Whether an HTTP proxy is asked to let bytes through (CONNECT); plain HTTP/1 needs that not.
    Tunnel tunnel = Tunnel::kWithTls;
    std::string bind_address;
    uint16_t bind_port = 0;
    io::SslSettings ssl;

    bool tunnels() const {
        return proxy.kind == io::ProxyKind::kSocks5 ||
               (proxy.kind == io::ProxyKind::kHttp &&
                (tunnel == Tunnel::kAlways || (tunnel == Tunnel::kWithTls && tls)));
    }
    // The proxy itself is asked for what the server has.
    bool asks_proxy() const { return proxy.kind == io::ProxyKind::kHttp && !tunnels(); }
};

// What the plan leads to.
inline stampede::client::Origin origin_of(const DialPlan& plan) {
    return {plan.host, plan.port,
            plan.tls ? stampede::client::Scheme::kHttps : stampede::client::Scheme::kHttp};
}

// Reads the keys of proxies, the local address and ssl_*.
void read_dial_settings(HashTable* settings, DialPlan& plan);

// Throws one of the API's exceptions that are written in PHP, with SWOOLE_ERROR_INVALID_PARAMS.
void throw_client_exception(std::string_view class_name, const char* text);

struct DialFailure {
    int code = 0;  // errno or SWOOLE_ERROR_*
    std::string text;
};

// Leaves the stream closed when it fails.
bool dial(io::Stream& stream, const DialPlan& plan, Nanos deadline, DialFailure& failure);

}  // namespace stampede::classes::client
