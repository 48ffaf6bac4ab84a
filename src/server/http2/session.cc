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

void Http2Session::on_closed() {
    wire().set_over();
    shared_.queue.stop();
    shared_.streams.lose_all();
    wire().service().forget(wire().connection());
}

// ---- tunnels -----------------------------------------------------------------------------------

void Http2Session::give_back_window(Http2Stream& stream, size_t bytes) {
    if (!stream.closed) {
        wire().give_window(stream, bytes);
        wire().touch();
    }
}

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

Exchange* Http2Session::open_exchange() const {
    Http2Streams& streams = shared_.streams;
    for (Http2Stream* stream = streams.oldest(); stream != nullptr;
         stream = streams.after(*stream)) {
        if (stream->exchange != nullptr && stream->exchange->detached()) {
            return stream->exchange;
        }
    }
    return nullptr;
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
