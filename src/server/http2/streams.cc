#include "server/http2/streams.h"

#include <algorithm>
#include <utility>

#include "server/http2/tunnel.h"
#include "server/http2/wire.h"
#include "server/service.h"

namespace stampede::server {

Http2Streams::Http2Streams(HttpSession& session, Http2Wire& wire) : session_(session), wire_(wire) {
    idle_since_ = wire.now();
    wire.connection().set_deadline(idle_since_ + wire.limits().header_time);
}

void Http2Streams::open(int32_t id) {
    Http2Stream& stream = wire_.service().http2_streams().take();
    wire_.protocol().attach(id, stream);  // first: an exchange keeps the number of its stream
    Exchange& exchange = wire_.service().exchanges().take();
    exchange.head.reset();
    exchange.head.minor_version = 1;
    bool is_first = count_ == 0;
    adopt(stream, exchange);
    if (is_first) {
        wire_.connection().set_deadline(stream.request.began + check_period());
    }
}

void Http2Streams::adopt(Http2Stream& stream, Exchange& exchange) {
    stream.begin(wire_.now());
    stream.exchange = &exchange;
    exchange.begin(session_, wire_.connection(), &stream);
    open_.push_back(stream);
    count_++;
}

// The stream lets go first, in both ways of parting: the exchange tells the handler, which may ask
// for either and must not be led from one to the other.
void Http2Streams::part(Http2Stream& stream, Parting how) {
    std::exchange(stream.exchange, nullptr)->part(wire_.connection(), how);
    count_body(stream, 0);
}

void Http2Streams::lose_exchange(Http2Stream& stream) {
    Exchange* exchange = stream.exchange;
    if (exchange == nullptr) {
        return;
    }
    stream.exchange = nullptr;
    stream.ReadyNode::unlink();
    count_body(stream, 0);
    exchange->part(wire_.connection(), Parting::kLost);
}

// A stream that the protocol still has (it is open in a direction, or lingers) must lose its
// pointer to us first. The protocol would use it when it closes the stream, which by then is
// another one, perhaps of another connection. The tunnel is cut off before it is told, since its
// connection closes at once and would come back here.
void Http2Streams::remove(Http2Stream& stream) {
    if (!stream.closed) {
        wire_.forget(stream);
    }
    if (Http2Tunnel* tunnel = std::exchange(stream.tunnel, nullptr)) {
        tunnel->lose_stream();
    }
    stream.OpenNode::unlink();
    stream.ReadyNode::unlink();
    stream.LingeringNode::unlink();
    leaving_ -= stream.dismissed ? 1 : 0;
    count_body(stream, 0);
    wire_.service().http2_streams().give_back(stream);
    if (--count_ == 0) {
        idle_since_ = wire_.now();
        wire_.connection().set_deadline(idle_since_ + wire_.limits().idle_time);
    }
}

// Each exchange is told before its stream goes back to the spare ones: it has a pointer to it.
void Http2Streams::lose_all() {
    while (Http2Stream* stream = open_.front()) {
        lose_exchange(*stream);
        remove(*stream);
    }
}

void Http2Streams::remove_all() {
    while (Http2Stream* stream = open_.front()) {
        remove(*stream);
    }
}

Nanos Http2Streams::check_period() const {
    const HttpLimits& limits = wire_.limits();
    Nanos least = std::min(
        {limits.header_time, limits.body_gap, wire_.times().write_stall, limits.idle_time});
    return std::max(least / 2, 10 * kMillisecond);
}

}  // namespace stampede::server
