// The input half: bytes -> heads and bodies -> exchanges. The output half is http1/response.cc.
#include "server/http1/session.h"

#include <cstring>
#include <utility>

#include "proto/http1/request_parser.h"
#include "proto/http1/response_writer.h"
#include "server/host.h"
#include "server/protocol_chooser.h"
#include "server/service.h"

namespace stampede::server {

using proto::http::Method;
using proto::http::ParseStatus;

Http1Session::Http1Session(Service& service, net::Connection& connection)
    : service_(service),
      connection_(connection),
      dispatches_(service.settings().port(connection.port_index).dispatched &&
                  connection.is_plain()) {
    task_.session = this;
    task_.run = [](loop::Task& task) { static_cast<ServeTask&>(task).session->serve(); };
    connection.set_deadline(connection.opened_at + service.limits(connection).header_time);
}

Http1Session::~Http1Session() { task_.unlink(); }

void Http1Session::on_bytes(const char* data, size_t size) {
    if (reading_ == Reading::kNothing) {
        return;
    }
    if (waits_for_dispatch()) {
        keep(data, size);
        schedule();
        return;
    }
    if (in_.empty() && takes_bytes()) {
        size_t used = feed(data, size);
        if (used < size && reading_ != Reading::kNothing) {
            keep(data + used, size - used);
        }
        return;
    }
    keep(data, size);
    if (takes_bytes()) {
        in_.consume(feed(in_.data(), in_.size()));
    }
}

// The rest of a body goes where the body is gathered.
net::Session::Room Http1Session::room() {
    if (reading_ == Reading::kHead) {
        return {nullptr, kHeadRead};
    }
    if (reading_ == Reading::kBody && chunked_ == nullptr && in_.empty()) {
        return exchange_->body.space(body_left_);
    }
    return {};
}

void Http1Session::on_read(size_t size) {
    const char* data = exchange_->body.view().data() + exchange_->body.view().size();
    size_t take = size < body_left_ ? size : static_cast<size_t>(body_left_);
    if (take < size) {
        keep(data + take, size - take);  // at once: the exchange may go
    }
    if (int status = exchange_->body.was_read(take)) {
        refuse(status);
        return;
    }
    exchange_->head.expect_continue = false;
    body_left_ -= take;
    if (body_left_ == 0) {
        body_complete();
    }
    (void)body_went_on();
}

// What cannot be used yet. Parsers may look past the end, so there is always room after it.
void Http1Session::keep(const char* data, size_t size) {
    in_.append({data, size});
    (void)in_.reserve(net::Hub::kPadding);
    if (!takes_bytes() && in_.size() > service_.limits(connection_).pending_in) {
        connection_.pause_reading();
    }
}

// Takes bytes until one request is complete. Returns how many were used.
size_t Http1Session::feed(const char* data, size_t size) {
    size_t used = 0;
    if (reading_ == Reading::kHead) {
        used = feed_head(data, size);
    }
    if (in_body()) {
        used += feed_body(data + used, size - used);
    }
    return used;
}

size_t Http1Session::feed_head(const char* data, size_t size) {
    Exchange& exchange = service_.exchanges().take();
    auto result = proto::http1::parse_request_head(
        data, size, scanned_, service_.limits(connection_).head, exchange.head);
    if (size_t used = 0;
        result.status == ParseStatus::kDone && dispatches_ && !is_dispatched({data, size}, used)) {
        exchange.release();
        return used;
    }
    if (result.status == ParseStatus::kDone) {
        exchange_ = &exchange;
        exchange.head_text.adopt(data, result.consumed);
        scanned_ = 0;
        accept_request();
        begin_body();
        return result.consumed;
    }
    exchange.release();
    if (result.status == ParseStatus::kBad) {
        refuse(result.http_status);
        return size;
    }
    if (scanned_ == 0) {
        begin_head_wait();
    }
    scanned_ = size;
    return 0;
}

// False when the request is not to be handled here, or not now; how many bytes are done with.
bool Http1Session::is_dispatched(std::string_view bytes, size_t& used) {
    auto where = Host::Dispatched::kHere;
    if (!std::exchange(settled_, false)) {
        where = service_.host().dispatch(connection_, bytes);
    }
    put_off_ = where == Host::Dispatched::kLater;
    if (put_off_) {
        connection_.pause_reading();  // what waits has a limit; read_kept() resumes it
    }
    if (where == Host::Dispatched::kGone) {
        stop();
        used = bytes.size();
    }
    return where == Host::Dispatched::kHere;
}

void Http1Session::take_over(std::string_view bytes) {
    settled_ = true;
    keep_alive_ = KeepAlive::kStays;
    keep(bytes.data(), bytes.size());
    schedule();
}

// A head in pieces: its whole time counts from its first byte (for the first request, from the
// connection's start).
void Http1Session::begin_head_wait() {
    Nanos limit = service_.limits(connection_).header_time;
    if (keep_alive_ != KeepAlive::kFresh) {
        connection_.set_deadline(service_.loop().iteration_time() + limit);
    }
}

void Http1Session::accept_request() {
    exchange_->begin(*this, connection_);
    keep_alive_ = exchange_->head.keep_alive ? KeepAlive::kStays : KeepAlive::kEnds;
}

void Http1Session::begin_body() {
    const auto& head = exchange_->head;
    if (!head.chunked && head.content_length == 0) {
        request_complete();
        return;
    }
    if (int status = exchange_->begin_body()) {
        refuse(status);
        return;
    }
    reading_ = Reading::kBody;
    body_left_ = head.content_length;
    if (head.chunked) {
        chunked_ =
            std::make_unique<proto::http1::ChunkedDecoder>(service_.limits(connection_).head);
    }
    connection_.set_deadline(service_.loop().iteration_time() +
                             service_.limits(connection_).body_gap);
    if (exchange_->body.streams()) {
        reading_ = Reading::kStreamed;
        serving_ = Serving::kQueued;
        schedule();
    }
}

void Http1Session::offer_continue() {
    if (exchange_->head.expect_continue && exchange_->response() == ResponseState::kNone) {
        connection_.cork().append(proto::http1::kContinue);
        connection_.mark_dirty();
    }
    exchange_->head.expect_continue = false;
}

size_t Http1Session::feed_body(const char* data, size_t size) {
    if (size == 0) {
        if (!streams()) {  // else when the application wants it
            offer_continue();
        }
        return 0;
    }
    exchange_->head.expect_continue = false;
    size_t used = exchange_->head.chunked ? feed_chunked(data, size) : feed_counted(data, size);
    return body_went_on() ? used : size;
}

// After each piece of a body; false when the request was refused for its slowness.
bool Http1Session::body_went_on() {
    if (!in_body()) {
        return true;
    }
    Nanos now = service_.loop().iteration_time();
    if (exchange_->body.too_slow(service_.limits(connection_), now)) {
        refuse(408);
        return false;
    }
    connection_.set_deadline(now + service_.limits(connection_).body_gap);
    if (streams()) {
        stream_piece();
    }
    return true;
}

// A slow reader holds the peer back, whose time then does not run.
void Http1Session::stream_piece() {
    if (exchange_->body.is_full()) {
        reading_ = Reading::kHeldBack;
        connection_.pause_reading();
        connection_.set_deadline(kNever);
    }
    service_.handler().body_arrived(*exchange_);
}

void Http1Session::body_wanted(Exchange& exchange) {
    if (!streams()) {
        return;
    }
    offer_continue();
    if (reading_ == Reading::kHeldBack && exchange.body.has_room_again()) {
        reading_ = Reading::kStreamed;
        Nanos now = service_.loop().iteration_time();
        exchange.body.restart_time(now);
        connection_.set_deadline(now + service_.limits(connection_).body_gap);
        connection_.resume_reading();
    }
}

size_t Http1Session::feed_counted(const char* data, size_t size) {
    size_t take = size < body_left_ ? size : static_cast<size_t>(body_left_);
    if (int status = exchange_->body.take({data, take})) {
        refuse(status);
        return size;
    }
    body_left_ -= take;
    if (body_left_ == 0) {
        body_complete();
    }
    return take;
}

size_t Http1Session::feed_chunked(const char* data, size_t size) {
    int refusal = 0;
    auto result = chunked_->feed(data, size, [&](std::string_view bytes) {
        refusal = exchange_->body.take(bytes);
        return refusal == 0;
    });
    if (refusal == 0 && !exchange_->body.allows_more(chunked_->chunk_remaining())) {
        refusal = 413;
    }
    if (refusal == 0 && result.status == ParseStatus::kBad) {
        refusal = result.http_status;
    }
    if (refusal != 0) {
        refuse(refusal);
        return size;
    }
    if (result.status == ParseStatus::kDone) {
        chunked_.reset();
        body_complete();
    }
    return result.consumed;
}

void Http1Session::body_complete() {
    if (int status = exchange_->body.end()) {
        refuse(status);
        return;
    }
    if (!streams()) {
        request_complete();
        return;
    }
    reading_ = Reading::kLater;
    connection_.set_deadline(kNever);
    service_.handler().body_arrived(*exchange_);
}

void Http1Session::request_complete() {
    reading_ = Reading::kLater;
    serving_ = Serving::kQueued;
    connection_.set_deadline(
        kNever);  // the handler takes the time it takes; the peer is not at fault
    schedule();
}

void Http1Session::schedule() {
    if (!task_.linked() && !task_.running) {
        service_.loop().enqueue(task_);
    }
}

// The ready phase: hands over what is complete, and as long as handlers finish at once, what was
// pipelined after it.
void Http1Session::serve() {
    task_.running = true;
    uint32_t budget = service_.limits(connection_).requests_per_iteration;
    while (next_is_ready() && may_take_more() && budget > 0) {
        serve_one();
        budget--;
    }
    task_.running = false;
    if (!put_off_ && std::exchange(end_waits_, false) && !connection_.closed()) {
        end_of_input();
    }
    if (serving_ == Serving::kQueued && !may_take_more()) {
        connection_.flush();  // now: nobody would tell when the end of the group has made room
    }
    if (serving_ == Serving::kQueued && may_take_more()) {
        schedule();
    }
}

bool Http1Session::next_is_ready() {
    if (reading_ == Reading::kHead && !in_.empty()) {
        read_kept();
    }
    return serving_ == Serving::kQueued;
}

// What came while the request before was handled.
void Http1Session::read_kept() {
    in_.consume(feed(in_.data(), in_.size()));
    bool open = !connection_.closing() && !connection_.closed();
    if (open && !put_off_ && in_.size() <= service_.limits(connection_).pending_in) {
        connection_.resume_reading();
    }
}

void Http1Session::serve_one() {
    serving_ = Serving::kHandled;
    Exchange& exchange = *exchange_;
    if (service_.requests().at_limit()) {
        refuse(503);
        return;
    }
    if (exchange.head.method == Method::kOptions && exchange.text(exchange.head.path) == "*") {
        respond_to_options();
        return;
    }
    if (exchange.head.upgrade && !in_body() && become_http2()) {
        return;
    }
    service_.requests().started(exchange);
    exchange.hold();
    service_.handler().handle(exchange);
    exchange.release();
}

bool Http1Session::become_http2() {
    if (!service_.settings().http2.offered_on(connection_.port_index) ||
        !upgrade_to_http2(*exchange_, in_.view())) {
        return false;
    }
    exchange_ = nullptr;
    stop();
    in_.release();
    return true;
}

void Http1Session::respond_to_options() {
    static constexpr FieldRef kAllow{"Allow",
                                     "GET, HEAD, POST, PUT, PATCH, DELETE, QUERY, OPTIONS"};
    service_.requests().started(*exchange_);
    ResponseHead head;
    head.fields = &kAllow;
    head.field_count = 1;
    if (exchange_->send_head(head, 0)) {
        exchange_->finish();
    }
}

// Unread responses stop the intake: memory for a peer that never reads is bounded.
bool Http1Session::may_take_more() {
    const HttpLimits& limits = service_.limits(connection_);
    return connection_.pending() <= limits.pending_out &&
           connection_.pending_files() < limits.pending_files;
}

void Http1Session::on_drained() {
    if (serving_ == Serving::kQueued || (waits_for_dispatch() && !in_.empty())) {
        schedule();
    }
    if (serving_ == Serving::kHandled) {
        service_.handler().drained(*exchange_);
    }
}

void Http1Session::on_end() {
    if (waits_for_dispatch() && !in_.empty()) {
        end_waits_ = true;
        schedule();
        return;
    }
    end_of_input();
}

void Http1Session::end_of_input() {
    (void)next_is_ready();  // a request that came whole, and was not looked at yet
    if (serving_ != Serving::kNothing && !in_body()) {
        keep_alive_ = KeepAlive::kEnds;  // a whole request came: its response is still sent
        return;
    }
    drop_exchange();  // half a request: the application never hears of it
    stop();
    connection_.close_after_flush();
}

void Http1Session::on_deadline() {
    if (in_body() || (reading_ == Reading::kHead && !in_.empty())) {
        refuse(408);
    } else if (reading_ == Reading::kHead) {
        stop();
        connection_.close_after_flush();
    }
}

void Http1Session::on_closed() {
    stop();
    task_.unlink();
    drop_exchange();
    service_.forget(connection_);
}

// The exchange goes on without its connection: its holders then have no peer to respond to.
void Http1Session::drop_exchange() {
    if (exchange_ != nullptr) {
        part(Parting::kLost);
    }
}

// Nothing more is read; what was taken comes to its end.
void Http1Session::stop() {
    reading_ = Reading::kNothing;
    serving_ = Serving::kNothing;
}

void Http1Session::part(Parting how) { std::exchange(exchange_, nullptr)->part(connection_, how); }

bool Http1Session::upgrade(Exchange&, FieldList fields, std::unique_ptr<net::Session> next) {
    if (in_body()) {
        return false;
    }
    Buffer& out = connection_.cork();
    proto::http1::append_status_line(out, 101);
    for (const FieldRef& field : fields) {
        proto::http1::append_field(out, field.name, field.value);
    }
    proto::http1::append_end_of_head(out);
    connection_.mark_dirty();
    connection_.set_deadline(kNever);
    part(Parting::kUpgraded);
    stop();
    net::Session& successor = *next;
    service_.connections().hand_over(connection_, {std::move(next)});
    connection_.resume_reading();
    if (!in_.empty()) {
        successor.on_bytes(in_.data(), in_.size());
    }
    in_.release();
    return true;
}

void Http1Session::drain() {
    if (idle()) {
        stop();
        connection_.close_after_flush();
    } else if (exchange_ != nullptr) {
        keep_alive_ = KeepAlive::kEnds;
    }
}

}  // namespace stampede::server
