// One request and its response on an HTTP/2 connection. Taken from the service's spare ones, owned
// by its session until both sides have ended it and its exchange let go. Loop thread; never parks.
#pragma once

#include "base/list.h"
#include "proto/http/message.h"
#include "server/exchange.h"
#include "server/http2/body.h"

namespace stampede::server {

class Http2Tunnel;

struct OpenNode : ListNode {};
struct ReadyNode : ListNode {};
struct LingeringNode : ListNode {};

// How much of a head has come, as it is counted against the limits.
struct HeadSize {
    uint32_t bytes = 0;
    uint32_t count = 0;
};

struct Http2Stream : OpenNode, ReadyNode, LingeringNode {
    int32_t id = 0;
    Exchange* exchange = nullptr;  // until its response is complete
    Http2Stream* next_spare = nullptr;

    // Request.
    HeadText::Line authority;  // as the field host
    HeadSize fields;
    HeadSize crumbs;  // of cookies
    int refusal = 0;  // status of a ready-made response; the application is not called
    Nanos began = 0;
    Nanos last_data = 0;
    uint64_t kept = 0;              // bytes of the body in memory
    uint64_t unread = 0;            // bytes of a streamed body whose window was not given back
    Http2Tunnel* tunnel = nullptr;  // of a CONNECT that asks for WebSocket
    // What a CONNECT asks for (":protocol").
    enum class Protocol : uint8_t { kNone, kWebSocket, kOther } protocol = Protocol::kNone;
    bool malformed = false;
    bool request_ended = false;

    // Response.
    Http2Body body;
    Buffer trailers;         // name NUL value NUL ...
    bool submitted = false;  // the head is on its way
    bool ended = false;      // nothing will be added to the body
    bool end_sent = false;   // a frame that ends the response has left
    bool deferred = false;   // the library waits for more of it
    bool closed = false;     // on the wire; only the exchange goes on
    bool bodiless = false;   // the head was all of it
    bool dismissed = false;  // response sent, and ended without waiting for the peer any longer
    uint64_t moved = 0;      // bytes of the body that left
    uint64_t moved_then = 0;
    Nanos then = 0;       // when it last moved well, or could have
    Nanos responded = 0;  // all of it has left, and the request goes on: what comes is dropped

    void reuse() {
        exchange = nullptr;
        authority = {};
        fields = crumbs = {};
        refusal = 0;
        kept = unread = 0;
        tunnel = nullptr;
        protocol = Protocol::kNone;
        malformed = request_ended = false;
        body.reuse();
        if (trailers.capacity() > 0) {
            trailers.release();
        }
        submitted = ended = end_sent = deferred = closed = bodiless = dismissed = false;
        moved = moved_then = 0;
        responded = 0;
    }
};

}  // namespace stampede::server
