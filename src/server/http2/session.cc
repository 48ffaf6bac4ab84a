// The life of the connection: start, the ready phase, times, drain, ends. What comes in is in
// input.cc, responses are in response.cc.
//
//   bytes -> FrameWatch -> nghttp2 -> callbacks (input.cc) -> streams -> ready_
//                                                                          |  serve(), a task
//   bytes <- fill() <- nghttp2 <- data callbacks (response.cc) <- exchanges <- handler
//
// nghttp2 must not be called from its own callbacks with what makes it send or receive: they note
// what is to be done, and serve() or fill() do it. `stale_` says that it may have frames to write.
// A stream lives in up to three lists (open_, ready_, lingering_) and leaves all of them at once,
// in recycle(); its exchange may outlive it, and then has no stream.
#include "server/http2/session.h"

#include <nghttp2/nghttp2.h>

#include <algorithm>

#include "server/http2/callbacks.h"
#include "server/http2/memory.h"
#include "server/http2/tunnel.h"
#include "server/service.h"

namespace stampede::server {

namespace {

// NGHTTP2_ERR_TOO_MANY_CONTINUATIONS, which older headers have no name for.
constexpr ssize_t kTooManyContinuations = -905;

}  // namespace

Http2Session::Http2Session(Service& service, net::Connection& connection)
    : service_(service), connection_(connection) {
    connection.write_from_session();
    task_.session = this;
    task_.run = [](loop::Task& task) { static_cast<ServeTask&>(task).session->serve(); };
    idle_since_ = service.loop().iteration_time();
    connection.set_deadline(idle_since_ + service.limits(connection).header_time);
}

Http2Session::~Http2Session() {
    over_ = true;
    task_.unlink();
    while (Http2Stream* stream = open_.front()) {
        recycle(*stream);
    }
    nghttp2_session_del(session_);
}

std::unique_ptr<Http2Session> Http2Session::create(Service& service, net::Connection& connection) {
    std::unique_ptr<Http2Session> session(new Http2Session(service, connection));
    return session->start() && session->submit_settings() ? std::move(session) : nullptr;
}

bool Http2Session::start() {
    nghttp2_option* options = nullptr;
    if (nghttp2_option_new(&options) != 0) {
        return false;
    }
    nghttp2_option_set_no_closed_streams(options, 1);
    nghttp2_option_set_no_auto_window_update(options, 1);
    nghttp2_option_set_builtin_recv_extension_type(options, NGHTTP2_PRIORITY_UPDATE);
    int result = nghttp2_session_server_new3(&session_, Http2Callbacks::get(), this, options,
                                             http2_memory());
    nghttp2_option_del(options);
    return result == 0;
}

bool Http2Session::submit_settings() {
    const Http2Settings& own = service_.settings().http2;
    // The library ends the connection when the peer opens a stream too many. It is told of no
    // limit, the streams are counted here, and the frame is corrected on its way out: see fill().
    const nghttp2_settings_entry entries[] = {
        {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, NGHTTP2_INITIAL_MAX_CONCURRENT_STREAMS},
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, own.initial_window_size},
        {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, own.max_header_list_size},
        {NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1},
        {NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, own.header_table_size},
        {NGHTTP2_SETTINGS_MAX_FRAME_SIZE, own.max_frame_size},
        {NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL, 1},
    };
    size_t count = std::size(entries) - (own.websocket ? 0 : 1);
    auto window = static_cast<int32_t>(
        std::clamp<uint64_t>(uint64_t{own.initial_window_size} * 4, 65535, INT32_MAX));
    return nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, entries, count) == 0 &&
           nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, 0, window) == 0;
}

std::unique_ptr<Http2Session> Http2Session::adopt(Exchange& exchange,
                                                  std::string_view settings_payload) {
    net::Connection& connection = *exchange.connection();
    std::unique_ptr<Http2Session> session(new Http2Session(exchange.service(), connection));
    Http2Stream& stream = exchange.service().http2_streams().take();
    auto* payload = reinterpret_cast<const uint8_t*>(settings_payload.data());
    // The library wants to hear of the upgrade before it makes its own settings.
    if (!session->start() ||
        nghttp2_session_upgrade2(session->session_, payload, settings_payload.size(),
                                 exchange.is_head_request() ? 1 : 0, nullptr) != 0 ||
        nghttp2_session_set_stream_user_data(session->session_, 1, &stream) != 0 ||
        !session->submit_settings()) {
        exchange.service().http2_streams().give_back(stream);
        return nullptr;
    }
    session->take_over(exchange, stream);
    return session;
}

void Http2Session::take_over(Exchange& exchange, Http2Stream& stream) {
    newest_id_ = last_taken_ = 1;
    stream.begin(1, service_.loop().iteration_time());
    stream.exchange = &exchange;
    exchange.begin(*this, connection_, &stream);
    open_.push_back(stream);
    stream_count_++;
    request_complete(stream);
    connection_.mark_dirty();
}

void Http2Session::on_bytes(const char* data, size_t size) {
    if (over_) {
        return;
    }
    size_t read = 0;
    bool fine = true;
    for (size_t watched = 0; watched < size && fine;) {
        FrameWatch::Stop stop = watch_.next(data + watched, size - watched);
        bool stops = stop.kind != FrameWatch::Kind::kNone;
        size_t end = stops ? watched + stop.before : size;
        watched += stop.used;
        reset_unread_ = reset_unread_ || stop.kind == FrameWatch::Kind::kReset;
        bool usual =
            stop.kind == FrameWatch::Kind::kData && !reset_unread_ && !is_closed(stop.stream);
        if (usual || stop.kind == FrameWatch::Kind::kReset) {
            continue;  // it is read together with the others
        }
        fine = take_bytes({data + read, end - read});
        read = end;
        if (fine && stops) {
            reset_unread_ = false;
            look_at(stop);
        }
    }
    if (fine && read < size) {
        take_bytes({data + read, size - read});
    }
    stale_ = true;
    if (!ready_.empty()) {
        schedule();  // which writes
    } else {
        connection_.mark_dirty();
    }
}

// False: the connection ends. What counts as an attack (too many frames without use, too large a
// head) ends with ENHANCE_YOUR_CALM, so that the log of the peer says what it did.
bool Http2Session::take_bytes(std::string_view bytes) {
    ssize_t used = nghttp2_session_mem_recv(
        session_, reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    if (used < 0) {
        bool excess = used == NGHTTP2_ERR_FLOODED || used == kTooManyContinuations ||
                      used == NGHTTP2_ERR_TOO_MANY_SETTINGS || used == NGHTTP2_ERR_CALLBACK_FAILURE;
        end_connection(excess ? NGHTTP2_ENHANCE_YOUR_CALM : NGHTTP2_PROTOCOL_ERROR);
    }
    return used >= 0;
}

void Http2Session::end_connection(uint32_t error) {
    nghttp2_session_terminate_session(session_, error);
    stale_ = true;
    connection_.mark_dirty();
}

// The connection is about to write: makes frames of what is there. True when there are some.
// Not all frames at once: a peer that does not read must not make the buffer grow, so it stops
// above kFillTo and is called again when the buffer has left.
bool Http2Session::fill() {
    if (!stale_ || over_) {
        return false;
    }
    stale_ = false;
    uint64_t before = connection_.pending();
    while (connection_.pending() < kFillTo) {
        const uint8_t* bytes = nullptr;
        ssize_t size = nghttp2_session_mem_send(session_, &bytes);
        if (size <= 0) {
            break;
        }
        connection_.cork().append(
            {reinterpret_cast<const char*>(bytes), static_cast<size_t>(size)});
        if (!greeted_) {
            greeted_ = true;
            correct_settings(connection_.cork().data() + connection_.cork().size() - size,
                             static_cast<size_t>(size), service_.settings().http2);
        }
    }
    bool cut_short = connection_.pending() >= kFillTo;
    stale_ = stale_ || cut_short;
    bool more = connection_.pending() > before;
    if (!cut_short) {
        finish_when_over();
    }
    return more;
}

void Http2Session::finish_when_over() {
    if (nghttp2_session_want_read(session_) != 0 || nghttp2_session_want_write(session_) != 0) {
        return;
    }
    over_ = true;
    while (Http2Stream* stream = open_.front()) {
        lose_exchange(*stream);
        recycle(*stream);
    }
    connection_.close_lingering();  // the peer should be able to read the last words
}

void Http2Session::schedule() {
    if (!task_.linked() && !serving_) {
        service_.loop().enqueue(task_);
    }
}

void Http2Session::serve() {
    serving_ = true;
    uint32_t budget = service_.limits(connection_).requests_per_iteration;
    while (budget > 0) {
        Http2Stream* stream = ready_.pop_front();
        if (stream == nullptr) {
            break;
        }
        serve_one(*stream);
        budget--;
    }
    serving_ = false;
    connection_.mark_dirty();  // nghttp2 may have frames of its own to send
    if (!ready_.empty()) {
        schedule();
    }
}

void Http2Session::serve_one(Http2Stream& stream) {
    Exchange& exchange = *stream.exchange;
    if (stream.request.refusal == 0 && service_.requests().at_limit()) {
        stream.request.refusal = 503;
    }
    bool asks_server = exchange.head.method == proto::http::Method::kOptions &&
                       exchange.text(exchange.head.path) == "*";
    if (stream.request.refusal != 0 || asks_server) {
        send_ready_made(stream);
        return;
    }
    service_.requests().started(exchange);
    exchange.hold();
    service_.handler().handle(exchange);
    exchange.release();
}

void Http2Session::send_ready_made(Http2Stream& stream) {
    static constexpr FieldRef kAllow{"allow",
                                     "GET, HEAD, POST, PUT, PATCH, DELETE, QUERY, OPTIONS"};
    Exchange& exchange = *stream.exchange;
    ResponseHead head;
    head.default_type = "text/plain";
    if (stream.request.refusal == 0) {
        head.fields = &kAllow;
        head.field_count = 1;
    }
    if (stream.request.refusal == 0) {
        exchange.send_head(head, 0);
    } else {
        head.status = stream.request.refusal;
        std::string_view text = proto::http::reason_phrase(stream.request.refusal);
        exchange.send_head(head, text.size());
        exchange.send_body(text);
    }
    exchange.finish();
}

void Http2Session::on_end() {
    if (over_) {
        return;
    }
    for (Http2Stream* stream = open_.front(); stream != nullptr; stream = open_.after(*stream)) {
        if (!stream->request.ended) {  // and never will be
            reset(*stream, NGHTTP2_CANCEL);
            lose_exchange(*stream);
        }
    }
    if (stream_count_ == 0) {
        over_ = true;
        connection_.close_after_flush();
    } else {
        drain();
    }
}

void Http2Session::on_closed() {
    over_ = true;
    task_.unlink();
    while (Http2Stream* stream = open_.front()) {
        lose_exchange(*stream);
        recycle(*stream);
    }
    service_.forget(connection_);
}

// The exchange goes on without its stream: its holders then have no peer to respond to.
void Http2Session::lose_exchange(Http2Stream& stream) {
    Exchange* exchange = stream.exchange;
    if (exchange == nullptr) {
        return;
    }
    stream.exchange = nullptr;
    stream.ReadyNode::unlink();
    count_body(stream, 0);
    exchange->part(connection_, Parting::kLost);
}

void Http2Session::stream_closed(Http2Stream& stream, uint32_t error) {
    stream.closed = true;
    stream.LingeringNode::unlink();
    if (stream.exchange != nullptr && stream.response.bodiless && error == NGHTTP2_NO_ERROR) {
        return;  // the peer has its response, the handler goes on
    }
    lose_exchange(stream);
    recycle(stream);
}

// A stream that nghttp2 still has (it is open in both directions, or lingers) must lose its pointer
// to us first: the library calls back with it when it closes the stream.
void Http2Session::recycle(Http2Stream& stream) {
    if (!stream.closed) {
        nghttp2_session_set_stream_user_data(session_, stream.id, nullptr);
    }
    if (Http2Tunnel* tunnel = std::exchange(stream.tunnel, nullptr)) {
        tunnel->lose_stream();
    }
    stream.OpenNode::unlink();
    stream.ReadyNode::unlink();
    stream.LingeringNode::unlink();
    leaving_ -= stream.dismissed ? 1 : 0;
    count_body(stream, 0);
    service_.http2_streams().give_back(stream);
    give_window_back();
    if (--stream_count_ == 0) {
        idle_since_ = service_.loop().iteration_time();
        connection_.set_deadline(idle_since_ + service_.limits(connection_).idle_time);
    }
}

// ---- times -------------------------------------------------------------------------------------

Nanos Http2Session::check_period() const {
    const HttpLimits& limits = service_.limits(connection_);
    Nanos least = std::min({limits.header_time, limits.body_gap,
                            service_.settings().times.write_stall, limits.idle_time});
    return std::max(least / 2, 10 * kMillisecond);
}

void Http2Session::on_deadline() {
    Nanos now = service_.loop().iteration_time();
    if (over_) {
        return;
    }
    const HttpLimits& limits = service_.limits(connection_);
    if (stream_count_ == 0) {
        Nanos patience = greeted_ && !head_open_ ? limits.idle_time : limits.header_time;
        if (now < idle_since_ + patience) {
            connection_.set_deadline(idle_since_ + patience);
            return;
        }
        end_connection(NGHTTP2_NO_ERROR);
        return;
    }
    check_streams(now);
    if (stream_count_ > 0) {
        connection_.set_deadline(next_check(now));
    }
}

Nanos Http2Session::patience_ends(const Http2Stream& stream) const {
    return stream.response.responded + service_.settings().times.linger;
}

Nanos Http2Session::next_check(Nanos now) {
    Nanos next = now + check_period();
    if (const Http2Stream* oldest = lingering_.front()) {
        next = std::min(next, patience_ends(*oldest));
    }
    return std::max(next, now + kMillisecond);
}

// The rest of the request is not wanted. But there are peers (curl 7) that take a reset, of
// whatever kind, for a failure and never look at the response: they may stop by themselves first.
void Http2Session::responded_early(Http2Stream& stream) {
    stream.response.responded = service_.loop().iteration_time();
    lingering_.push_back(stream);
    if (!over_) {
        connection_.set_deadline(std::min(connection_.deadline(), patience_ends(stream)));
        keep_places_free();
    }
}

void Http2Session::dismiss(Http2Stream& stream) {
    stream.LingeringNode::unlink();
    stream.dismissed = true;
    leaving_++;
    guard_.dismissed();
    reset(stream, NGHTTP2_NO_ERROR);
}

// To the peer a stream that it has not ended takes a place, so it may wait with its next request
// before it asks for one too many. A quarter of the places is kept free of streams that
// have their response; the stream whose response was sent longest ago is reset first.
void Http2Session::keep_places_free() {
    uint32_t places = service_.settings().http2.max_concurrent_streams;
    uint32_t most = places - places / 4;
    while (stream_count_ - leaving_ > most && !lingering_.empty()) {
        dismiss(*lingering_.front());
    }
}

void Http2Session::check_streams(Nanos now) {
    while (Http2Stream* oldest = lingering_.front()) {
        if (now < patience_ends(*oldest)) {
            break;
        }
        dismiss(*oldest);
    }
    Http2Stream* next = nullptr;
    for (Http2Stream* stream = open_.front(); stream != nullptr; stream = next) {
        next = open_.after(*stream);
        if (!check_request(*stream, now) || !check_response(*stream, now)) {
            reset(*stream, NGHTTP2_CANCEL);
            lose_exchange(*stream);
        }
    }
}

// False: the request takes too long to come.
bool Http2Session::check_request(Http2Stream& stream, Nanos now) {
    if (stream.request.ended || stream.request.refusal != 0 || stream.exchange == nullptr ||
        stream.tunnel != nullptr) {
        return true;
    }
    const HttpLimits& limits = service_.limits(connection_);
    if (stream.request.last_data ==
        0) {  // its head is not complete: the connection waits for nothing else
        if (now - stream.request.began >= limits.header_time) {
            end_connection(NGHTTP2_ENHANCE_YOUR_CALM);
        }
        return true;
    }
    Exchange& exchange = *stream.exchange;
    bool held_back = owed_ > 0 || (exchange.body.streams() && !exchange.body.view().empty());
    if (held_back) {  // by us: its time does not run
        exchange.body.restart_time(now);
        stream.request.last_data = now;
        return true;
    }
    if (!exchange.body.too_slow(limits, now) && now - stream.request.last_data < limits.body_gap) {
        return true;
    }
    if (exchange.body.streams()) {
        return false;
    }
    refuse_later(stream, 408);
    schedule();
    return true;
}

// False: the peer does not let the response go on. What waits for the connection as a whole is the
// connection's matter, and a stream that is not scheduled is not to blame. The end of a
// response waits for a window as well when the last bytes have used it up.
bool Http2Session::check_response(Http2Stream& stream, Nanos now) {
    bool end_waits =
        stream.response.submitted && stream.response.ended && !stream.response.end_sent;
    if ((stream.response.body.size() == 0 && !end_waits) || stream.closed) {
        stream.response.progressed = now;
        return true;
    }
    bool waits = nghttp2_session_get_stream_remote_window_size(session_, stream.id) <= 0 ||
                 nghttp2_session_get_remote_window_size(session_) <= 0;
    Nanos elapsed = now - stream.response.progressed;
    uint64_t well = service_.limits(connection_).body_rate * static_cast<uint64_t>(elapsed) /
                    static_cast<uint64_t>(kSecond);
    if (!waits ||
        stream.response.moved - stream.response.moved_then >= std::max<uint64_t>(well, 1)) {
        stream.response.progressed = now;
        stream.response.moved_then = stream.response.moved;
        return true;
    }
    return elapsed < service_.settings().times.write_stall;
}

// ---- drain -------------------------------------------------------------------------------------

Exchange* Http2Session::open_exchange() const {
    auto& open = const_cast<List<Http2Stream, OpenNode>&>(open_);
    for (Http2Stream* stream = open.front(); stream != nullptr; stream = open.after(*stream)) {
        if (stream->exchange != nullptr && stream->exchange->detached()) {
            return stream->exchange;
        }
    }
    return nullptr;
}

// The first GOAWAY lets the requests come that are on their way, the second names the last one that
// gets a response.
void Http2Session::announce_drain() {
    if (!drain_announced_ && !over_) {
        drain_announced_ = true;
        nghttp2_submit_shutdown_notice(session_);
        stale_ = true;
        connection_.mark_dirty();
    }
}

bool Http2Session::goaway(uint32_t error, std::string_view text) {
    if (over_) {
        return false;
    }
    int result = nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE,
                                       nghttp2_session_get_last_proc_stream_id(session_), error,
                                       reinterpret_cast<const uint8_t*>(text.data()), text.size());
    stale_ = true;
    connection_.mark_dirty();
    return result == 0;
}

bool Http2Session::ping(std::string_view payload) {
    uint8_t bytes[8] = {};
    if (over_ || payload.size() > sizeof(bytes)) {
        return false;
    }
    std::copy(payload.begin(), payload.end(), bytes);
    int result = nghttp2_submit_ping(session_, NGHTTP2_FLAG_NONE, bytes);
    guard_.useful();  // what the peer says to it is no idle frame
    stale_ = true;
    connection_.mark_dirty();
    return result == 0;
}

void Http2Session::drain() {
    if (over_) {
        return;
    }
    nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE,
                          nghttp2_session_get_last_proc_stream_id(session_), NGHTTP2_NO_ERROR,
                          nullptr, 0);
    stale_ = true;
    connection_.mark_dirty();
}

}  // namespace stampede::server
