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
using proto::http2::HeadKind;

namespace {

HeadStore store_of(Exchange& exchange) { return {exchange.head, exchange.head_text}; }

}  // namespace

// ---- heads -------------------------------------------------------------------------------------

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

// The request is handled at once, its stream is a connection from here on.
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

// The frame was one of a request that is still wanted.
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
        shared_.wire.protocol().inform(stream, kContinue);
        shared_.wire.touch();
    }
    exchange.head.expect_continue = false;
}

void Http2Intake::take_data(Http2Stream* stream, std::string_view bytes) {
    shared_.frames.guard().useful();
    if (stream != nullptr && stream->tunnel != nullptr) {
        // Hold back the stream's own window until the application reads; the connection's window is
        // replenished, so that other streams are not stalled.
        stream->tunnel->receive(bytes);
        shared_.wire.give_window(bytes.size());
    } else if (stream != nullptr && stream->exchange != nullptr && stream->request.refusal == 0) {
        take_body(*stream, bytes);
    } else {  // it is dropped: the peer need not send more of it
        shared_.wire.give_window(bytes.size());
    }
}

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
