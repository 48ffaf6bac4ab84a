#include "server/http2/queue.h"

#include "server/http2/wire.h"
#include "server/service.h"

namespace stampede::server {

Http2Queue::Http2Queue(Http2Wire& wire) : wire_(wire) {
    task_.queue = this;
    task_.run = [](loop::Task& task) { static_cast<Task&>(task).queue->serve(); };
}

// Called inside of the protocol as well, so it only notes. A stream whose head is out has got its
// response, as far as the queue is concerned, and does not come again.
void Http2Queue::add(Http2Stream& stream) {
    if (!stream.ReadyNode::linked() && !stream.response.submitted) {
        ready_.push_back(stream);
    }
    schedule();
}

void Http2Queue::schedule() {
    if (!task_.linked() && !serving_) {
        wire_.service().loop().enqueue(task_);
    }
}

// A handler may end its own stream, or the connection, before it returns: nothing is kept from one
// round to the next but this object, which its session keeps until the connection is freed at the
// end of the iteration. Requests beyond the budget wait for the next ready phase, so that other
// connections have their turn.
void Http2Queue::serve() {
    serving_ = true;
    uint32_t budget = wire_.limits().requests_per_iteration;
    while (budget > 0) {
        Http2Stream* stream = ready_.pop_front();
        if (stream == nullptr) {
            break;
        }
        serve_one(*stream);
        budget--;
    }
    serving_ = false;
    wire_.connection().mark_dirty();  // the protocol may have frames of its own to send
    if (!ready_.empty()) {
        schedule();
    }
}

void Http2Queue::serve_one(Http2Stream& stream) {
    Exchange& exchange = *stream.exchange;
    if (stream.request.refusal == 0 && wire_.service().requests().at_limit()) {
        stream.request.refusal = 503;
    }
    bool asks_server = exchange.head.method == proto::http::Method::kOptions &&
                       exchange.text(exchange.head.path) == "*";
    if (stream.request.refusal != 0 || asks_server) {
        send_ready_made(stream);
        return;
    }
    wire_.service().requests().started(exchange);
    // The stream may be gone afterwards, and without this the exchange as well.
    exchange.hold();
    wire_.service().handler().handle(exchange);
    exchange.release();
}

void Http2Queue::send_ready_made(Http2Stream& stream) {
    static constexpr FieldRef kAllow{"allow",
                                     "GET, HEAD, POST, PUT, PATCH, DELETE, QUERY, OPTIONS"};
    Exchange& exchange = *stream.exchange;
    static constexpr FieldRef kRetryAfter{"retry-after", "1"};
    ResponseHead head;
    head.default_type = "text/plain";
    if (stream.request.refusal == 0 || stream.request.refusal == 503) {
        head.fields = stream.request.refusal == 0 ? &kAllow : &kRetryAfter;
        head.field_count = 1;
    }
    if (stream.request.refusal == 0) {
        exchange.send_head(head, 0);
    } else {
        head.status = stream.request.refusal;
        wire_.service().count_refusal(head.status);
        std::string_view text = proto::http::reason_phrase(stream.request.refusal);
        exchange.send_head(head, text.size());
        exchange.send_body(text);
    }
    exchange.finish();
}

}  // namespace stampede::server
