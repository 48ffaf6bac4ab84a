// Requests of an HTTP/2 connection as they come: opens streams, fills their heads and bodies, and
// queues those that can be handled. It runs inside of the protocol, while that reads: the queue
// calls the handlers afterwards. Owned by its session; loop thread; never parks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "proto/http2/events.h"

namespace stampede::server {

class Exchange;
class Http2Session;
struct Http2Shared;
struct Http2Stream;

class Http2Intake {
public:
    // session: what the exchanges respond through.
    Http2Intake(Http2Session& session, Http2Shared& shared) : session_(session), shared_(shared) {}

    // The protocol says: a request begins, a field of it, the end of a head, bytes of a body, the
    // end of their frame. stream: null when it is none of ours.
    void begin_head(int32_t id);
    proto::http2::FieldVerdict take_field(Http2Stream& stream, proto::http2::HeadKind kind,
                                          const proto::http2::Field& field);
    void end_head(Http2Stream* stream, proto::http2::HeadKind kind,
                  const proto::http2::FrameHead& head);
    void take_data(Http2Stream* stream, std::string_view bytes);
    void end_data(Http2Stream* stream, const proto::http2::FrameHead& head);

    // The whole request has come.
    void request_complete(Http2Stream& stream);
    // Nothing more of the request is kept, its response is a ready-made one.
    void refuse(Http2Stream& stream, int status);
    // A streamed body was read, or is waited for: a stream whose reader lags gets no more window,
    // the others go on.
    void body_wanted(Exchange& exchange);

private:
    bool goes_on(Http2Stream* stream, const proto::http2::FrameHead& head);
    void settle(Http2Stream& stream, const proto::http2::FrameHead& head);
    void head_complete(Http2Stream& stream);
    void begin_body(Http2Stream& stream);
    void take_body(Http2Stream& stream, std::string_view bytes);
    void offer_continue(Http2Stream& stream);
    void open_tunnel(Http2Stream& stream);

    Http2Session& session_;
    Http2Shared& shared_;
};

}  // namespace stampede::server
