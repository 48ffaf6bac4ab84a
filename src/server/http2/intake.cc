#include "server/http2/intake.h"

#include "server/http2/session.h"
#include "server/http2/tunnel.h"
#include "server/service.h"

namespace stampede::server {

using Protocol = Http2RequestHead::Protocol;
using proto::http2::ErrorCode;
using proto::http2::Field;
using proto::http2::FieldVerdict;
using proto::http2::FrameHead;
using proto::http2::HeadFields;
using proto::http2::HeadKind;

namespace {

HeadStore store_of(Exchange& exchange) { return {exchange.head, exchange.head_text}; }

}  // namespace

// ---- heads -------------------------------------------------------------------------------------

// A stream that is refused here has no object: its fields are dropped by the protocol, its body
// comes with a null stream. A refusal counts as a frame without use, so that a peer which goes on
// asking loses the connection.
void Http2Intake::begin_head(int32_t id) {
    Http2Wire& wire = shared_.wire;
    shared_.frames.numbers().take(id);
    if (shared_.streams.count() >= wire.settings().max_concurrent_streams) {
        shared_.frames.idle_frame();
        wire.reset(id, ErrorCode::kRefusedStream);
        return;
    }
    shared_.frames.guard().request(wire.now());
    shared_.streams.open(id);
    shared_.lingering.keep_places_free();
}

// Trailers are counted with the head, though nothing of them is kept: the peer decides how many
// there are, and each costs its decoding. A field that makes the head too large refuses the request
// but is decoded all the same: nghttp2 has one table of fields for all streams of the connection,
// which must not miss any. Only a peer that goes on and on loses the connection.
FieldVerdict Http2Intake::take_field(Http2Stream& stream, HeadKind kind, const Field& field) {
    if (stream.exchange == nullptr) {
        return FieldVerdict::kTaken;
    }
    Http2RequestHead& head = stream.request.head;
    Http2RequestHead::Size size = head.count(field.name, field.value, shared_.wire.settings());
    if (size != Http2RequestHead::Size::kFits) {
        stream.request.refusal = 431;
        bool far = size == Http2RequestHead::Size::kFarTooLarge;
        return far ? FieldVerdict::kEndConnection : FieldVerdict::kTaken;
    }
    if (kind == HeadKind::kRequest) {
        head.add(store_of(*stream.exchange), field.name, field.value);
    }
    return FieldVerdict::kTaken;
}

void Http2Intake::head_complete(Http2Stream& stream) {
    Exchange& exchange = *stream.exchange;
    Http2RequestHead& head = stream.request.head;
    stream.request.last_data = shared_.wire.now();
    if (head.protocol() == Protocol::kWebSocket) {
        head.present_as_upgrade(store_of(exchange));
    }
    if (stream.request.refusal == 0) {
        stream.request.refusal = head.judge(store_of(exchange), shared_.wire.limits().head);
    }
    exchange.head.head_bytes = static_cast<uint32_t>(exchange.head_text.end());
}

// The request is handled at once, its stream is a connection from here on: the exchange belongs to
// the new one, and what it sends goes through the tunnel. The service owns that connection and with
// it the tunnel; stream and tunnel point to each other, and whichever goes first clears both.
void Http2Intake::open_tunnel(Http2Stream& stream) {
    Service& service = shared_.wire.service();
    net::Connection& carrier = shared_.wire.connection();
    if (stream.request.refusal == 0 && service.connections().full()) {
        stream.request.refusal = 503;
    }
    if (stream.request.refusal == 0) {
        auto tunnel =
            std::make_unique<Http2Tunnel>(session_, stream, carrier.transport().encrypted());
        stream.tunnel = tunnel.get();
        net::Connection& connection = service.adopt(std::move(tunnel), carrier);
        stream.exchange->begin(session_, connection, &stream);
    }
    shared_.queue.add(stream);
}

// ---- frames ------------------------------------------------------------------------------------

// The end of a request's head, or of trailers, which bring a request to its end like DATA.
void Http2Intake::end_head(Http2Stream* stream, HeadKind kind, const FrameHead& head) {
    if (!goes_on(stream, head)) {
        return;
    }
    if (kind == HeadKind::kRequest) {
        head_complete(*stream);
        bool last = head.ends_stream();
        bool asks = stream->request.head.protocol() != Protocol::kNone;
        if (asks && !last) {
            open_tunnel(*stream);
            return;
        }
        if (asks && stream->request.refusal == 0) {
            stream->request.refusal = 400;  // nothing can come of one that has ended
        }
        if (!last) {
            begin_body(*stream);
        }
    }
    settle(*stream, head);
}

void Http2Intake::end_data(Http2Stream* stream, const FrameHead& head) {
    if (goes_on(stream, head)) {
        settle(*stream, head);
    }
}

// The frame was one of a request that is still wanted. What has no exchange has been refused, cut
// off, or has its whole response: the rest of it is read for the connection's sake only.
bool Http2Intake::goes_on(Http2Stream* stream, const FrameHead& head) {
    if (stream != nullptr && head.ends_stream() && stream->tunnel != nullptr) {
        stream->request.ended = true;
        stream->tunnel->receive_end();
        return false;
    }
    if (stream == nullptr || stream->exchange == nullptr) {
        return false;
    }
    if (stream->request.head.malformed()) {
        shared_.wire.reset(*stream, ErrorCode::kProtocolError);
        shared_.streams.lose_exchange(*stream);
        return false;
    }
    return true;
}

// Once for each request: `ended` is set by the frame that ends it, and one that is refused before
// its end gets its ready-made response at once. The queue takes a stream no second time.
void Http2Intake::settle(Http2Stream& stream, const FrameHead& head) {
    if (head.ends_stream() && !stream.request.ended) {
        request_complete(stream);
    } else if (stream.request.refusal != 0) {
        shared_.queue.add(stream);
    }
}

void Http2Intake::request_complete(Http2Stream& stream) {
    shared_.frames.guard().useful();
    stream.request.ended = true;
    Exchange& exchange = *stream.exchange;
    if (stream.request.refusal == 0) {
        stream.request.refusal = exchange.body.end();
    }
    if (exchange.body.streams()) {
        shared_.wire.service().handler().body_arrived(exchange);
        return;
    }
    shared_.queue.add(stream);
}

void Http2Intake::refuse(Http2Stream& stream, int status) {
    if (stream.exchange->body.streams()) {  // it is being handled: that ends here
        shared_.wire.reset(stream, ErrorCode::kCancel);
        shared_.streams.lose_exchange(stream);
        return;
    }
    stream.request.refusal = status;
    stream.exchange->body.drop();
    shared_.streams.count_body(stream, 0);
    shared_.queue.add(stream);
}

// ---- bodies ------------------------------------------------------------------------------------

void Http2Intake::begin_body(Http2Stream& stream) {
    Exchange& exchange = *stream.exchange;
    if (stream.request.refusal == 0) {
        stream.request.refusal = exchange.begin_body();
    }
    if (stream.request.refusal != 0) {
        return;
    }
    if (exchange.body.streams()) {
        shared_.queue.add(stream);  // and 100 goes out when the application wants the body
    } else {
        offer_continue(stream);
    }
}

void Http2Intake::offer_continue(Http2Stream& stream) {
    Exchange& exchange = *stream.exchange;
    if (exchange.head.expect_continue && exchange.head.content_length != 0 &&
        exchange.response() == ResponseState::kNone) {
        static constexpr Field kContinue[] = {{":status", "100"}};
        shared_.wire.protocol().inform(stream, HeadFields(kContinue));
        shared_.wire.touch();
    }
    exchange.head.expect_continue = false;
}

// The peer may send as long as it has window of the stream and of the connection. When each is
// given back decides what a slow reader holds up:
//
//   the bytes go to              the stream's window             the connection's
//   a body that is gathered      at once: it has a limit         while bodies fit into memory
//   a body that is streamed      when its reader has taken it    while bodies fit into memory
//   a tunnel                     when its reader has taken it    at once
//   nobody                       never: no more is wanted        at once
//
// The connection's must come back for every byte in the end, or all streams stand still for good;
// what the protocol drops unread, and padding, it gives back itself. A slow reader costs only its
// own stream.
void Http2Intake::take_data(Http2Stream* stream, std::string_view bytes) {
    shared_.frames.guard().useful();
    if (stream != nullptr && stream->tunnel != nullptr) {
        stream->tunnel->receive(bytes);
        shared_.wire.give_window(bytes.size());
    } else if (stream != nullptr && stream->exchange != nullptr && stream->request.refusal == 0) {
        take_body(*stream, bytes);
    } else {  // it is dropped: the peer need not send more of it
        shared_.wire.give_window(bytes.size());
    }
}

// The order matters: what came is owed and counted first, then refuse() may drop the body and end
// its exchange, and only then is it known how much window can be given back.
void Http2Intake::take_body(Http2Stream& stream, std::string_view bytes) {
    Exchange& exchange = *stream.exchange;
    exchange.head.expect_continue = false;
    stream.request.last_data = shared_.wire.now();
    int status = exchange.body.take(bytes);
    shared_.bodies.owe(bytes.size());
    shared_.streams.count_body(stream, exchange.body.view().size());
    if (!exchange.body.streams()) {
        shared_.wire.give_window(stream, bytes.size());
    } else if (status == 0) {
        stream.request.unread += bytes.size();
        shared_.wire.service().handler().body_arrived(exchange);
    }
    if (status != 0) {
        refuse(stream, status);
    }
    shared_.bodies.give_window_back();
}

void Http2Intake::body_wanted(Exchange& exchange) {
    Http2Stream& stream = *exchange.stream;
    offer_continue(stream);
    shared_.streams.count_body(stream, exchange.body.view().size());
    if (stream.request.unread > 0 && exchange.body.has_room_again()) {
        shared_.wire.give_window(stream, stream.request.unread);
        stream.request.unread = 0;
        shared_.wire.touch();
    }
    shared_.bodies.give_window_back();
}

}  // namespace stampede::server
