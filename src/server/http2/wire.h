// The protocol's session of one connection, and whether it has something to write: it takes bytes,
// makes frames as the connection takes them, and ends. The other parts of an Http2Session act on
// the peer through it. Owned by its session, the first part made and the last one destroyed; loop
// thread; never parks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/clock.h"
#include "net/connection.h"
#include "proto/http2/session.h"
#include "server/http2/stream.h"

namespace stampede::server {

class Exchange;
class Service;
struct HttpLimits;
struct Http2Settings;

class Http2Wire {
public:
    Http2Wire(Service& service, net::Connection& connection);
    Http2Wire(const Http2Wire&) = delete;
    Http2Wire& operator=(const Http2Wire&) = delete;

    // First of all, one of them. False: it cannot begin.
    bool start(proto::http2::Events& events);
    // For a request that came by HTTP/1 and goes on as stream 1. False also when the settings that
    // came with it are wrong.
    bool start_upgraded(proto::http2::Events& events, const proto::http2::Upgrade& upgrade);

    Service& service() { return service_; }
    net::Connection& connection() { return connection_; }
    proto::http2::Session& protocol() { return *protocol_; }
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
    // There may be frames to make. Submitting only queues a frame: what is submitted outside
    // of reading and filling needs a touch(), or it waits until something else is written. While
    // bytes are read on_bytes() does that, and fill() goes on until the protocol has no more.
    bool stale() const { return stale_; }
    void set_stale() { stale_ = true; }
    void touch() {
        stale_ = true;
        connection_.mark_dirty();
    }
    // The first frame, our settings, has left.
    bool greeted() const { return protocol_->greeted(); }

    // Nothing is read or written any more. The protocol still stands, since it may be on the stack.
    bool over() const { return over_; }
    void set_over() { over_ = true; }
    // All was said that there was to say.
    bool spent() const { return protocol_->finished(); }
    // The connection ends with the next frame.
    void end(proto::http2::ErrorCode error);

    // The protocol has the stream of that number, and with it ours.
    bool knows(int32_t id) const { return protocol_->has(id); }
    void forget(const Http2Stream& stream) { protocol_->detach(stream); }
    // RST_STREAM for a number, or for a stream whose response is dropped.
    void reset(int32_t id, proto::http2::ErrorCode error) { protocol_->reset(id, error); }
    void reset(Http2Stream& stream, proto::http2::ErrorCode error);
    // There is more in the stream's body, or its end. Without this call the protocol, which found
    // nothing before, does not ask again, and the response stands still.
    void more_to_send(Http2Stream& stream) {
        protocol_->resume(stream);
        touch();
    }
    // The peer's windows have no room for the stream's body.
    bool waits_for_window(const Http2Stream& stream) const {
        return protocol_->waits_for_window(stream);
    }
    // Window that was used up, for the peer to send on: of a stream, or of the connection. Each
    // byte of a body takes from both and is given back to each of them once; see
    // Http2Intake::take_data.
    void give_window(const Http2Stream& stream, uint64_t bytes) {
        protocol_->give_window(stream, bytes);
    }
    void give_window(uint64_t bytes) { protocol_->give_window(bytes); }

    // The first GOAWAY lets the requests come that are on their way, the second names the last one
    // that gets a response.
    void announce_goaway();
    bool goaway(proto::http2::ErrorCode error, std::string_view text);
    // At most proto::http2::Session::kPingBytes.
    bool ping(std::string_view payload);

private:
    // Frames made ahead of the socket: a few writes of a fast peer. For a peer that does not read
    // no more are made than these; the bodies stay in their streams.
    static constexpr uint64_t kFillTo = 128 * 1024;

    proto::http2::Options options() const;

    Service& service_;
    net::Connection& connection_;
    std::unique_ptr<proto::http2::Session> protocol_;  // null until it has started
    bool stale_ = true;
    bool over_ = false;
};

}  // namespace stampede::server
