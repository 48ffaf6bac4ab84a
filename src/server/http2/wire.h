// nghttp2's session of one connection, and whether it has something to write: it takes bytes, makes
// frames as the connection takes them, and ends. The other parts of an Http2Session act on the peer
// through it. Owned by its session, the first part made and the last one destroyed; loop thread;
// never parks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/clock.h"
#include "net/connection.h"

struct nghttp2_session;

namespace stampede::server {

class Exchange;
class Service;
struct HttpLimits;
struct Http2Settings;
struct Http2Stream;

class Http2Wire {
public:
    static constexpr size_t kPingBytes = 8;

    Http2Wire(Service& service, net::Connection& connection);
    ~Http2Wire();
    Http2Wire(const Http2Wire&) = delete;
    Http2Wire& operator=(const Http2Wire&) = delete;

    // First of all; `user` is what the library's callbacks are given. False: it cannot begin.
    bool start(void* user);
    // The same for a request that came by HTTP/1 and goes on as stream 1. False also when the
    // settings that came with it are wrong.
    bool start_upgraded(void* user, const Exchange& exchange, std::string_view settings_payload,
                        Http2Stream& stream);

    Service& service() { return service_; }
    net::Connection& connection() { return connection_; }
    nghttp2_session* native() const { return native_; }
    const Http2Settings& settings() const;
    const HttpLimits& limits() const;
    const net::ConnectionTimes& times() const;
    Nanos now() const;  // when the loop's iteration began

    // Bytes of the peer. False: the connection ends.
    bool take(std::string_view bytes);
    // Makes frames of what is there while the connection is not full(). True when there are some.
    bool fill();
    // So many bytes wait for the socket that no more frames are made.
    bool full() const { return connection_.pending() >= kFillTo; }
    // The library may have something to write.
    bool stale() const { return stale_; }
    void set_stale() { stale_ = true; }
    void touch() {
        stale_ = true;
        connection_.mark_dirty();
    }
    bool greeted() const { return greeted_; }

    // Nothing is read or written any more.
    bool over() const { return over_; }
    void set_over() { over_ = true; }
    // The library has said all it had to say.
    bool spent() const;
    // The connection ends with the next frame.
    void end(uint32_t error);

    // The library knows the stream by its number, and with it ours.
    bool knows(int32_t id) const;
    void forget(const Http2Stream& stream);
    // RST_STREAM for a number, or for a stream whose response is dropped.
    void reset(int32_t id, uint32_t error);
    void reset(Http2Stream& stream, uint32_t error);
    // There is more in the stream's body, or its end.
    void more_to_send(Http2Stream& stream);
    // The peer's windows have no room for the stream's body.
    bool waits_for_window(const Http2Stream& stream) const;
    // Window that was used up, for the peer to send on.
    void give_window(const Http2Stream& stream, uint64_t bytes);
    void give_window(uint64_t bytes);

    // The first GOAWAY lets the requests come that are on their way, the second names the last one
    // that gets a response.
    void announce_goaway();
    bool goaway(uint32_t error, std::string_view text);
    // At most kPingBytes.
    bool ping(std::string_view payload);

private:
    static constexpr uint64_t kFillTo = 128 * 1024;  // frames made ahead of the socket

    bool make_native(void* user);
    bool submit_settings();

    Service& service_;
    net::Connection& connection_;
    nghttp2_session* native_ = nullptr;
    bool stale_ = true;
    bool greeted_ = false;  // the first frame, our settings, has left
    bool over_ = false;
};

}  // namespace stampede::server
