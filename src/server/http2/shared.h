// What the intake, the responses and the deadlines of one HTTP/2 session share. Each part knows
// only those above it, so that no two of them call each other in circles. They are destroyed from
// below: the streams take their pointers back from the protocol, which is the wire's and goes last.
// Owned by its session; loop thread; never parks.
#pragma once

#include "server/http2/body_memory.h"
#include "server/http2/frame_check.h"
#include "server/http2/lingering.h"
#include "server/http2/queue.h"
#include "server/http2/streams.h"
#include "server/http2/wire.h"

namespace stampede::server {

struct Http2Shared {
    Http2Wire wire;
    Http2FrameCheck frames;
    Http2Streams streams;
    Http2Lingering lingering;
    Http2BodyMemory bodies;
    Http2Queue queue;

    // session: what the exchanges respond through.
    Http2Shared(HttpSession& session, Service& service, net::Connection& connection)
        : wire(service, connection),
          frames(wire),
          streams(session, wire),
          lingering(wire, streams, frames.guard()),
          bodies(wire, streams),
          queue(wire) {}
};

}  // namespace stampede::server
