#include "server/http2/session.h"

#include "server/service.h"

namespace stampede::server {

using proto::http2::ErrorCode;

Http2Session::Http2Session(Service& service, net::Connection& connection)
    : shared_(*this, service, connection),
      intake_(*this, shared_),
      responses_(shared_),
      deadlines_(shared_, intake_),
      events_(shared_.frames, intake_, responses_) {}

Http2Session::~Http2Session() { wire().set_over(); }

// ---- the beginning -----------------------------------------------------------------------------

std::unique_ptr<Http2Session> Http2Session::create(Service& service, net::Connection& connection) {
    std::unique_ptr<Http2Session> session(new Http2Session(service, connection));
    return session->wire().start(session->events_) ? std::move(session) : nullptr;
}

std::unique_ptr<Http2Session> Http2Session::adopt(Exchange& exchange,
                                                  std::string_view settings_payload) {
    Service& service = exchange.service();
    std::unique_ptr<Http2Session> session(new Http2Session(service, *exchange.connection()));
    Http2Stream& stream = service.http2_streams().take();
    using Method = proto::http2::Upgrade::Method;
    Method method = exchange.is_head_request() ? Method::kHead : Method::kOther;
    // From here on the protocol has a pointer to the stream; when it cannot begin it has none, and
    // the exchange stays with the session that it came by.
    if (!session->wire().start_upgraded(session->events_, {settings_payload, method, stream})) {
        service.http2_streams().give_back(stream);
        return nullptr;
    }
    session->frames().numbers().use(1);
    session->frames().numbers().take(1);
    session->shared_.streams.adopt(stream, exchange);
    session->intake_.request_complete(stream);
    session->wire().connection().mark_dirty();
    return session;
}

// ---- bytes -------------------------------------------------------------------------------------

// The bytes are the hub's read buffer and end with this call: what is to stay is copied while they
// are read. Reading queues frames of the protocol itself (acknowledgements, windows, resets), so
// there may be something to write even when no request came.
void Http2Session::on_bytes(const char* data, size_t size) {
    if (wire().over()) {
        return;
    }
    frames().read(data, size);
    wire().set_stale();
    if (!shared_.queue.empty()) {
        shared_.queue.schedule();  // which writes
    } else {
        wire().connection().mark_dirty();
    }
}

// Called by the connection when it writes, never from inside of the protocol. While the connection
// is full its end is not decided: it asks again when what was made has left.
bool Http2Session::fill() {
    if (!wire().stale() || wire().over()) {
        return false;
    }
    bool more = wire().fill();
    if (!wire().full()) {
        finish_when_spent();
    }
    return more;
}

uint64_t Http2Session::pending(const Exchange& exchange) const {
    const Http2Stream* stream = exchange.stream;
    return stream != nullptr ? stream->response.body.size() : 0;
}

// ---- ends --------------------------------------------------------------------------------------

void Http2Session::finish_when_spent() {
    if (!wire().spent()) {
        return;
    }
    wire().set_over();
    shared_.streams.lose_all();
    wire().connection().close_lingering();  // the peer should be able to read the last words
}

// The peer sends no more. Its complete requests still get their responses, by drain(); the others
// can never be complete. Streams are reset, not removed, in this loop: the protocol closes them
// when their resets leave.
void Http2Session::on_end() {
    if (wire().over()) {
        return;
    }
    Http2Streams& streams = shared_.streams;
    for (Http2Stream* stream = streams.oldest(); stream != nullptr;
         stream = streams.after(*stream)) {
        if (!stream->request.ended) {  // and never will be
            wire().reset(*stream, ErrorCode::kCancel);
            streams.lose_exchange(*stream);
        }
    }
    if (streams.count() == 0) {
        wire().set_over();
        wire().connection().close_after_flush();
    } else {
        drain();
    }
}

// The last call. It may come from inside of the protocol (a write that fails half-way closes the
// connection), so the protocol must stay until the connection is freed at the end of the iteration;
// wire().over() keeps everybody from asking it again. The holders of exchanges find them without a
// stream; those that wait are woken.
void Http2Session::on_closed() {
    wire().set_over();
    shared_.queue.stop();
    shared_.streams.lose_all();
    wire().service().forget(wire().connection());
}

// ---- tunnels -----------------------------------------------------------------------------------

// A tunnel outlives its stream on the wire by a moment: what is read after that gives nothing back.
void Http2Session::give_back_window(Http2Stream& stream, size_t bytes) {
    if (!stream.closed) {
        wire().give_window(stream, bytes);
        wire().touch();
    }
}

// The tunnel's connection goes first, and its stream forgets it before anything else: the tunnel
// ends with its connection, and removing the stream would call it. In order, when the server closed
// a WebSocket that was open, the stream ends after what is still unsent; in any other case the peer
// gets a reset.
void Http2Session::end_tunnel(Http2Stream& stream, net::CloseCause cause) {
    stream.tunnel = nullptr;
    bool in_order = cause == net::CloseCause::kServer && stream.exchange == nullptr;
    if (in_order && !stream.closed) {
        stream.response.ended = true;
        wire().more_to_send(stream);
        return;
    }
    shared_.streams.lose_exchange(stream);
    wire().reset(stream, ErrorCode::kCancel);
}

// ---- drain -------------------------------------------------------------------------------------

Exchange* Http2Session::open_exchange(const ExchangeKey& key) const {
    Http2Streams& streams = shared_.streams;
    Exchange* found = nullptr;
    for (Http2Stream* stream = streams.oldest(); stream != nullptr;
         stream = streams.after(*stream)) {
        Exchange* exchange = stream->exchange;
        if (exchange == nullptr || !exchange->detached() || !exchange->fits(key)) {
            continue;
        }
        if (found != nullptr) {
            return nullptr;
        }
        found = exchange;
    }
    return found;
}

void Http2Session::announce_drain() {
    if (!drain_announced_ && !wire().over()) {
        drain_announced_ = true;
        wire().announce_goaway();
    }
}

void Http2Session::drain() { goaway(static_cast<uint32_t>(ErrorCode::kNoError), {}); }

bool Http2Session::goaway(uint32_t error, std::string_view text) {
    return !wire().over() && wire().goaway(static_cast<ErrorCode>(error), text);
}

bool Http2Session::ping(std::string_view payload) {
    if (wire().over() || payload.size() > proto::http2::Session::kPingBytes) {
        return false;
    }
    frames().guard().useful();  // what the peer says to it is no idle frame
    return wire().ping(payload);
}

}  // namespace stampede::server
