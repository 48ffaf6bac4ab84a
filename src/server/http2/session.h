// HTTP/2 (RFC 9113) on one connection: every stream is an exchange, handled side by side. What the
// handlers write waits in the streams, and becomes frames when the connection takes them: the
// frames of an iteration leave in one write, and a peer that does not read makes nothing grow.
// Owned by its connection; loop thread; never parks. It makes the parts that do the work and hands
// on to them; its own are the ends of the connection. P is the protocol (proto::http2::Session):
//
//   dispatch phase    bytes -> FrameCheck -> P -> Events -> Intake -> Streams
//                                                             |  request complete
//                                                             v
//   ready phase                              handler <----- Queue
//                                               |
//                                               v
//                     Exchange -> Responses -> Stream: a head goes to P, a body waits here
//                                               |
//   flush             bytes <- fill() <- P <----'  P asks for as much of the body as windows allow
//
// What runs inside of P (everything that Http2Events leads to) may queue frames, but not make P
// read or write: see proto/http2/events.h. So no request is handled there. The handler is asked
// where a body goes, and told what coroutines wait for (body_arrived, drained, cut_off): it wakes
// them, and they run later, in the ready phase.
//
//   owner        has                        until
//   Streams      every Http2Stream          both sides of the stream have ended, or the connection
//   P            a pointer to it            the stream is closed on the wire, or Streams::remove()
//   Http2Stream  its Exchange               they part: response complete, or stream lost
//   Exchange     its Http2Stream            the same moment: never one without the other
//
// A stream is in up to three lists (of Http2Streams, Http2Queue and Http2Lingering) and leaves all
// of them at once, when it is removed; its exchange may outlive it, and then has no stream.
#pragma once

#include "server/http2/deadlines.h"
#include "server/http2/events.h"
#include "server/http2/intake.h"
#include "server/http2/responses.h"
#include "server/http2/shared.h"
#include "server/http_session.h"

namespace stampede::server {

class Http2Session final : public HttpSession {
public:
    // Null when memory is short.
    static std::unique_ptr<Http2Session> create(Service& service, net::Connection& connection);
    ~Http2Session() override;

    // The same for the connection of a request that came by HTTP/1 and asked for HTTP/2; it goes on
    // as stream 1. Null, also when its settings are wrong: nothing has changed.
    static std::unique_ptr<Http2Session> adopt(Exchange& exchange,
                                               std::string_view settings_payload);

    net::Spoken speaks() const override { return net::Spoken::kHttp2; }
    void on_bytes(const char* data, size_t size) override;
    void on_end() override;
    void on_drained() override {}
    void on_deadline() override { deadlines_.check(wire().now()); }
    void on_closed() override;
    bool fill() override;

    void write_head(Exchange& exchange, const ResponseHead& head, uint64_t body_length) override {
        responses_.write_head(exchange, head, body_length);
    }
    void write_hints(Exchange& exchange, const FieldRef* fields, uint32_t count) override {
        responses_.write_hints(exchange, fields, count);
    }
    void write_body(Exchange& exchange, std::string_view bytes) override {
        responses_.write_body(exchange, bytes);
    }
    void write_body_ref(Exchange& exchange, const net::BytesRef& bytes) override {
        responses_.write_body_ref(exchange, bytes);
    }
    void write_file(Exchange& exchange, const net::FileRange& file) override {
        responses_.write_file(exchange, file);
    }
    void write_trailers(Exchange& exchange, const FieldRef* fields, uint32_t count) override {
        responses_.write_trailers(exchange, fields, count);
    }
    void finish(Exchange& exchange) override { responses_.finish(exchange); }
    void abort(Exchange& exchange) override { responses_.abort(exchange); }
    bool upgrade(Exchange& exchange, FieldList fields,
                 std::unique_ptr<net::Session> next) override {
        return responses_.upgrade(exchange, fields, std::move(next));
    }
    void body_wanted(Exchange& exchange) override { intake_.body_wanted(exchange); }
    uint64_t pending(const Exchange& exchange) const override;
    bool blocked(const Exchange& exchange) const override { return pending(exchange) > 0; }

    bool goaway(uint32_t error, std::string_view text) override;
    bool ping(std::string_view payload) override;

    Exchange* open_exchange(const ExchangeKey& key) const override;
    void announce_drain() override;
    bool drain_announced() const override { return drain_announced_; }
    void drain() override;
    bool idle() const override { return shared_.streams.count() == 0; }

    // For tunnels: there is more in the stream's body, its bytes were read, its connection is gone.
    void more_to_send(Http2Stream& stream) { wire().more_to_send(stream); }
    void give_back_window(Http2Stream& stream, size_t bytes);
    void end_tunnel(Http2Stream& stream, net::CloseCause cause);

private:
    Http2Session(Service& service, net::Connection& connection);
    Http2Wire& wire() { return shared_.wire; }
    Http2FrameCheck& frames() { return shared_.frames; }
    void finish_when_spent();

    // The order of the members matters: each part has references to those above it, and the
    // protocol, in `shared_`, is destroyed last, when no stream has its pointer any more.
    //
    // Streams are looked through in order also where nothing is changed: hence mutable.
    mutable Http2Shared shared_;
    Http2Intake intake_;
    Http2Responses responses_;
    Http2Deadlines deadlines_;
    Http2Events events_;  // the protocol has a reference to it, and uses it only when it is called
    bool drain_announced_ = false;  // the first of two GOAWAYs has been sent
};

}  // namespace stampede::server
