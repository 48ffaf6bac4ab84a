// Streams whose response has left while their request goes on: the peer gets time to stop sending
// by itself, then the stream is reset. Owned by its session; loop thread; never parks.
#pragma once

#include "server/http2/stream.h"

namespace stampede::server {

class Http2Guard;
class Http2Streams;
class Http2Wire;

class Http2Lingering {
public:
    Http2Lingering(Http2Wire& wire, Http2Streams& streams, Http2Guard& guard)
        : wire_(wire), streams_(streams), guard_(guard) {}

    // The response has left.
    void add(Http2Stream& stream);
    void keep_places_free();
    // Resets those whose time is over.
    void check(Nanos now);
    // When the first of them is over; never when there is none.
    Nanos first_end();

private:
    Nanos end_of(const Http2Stream& stream) const;
    void dismiss(Http2Stream& stream);

    Http2Wire& wire_;
    Http2Streams& streams_;
    Http2Guard& guard_;
    List<Http2Stream, LingeringNode> waiting_;  // the oldest response first
};

}  // namespace stampede::server
