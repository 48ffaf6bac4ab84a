// The requests of one connection that wait for the ready phase of the loop, where they are handed
// to the handler or get a ready-made response. Owned by its session; loop thread; never parks.
#pragma once

#include "loop/loop.h"
#include "server/http2/stream.h"

namespace stampede::server {

class Http2Wire;

class Http2Queue {
public:
    explicit Http2Queue(Http2Wire& wire);
    ~Http2Queue() { stop(); }
    Http2Queue(const Http2Queue&) = delete;
    Http2Queue& operator=(const Http2Queue&) = delete;

    // Once for each stream, until it has its response.
    void add(Http2Stream& stream);
    bool empty() const { return ready_.empty(); }
    // In the next ready phase.
    void schedule();
    void stop() { task_.unlink(); }

private:
    struct Task : loop::Task {
        Http2Queue* queue;
    };

    void serve();
    void serve_one(Http2Stream& stream);
    void send_ready_made(Http2Stream& stream);

    Http2Wire& wire_;
    List<Http2Stream, ReadyNode> ready_;
    Task task_;
    bool serving_ = false;
};

}  // namespace stampede::server
