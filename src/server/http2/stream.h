// One request and its response on an HTTP/2 connection. Taken from the service's spare ones, owned
// by its session until both sides have ended it and its exchange let go. Loop thread; never parks.
//
//   begins    Http2Streams::open()
//   request   head, body, `ended`; or `refusal`: the response is ready-made, no handler is called
//   response  `submitted` (the head) -> `ended` (nothing is added) -> `end_sent` (all has left)
//   closed    on the wire: both directions have ended, or one side has reset it
//   removed   when it is closed and has no exchange any more, whichever is later
//
// `closed` says that the protocol has no pointer to it any more, a null `exchange` that no handler
// has. When it is removed it goes back to the spare ones and may serve another connection at once:
// no pointer to it may be left then.
#pragma once

#include "base/list.h"
#include "proto/http2/events.h"
#include "server/exchange.h"
#include "server/http2/body.h"
#include "server/http2/request_head.h"

namespace stampede::server {

class Http2Tunnel;

struct OpenNode : ListNode {};
struct ReadyNode : ListNode {};
struct LingeringNode : ListNode {};

struct Http2Stream : proto::http2::Stream, OpenNode, ReadyNode, LingeringNode {
    // What was received.
    struct Request {
        Http2RequestHead head;
        int refusal = 0;  // status of a ready-made response; the application is not called
        Nanos began = 0;
        Nanos last_data = 0;  // 0: the head is not complete
        uint64_t kept = 0;    // bytes of the body in memory
        uint64_t unread = 0;  // bytes of a streamed body whose window was not given back
        bool ended = false;
    };

    // What is sent, and how far that is.
    struct Response {
        Http2Body body;
        Buffer trailers;         // name NUL value NUL ...
        bool submitted = false;  // the head is on its way
        bool ended = false;      // nothing will be added to the body
        bool end_sent = false;   // a frame that ends the response has left
        bool bodiless = false;   // the head was all of it
        uint64_t moved = 0;      // bytes of the body that left
        uint64_t moved_then = 0;
        Nanos progressed = 0;  // when it last moved well, or could have; moved_then had left
        Nanos responded = 0;   // all of it has left, and the request goes on: what comes is dropped

        void reuse() {
            body.reuse();
            if (trailers.capacity() > 0) {
                trailers.release();
            }
            submitted = ended = end_sent = bodiless = false;
            moved = moved_then = 0;
            responded = 0;
        }
    };

    Exchange* exchange = nullptr;   // until its response is complete
    Http2Tunnel* tunnel = nullptr;  // of a CONNECT that asks for WebSocket
    Request request;
    Response response;
    bool closed = false;     // on the wire; only the exchange goes on
    bool dismissed = false;  // response sent, and ended without waiting for the peer any longer
    Http2Stream* next_spare = nullptr;

    void begin(Nanos now) {
        request.began = response.progressed = now;
        request.last_data = 0;
    }
    // Everything but the lists, which it has left, and what the protocol sets when it is attached.
    void reuse() {
        exchange = nullptr;
        tunnel = nullptr;
        request = {};
        response.reuse();
        closed = dismissed = false;
    }
};

}  // namespace stampede::server
