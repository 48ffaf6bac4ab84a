// HTTP/1 on one connection: heads and bodies in, one exchange at a time to the handler, responses
// out in order. Owned by its connection; loop thread; never parks. Bytes are read and parsed in the
// dispatch phase, handlers run in the ready phase (serve), so that no core function is re-entered
// from user code.
#pragma once

#include "net/connection.h"
#include "proto/http1/chunked.h"
#include "server/http_session.h"

namespace stampede::server {

class Http1Session final : public HttpSession {
public:
    Http1Session(Service& service, net::Connection& connection);
    ~Http1Session() override;

    void on_bytes(const char* data, size_t size) override;
    Room room() override;
    void on_read(size_t size) override;
    void on_end() override;
    void on_drained() override;
    void on_deadline() override;
    void on_closed() override;

    void write_head(Exchange& exchange, const ResponseHead& head, uint64_t body_length) override;
    void write_hints(Exchange& exchange, const FieldRef* fields, uint32_t count) override;
    void write_body(Exchange& exchange, std::string_view bytes) override;
    void write_body_ref(Exchange& exchange, const net::BytesRef& bytes) override;
    void write_file(Exchange& exchange, const net::FileRange& file) override;
    void write_trailers(Exchange& exchange, const FieldRef* fields, uint32_t count) override;
    void finish(Exchange& exchange) override;
    void abort(Exchange& exchange) override;
    // What comes from now on is for the next session.
    bool upgrade(Exchange& exchange, std::string_view head,
                 std::unique_ptr<net::Session> next) override;
    void body_wanted(Exchange& exchange) override;
    uint64_t pending(const Exchange&) const override { return connection_.pending(); }
    bool blocked(const Exchange&) const override { return connection_.write_blocked(); }

    Exchange* open_exchange() const override {
        return state_ == State::kHandling ? exchange_ : nullptr;
    }
    void drain() override;
    bool idle() const override { return state_ == State::kHead && in_.empty(); }

private:
    enum class State : uint8_t {
        kHead,      // between requests, or a head in pieces
        kBody,      // the exchange's body is coming
        kQueued,    // complete, waits for the ready phase
        kHandling,  // with the handler
        kClosed,    // nothing will be read any more
    };

    struct ServeTask : loop::Task {
        Http1Session* session;
    };

    size_t feed(const char* data, size_t size);
    size_t feed_head(const char* data, size_t size);
    size_t feed_body(const char* data, size_t size);
    size_t feed_chunked(const char* data, size_t size);
    size_t feed_counted(const char* data, size_t size);
    bool body_went_on();
    void accept_request();
    bool respond_to_options();
    bool become_http2();
    bool takes_bytes() const {
        return state_ == State::kHead || state_ == State::kBody || streaming_;
    }
    void begin_body();
    void offer_continue();
    void stream_piece();
    void begin_head_wait();
    void body_complete();
    void request_complete();
    void keep(const char* data, size_t size);
    void serve();
    bool serve_one();
    bool may_take_more();
    void refuse(int status);
    void settle_framing(Exchange& exchange, const ResponseHead& head, uint64_t body_length);
    void append_unusual_fields(Buffer& out, const ResponseHead& head);
    void schedule();
    void after_response(bool keep_alive);
    void end_response(Exchange& exchange);
    void part(Parting how);
    void drop_exchange();

    // A head comes with the beginning of its body, which is copied then: the rest is not.
    static constexpr size_t kHeadRead = 16 * 1024;

    Service& service_;
    net::Connection& connection_;
    Exchange* exchange_ = nullptr;
    Buffer in_;           // bytes after the present request, or a head in pieces
    size_t scanned_ = 0;  // of in_, by an unfinished head
    uint64_t body_left_ = 0;
    std::unique_ptr<proto::http1::ChunkedDecoder> chunked_;
    ServeTask task_;
    State state_ = State::kHead;
    bool serving_ = false;
    bool streaming_ = false;  // the present exchange is served, its body still comes
    bool held_back_ = false;  // and waits for its reader
    bool first_ = true;       // no whole head came yet
    bool last_ = false;       // no request after the present one
    bool chunks_ = false;     // the response's body is framed so
};

}  // namespace stampede::server
