// The input half: bytes -> heads and bodies -> exchanges. The output half is http1_answer.cc.
#include "server/http1_session.h"

#include <cstring>

#include "proto/http1/response_head.h"
#include "server/service.h"

namespace stampede::server {

using proto::http::Method;
using proto::http::ParseStatus;

Http1Session::Http1Session(Service& service, net::Connection& connection)
    : service_(service), connection_(connection) {
    task_.session = this;
    task_.run = [](loop::Task& task) { static_cast<ServeTask&>(task).session->serve(); };
    connection.set_deadline(connection.opened_at + service.settings().limits.header_time);
}

Http1Session::~Http1Session() { task_.unlink(); }

void Http1Session::on_bytes(const char* data, size_t size) {
    if (upgraded_ != nullptr) {
        upgraded_->on_bytes(data, size);
        return;
    }
    if (state_ == State::kClosed) {
        return;
    }
    if (in_.empty() && (state_ == State::kHead || state_ == State::kBody)) {
        size_t used = feed(data, size);
        if (used < size && state_ != State::kClosed) {
            keep(data + used, size - used);
        }
        return;
    }
    keep(data, size);
    if (state_ == State::kHead) {
        in_.consume(feed(in_.data(), in_.size()));
    }
}

// What cannot be used yet. Parsers may look past the end, so there is always room behind it.
void Http1Session::keep(const char* data, size_t size) {
    in_.append({data, size});
    (void)in_.reserve(net::Hub::kPadding);
    if (state_ != State::kHead && in_.size() > service_.settings().limits.pending_in) {
        connection_.pause_reading();
    }
}

// Takes bytes until one request is complete. Returns how many were used.
size_t Http1Session::feed(const char* data, size_t size) {
    size_t used = 0;
    if (state_ == State::kHead) {
        used = feed_head(data, size);
    }
    if (state_ == State::kBody) {
        used += feed_body(data + used, size - used);
    }
    return used;
}

size_t Http1Session::feed_head(const char* data, size_t size) {
    Exchange& exchange = service_.acquire();
    auto result = proto::http1::parse_request_head(data, size, scanned_,
                                                   service_.settings().limits.head, exchange.head);
    if (result.status == ParseStatus::kDone) {
        exchange_ = &exchange;
        exchange.adopt_head(data, result.consumed);
        scanned_ = 0;
        if (accept_request()) {
            begin_body();
        }
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

// A head in pieces: its whole time counts from its first byte (for the first request, from the
// connection's start).
void Http1Session::begin_head_wait() {
    Nanos limit = service_.settings().limits.header_time;
    if (!first_) {
        connection_.set_deadline(service_.loop().turn_time() + limit);
    }
}

// What needs no application to be answered. False: already answered, or refused.
bool Http1Session::accept_request() {
    Exchange& exchange = *exchange_;
    exchange.connection_ = &connection_;
    exchange.session_ = this;
    exchange.connection_id_ = static_cast<int64_t>(connection_.id());
    exchange.received_at_ = service_.loop().turn_time();
    const auto& head = exchange.head;
    last_ = !head.keep_alive;
    first_ = false;
    if (head.method == Method::kTrace || head.method == Method::kConnect) {
        refuse(405);
        return false;
    }
    if (head.method == Method::kOther) {
        for (char c : exchange.text(head.method_text)) {
            if (c >= 'a' && c <= 'z') {
                refuse(501);
                return false;
            }
        }
    }
    if (head.has_content_length && head.content_length > service_.settings().limits.body_bytes) {
        refuse(413);
        return false;
    }
    return true;
}

void Http1Session::begin_body() {
    const auto& head = exchange_->head;
    if (!head.chunked && head.content_length == 0) {
        request_complete();
        return;
    }
    state_ = State::kBody;
    body_left_ = head.content_length;
    body_since_ = service_.loop().turn_time();
    if (head.chunked) {
        chunked_ = std::make_unique<proto::http1::ChunkedDecoder>(service_.settings().limits.head);
    } else {
        (void)exchange_->body_.reserve(body_left_ < net::Hub::kReadSize ? body_left_
                                                                        : net::Hub::kReadSize);
    }
    connection_.set_deadline(body_since_ + service_.settings().limits.body_gap);
}

size_t Http1Session::feed_body(const char* data, size_t size) {
    if (size == 0) {
        if (exchange_->head.expect_continue) {
            exchange_->head.expect_continue = false;
            connection_.cork().append(proto::http1::kContinue);
            connection_.mark_dirty();
        }
        return 0;
    }
    exchange_->head.expect_continue = false;
    size_t used = exchange_->head.chunked ? feed_chunked(data, size) : feed_counted(data, size);
    if (state_ != State::kBody) {
        return used;
    }
    if (body_too_slow()) {
        refuse(408);
        return size;
    }
    connection_.set_deadline(service_.loop().turn_time() + service_.settings().limits.body_gap);
    return used;
}

bool Http1Session::body_too_slow() const {
    const HttpLimits& limits = service_.settings().limits;
    Nanos elapsed = service_.loop().turn_time() - body_since_;
    if (elapsed <= limits.body_rate_after) {
        return false;
    }
    return exchange_->body_.size() < limits.body_rate * static_cast<uint64_t>(elapsed / kSecond);
}

size_t Http1Session::feed_counted(const char* data, size_t size) {
    size_t take = size < body_left_ ? size : static_cast<size_t>(body_left_);
    exchange_->body_.append({data, take});
    body_left_ -= take;
    if (body_left_ == 0) {
        request_complete();
    }
    return take;
}

size_t Http1Session::feed_chunked(const char* data, size_t size) {
    uint64_t limit = service_.settings().limits.body_bytes;
    Buffer& body = exchange_->body_;
    bool too_large = false;
    auto result = chunked_->feed(data, size, [&](std::string_view bytes) {
        too_large = body.size() + bytes.size() > limit;
        if (!too_large) {
            body.append(bytes);
        }
        return !too_large;
    });
    if (too_large || chunked_->chunk_remaining() > limit) {
        refuse(413);
        return size;
    }
    if (result.status == ParseStatus::kBad) {
        refuse(result.http_status);
        return size;
    }
    if (result.status == ParseStatus::kDone) {
        chunked_.reset();
        request_complete();
    }
    return result.consumed;
}

void Http1Session::request_complete() {
    state_ = State::kQueued;
    connection_.set_deadline(
        kNever);  // the handler takes the time it takes; the peer is not at fault
    schedule();
}

void Http1Session::schedule() {
    if (!task_.linked() && !serving_) {
        service_.loop().enqueue(task_);
    }
}

// The ready phase: hands over what is complete, and as long as handlers finish at once, what was
// pipelined behind it.
void Http1Session::serve() {
    serving_ = true;
    uint32_t budget = service_.settings().limits.requests_per_turn;
    while (budget > 0 && serve_one()) {
        budget--;
    }
    serving_ = false;
    connection_.flush();
    if (state_ == State::kQueued && may_take_more()) {
        schedule();
    }
}

// One request to the handler; true when it was answered at once and the next one is complete.
bool Http1Session::serve_one() {
    if (state_ != State::kQueued || !may_take_more()) {
        return false;
    }
    state_ = State::kHandling;
    Exchange& exchange = *exchange_;
    if (service_.over_concurrency()) {
        refuse(503);
        return false;
    }
    if (exchange.head.method == Method::kOptions && exchange.text(exchange.head.path) == "*") {
        (void)answer_options();
        return state_ == State::kQueued;
    }
    service_.request_started(exchange);
    exchange.hold();
    service_.handler().handle(exchange);
    exchange.release();
    return state_ == State::kQueued;
}

bool Http1Session::answer_options() {
    static constexpr FieldRef kAllow{"Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"};
    service_.request_started(*exchange_);
    ResponseHead head;
    head.fields = &kAllow;
    head.field_count = 1;
    return exchange_->send_head(head, 0) && exchange_->finish();
}

// Unread answers stop the intake: memory for a peer that never reads is bounded.
bool Http1Session::may_take_more() {
    const HttpLimits& limits = service_.settings().limits;
    return connection_.pending() <= limits.pending_out &&
           connection_.pending_files() < limits.pending_files;
}

void Http1Session::on_drained() {
    if (upgraded_ != nullptr) {
        upgraded_->on_drained();
        return;
    }
    if (state_ == State::kQueued) {
        schedule();
    }
    if (exchange_ != nullptr && state_ == State::kHandling) {
        service_.handler().drained(*exchange_);
    }
}

void Http1Session::on_end() {
    if (upgraded_ != nullptr) {
        upgraded_->on_end();
        return;
    }
    if (state_ == State::kQueued || state_ == State::kHandling) {
        last_ = true;  // a whole request came: it is still answered
        return;
    }
    drop_exchange();  // half a request: the application never hears of it
    state_ = State::kClosed;
    connection_.close_after_flush();
}

void Http1Session::on_deadline() {
    if (upgraded_ != nullptr) {
        upgraded_->on_deadline();
        return;
    }
    if (state_ == State::kBody || (state_ == State::kHead && !in_.empty())) {
        refuse(408);
    } else if (state_ == State::kHead) {
        state_ = State::kClosed;
        connection_.close_after_flush();
    }
}

void Http1Session::on_closed() {
    state_ = State::kClosed;
    if (upgraded_ != nullptr) {
        upgraded_->on_closed();
    }
    task_.unlink();
    drop_exchange();
    service_.forget(connection_);
}

// The exchange goes on without its connection: its holders find nobody to answer to.
void Http1Session::drop_exchange() {
    if (exchange_ == nullptr) {
        return;
    }
    Exchange& exchange = *exchange_;
    service_.request_ended(exchange);
    exchange_ = nullptr;
    exchange.connection_ = nullptr;
    exchange.session_ = nullptr;
    if (exchange.user != nullptr) {
        service_.handler().cut_off(exchange);
    }
    exchange.release();
}

void Http1Session::upgrade(Exchange& exchange, std::string_view head,
                           std::unique_ptr<UpgradedSession> upgraded) {
    connection_.cork().append(head);
    connection_.mark_dirty();
    connection_.set_deadline(kNever);
    service_.request_ended(exchange);
    service_.line().responses.add(1);
    exchange.answer_ = AnswerState::kEnded;
    exchange.connection_ = nullptr;
    exchange.session_ = nullptr;
    exchange_ = nullptr;
    exchange.release();
    state_ = State::kClosed;
    upgraded_ = std::move(upgraded);
    connection_.resume_reading();
    if (!in_.empty()) {
        upgraded_->on_bytes(in_.data(), in_.size());
    }
    in_.release();
}

void Http1Session::drain() {
    if (upgraded_ != nullptr) {
        upgraded_->drain();
        return;
    }
    if (idle()) {
        state_ = State::kClosed;
        connection_.close_after_flush();
    } else {
        last_ = true;
    }
}

}  // namespace stampede::server
