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

    net::Spoken speaks() const override { return net::Spoken::kHttp1; }
    void on_bytes(const char* data, size_t size) override;
    Room room() override;
    void on_read(size_t size) override;
    void on_end() override;
    void on_drained() override;
    void look_again() override { schedule(); }
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
    bool upgrade(Exchange& exchange, FieldList fields, std::unique_ptr<net::Session> next) override;
    void body_wanted(Exchange& exchange) override;
    uint64_t pending(const Exchange&) const override { return connection_.pending(); }
    bool blocked(const Exchange&) const override { return connection_.write_blocked(); }

    Exchange* open_exchange(const ExchangeKey& key) const override {
        return serving_ == Serving::kHandled && exchange_->fits(key) ? exchange_ : nullptr;
    }
    void drain() override;
    bool idle() const override { return reading_ == Reading::kHead && in_.empty(); }
    // What another worker has read of this connection; the first request was dispatched there.
    void take_over(std::string_view bytes);

private:
    // Where the next bytes go.
    enum class Reading : uint8_t {
        kHead,      // between requests, or a head in pieces
        kBody,      // the whole of it comes before the request is handled
        kStreamed,  // a body that is read while its request is handled
        kHeldBack,  // the same, and its reader lags: the peer has to wait
        kLater,     // to the requests after the present one: they are kept
        kNothing,   // nothing is read any more
    };
    // Where the present request is.
    enum class Serving : uint8_t {
        kNothing,  // it is not complete, or there is none
        kQueued,   // it waits for the ready phase
        kHandled,  // with the handler
    };
    enum class KeepAlive : uint8_t {
        kFresh,  // no whole head came yet
        kStays,
        kEnds,  // no request after the present one
    };

    struct ServeTask : loop::Task {
        Http1Session* session;
        bool running = false;
    };

    size_t feed(const char* data, size_t size);
    size_t feed_head(const char* data, size_t size);
    size_t feed_body(const char* data, size_t size);
    size_t feed_chunked(const char* data, size_t size);
    size_t feed_counted(const char* data, size_t size);
    bool body_went_on();
    void accept_request();
    void respond_to_options();
    bool become_http2();
    bool streams() const {
        return reading_ == Reading::kStreamed || reading_ == Reading::kHeldBack;
    }
    bool in_body() const { return reading_ == Reading::kBody || streams(); }
    bool takes_bytes() const { return reading_ == Reading::kHead || in_body(); }
    bool ends() const { return keep_alive_ == KeepAlive::kEnds; }
    // Heads are looked at in the ready phase then, where user code may run.
    bool waits_for_dispatch() const { return dispatches_ && reading_ == Reading::kHead; }
    bool is_dispatched(std::string_view bytes, size_t& used);
    void end_of_input();
    void begin_body();
    void offer_continue();
    void stream_piece();
    void begin_head_wait();
    void body_complete();
    void request_complete();
    void keep(const char* data, size_t size);
    void serve();
    bool next_is_ready();
    void serve_one();
    void read_kept();
    bool may_take_more();
    void refuse(int status);
    void settle_framing(Exchange& exchange, const ResponseHead& head, uint64_t body_length);
    void append_unusual_fields(Buffer& out, const ResponseHead& head);
    void schedule();
    void go_on();
    void close_after_response();
    void stop();
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
    Reading reading_ = Reading::kHead;
    Serving serving_ = Serving::kNothing;
    KeepAlive keep_alive_ = KeepAlive::kFresh;
    bool chunks_ = false;  // the response's body is framed so
    bool dispatches_;
    bool settled_ = false;    // the next request is handled here
    bool end_waits_ = false;  // for the ready phase
    bool put_off_ = false;    // the next request is dispatched later
};

}  // namespace stampede::server
