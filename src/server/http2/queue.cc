#include "server/http2/queue.h"

#include "server/http2/wire.h"
#include "server/service.h"

namespace stampede::server {

Http2Queue::Http2Queue(Http2Wire& wire) : wire_(wire) {
    task_.queue = this;
    task_.run = [](loop::Task& task) { static_cast<Task&>(task).queue->serve(); };
}

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
    wire_.connection().mark_dirty();  // nghttp2 may have frames of its own to send
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
    exchange.hold();
    wire_.service().handler().handle(exchange);
    exchange.release();
}

void Http2Queue::send_ready_made(Http2Stream& stream) {
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

}  // namespace stampede::server
