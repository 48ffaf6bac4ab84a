// Responses of an HTTP/2 connection: heads go to the protocol, bodies wait in their streams and
// become frames when the connection takes them; and how a stream and its exchange part in the end.
// What a handler may do with its exchange is checked there (Exchange). Two sides call it:
// exchanges, in the ready phase, and the protocol, while frames are made. Owned by its session;
// loop thread; never parks.
#pragma once

#include <cstdint>

#include "proto/http2/events.h"
#include "proto/http2/fields.h"
#include "server/exchange.h"

namespace stampede::server {

struct Http2Shared;
struct Http2Stream;

class Http2Responses {
public:
    explicit Http2Responses(Http2Shared& shared) : shared_(shared) {}

    // As in HttpSession.
    void write_head(Exchange& exchange, const ResponseHead& head, uint64_t body_length);
    void write_hints(Exchange& exchange, const FieldRef* fields, uint32_t count);
    void write_body(Exchange& exchange, std::string_view bytes);
    void write_body_ref(Exchange& exchange, const net::BytesRef& bytes);
    void write_file(Exchange& exchange, const net::FileRange& file);
    void write_trailers(Exchange& exchange, const FieldRef* fields, uint32_t count);
    void finish(Exchange& exchange);
    void abort(Exchange& exchange);
    bool upgrade(Exchange& exchange, FieldList fields, std::unique_ptr<net::Session> next);

    // The protocol wants to make a frame of the body: how much of it there may be, or why none.
    proto::http2::DataOffer offer_frame(Http2Stream& stream, size_t most);
    // It is to leave. False: the stream cannot go on.
    bool send_frame(Http2Stream& stream, std::string_view head, size_t size);
    // A frame that ends the response has left.
    void end_sent(Http2Stream& stream);
    // The stream has ended on the wire.
    void stream_closed(Http2Stream& stream, proto::http2::ErrorCode error);

private:
    static constexpr uint64_t kWakeBelow = 512 * 1024;

    void take_back_frame(size_t mark, uint64_t referenced);
    bool submit_trailers(Http2Stream& stream);
    void submit_head(Http2Stream& stream, const proto::http2::HeadFields& fields,
                     proto::http2::BodyEnd end);
    void part(Http2Stream& stream, Parting how);

    Http2Shared& shared_;
};

}  // namespace stampede::server
