// The streams of one connection that have not ended, the oldest first, with the exchanges that they
// carry and the bytes of bodies that they keep. Owned by its session; loop thread; never parks.
// Sets the connection's deadline when the first stream begins and when the last one has gone; in
// between it is with Http2Deadlines.
#pragma once

#include <cstdint>

#include "server/http2/stream.h"

namespace stampede::server {

class HttpSession;
class Http2Wire;

class Http2Streams {
public:
    // session: what the exchanges respond through.
    Http2Streams(HttpSession& session, Http2Wire& wire);
    ~Http2Streams() { remove_all(); }
    Http2Streams(const Http2Streams&) = delete;
    Http2Streams& operator=(const Http2Streams&) = delete;

    // A stream begins, with an exchange of its own; or, attached already, with one that has come.
    void open(int32_t id);
    void adopt(Http2Stream& stream, Exchange& exchange);

    Http2Stream* oldest() { return open_.front(); }
    Http2Stream* after(Http2Stream& stream) { return open_.after(stream); }
    uint32_t count() const { return count_; }
    // Of these, without those that were dismissed.
    uint32_t staying() const { return count_ - leaving_; }
    // Ended here without waiting for the peer any longer.
    void dismiss(Http2Stream& stream) {
        stream.dismissed = true;
        leaving_++;
    }

    // So many bytes of the stream's body are in memory now; those of all streams.
    void count_body(Http2Stream& stream, uint64_t size) {
        body_bytes_ = body_bytes_ - stream.request.kept + size;
        stream.request.kept = size;
    }
    uint64_t body_bytes() const { return body_bytes_; }

    // The exchange has its end; the stream may still have something to send.
    void part(Http2Stream& stream, Parting how);
    // The exchange goes on without its stream: its holders then have no peer to respond to.
    void lose_exchange(Http2Stream& stream);
    // The stream has ended on both sides and has no exchange any more. A tunnel loses its stream.
    // The reference is dead afterwards: the next stream of any connection may get the object.
    void remove(Http2Stream& stream);
    // The connection has ended.
    void lose_all();

    // Without a stream.
    Nanos idle_since() const { return idle_since_; }
    // How often streams are looked at.
    Nanos check_period() const;

private:
    void remove_all();

    HttpSession& session_;
    Http2Wire& wire_;
    List<Http2Stream, OpenNode> open_;
    uint32_t count_ = 0;
    uint32_t leaving_ = 0;
    uint64_t body_bytes_ = 0;
    Nanos idle_since_ = 0;
};

}  // namespace stampede::server
