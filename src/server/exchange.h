// One HTTP request and its response: the bridge between a session and the handler of the request.
// Taken from the service's pool when a head begins, counted by its holders (session, handler, PHP
// objects), back in the pool when the last one lets go. Loop thread; never parks.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "base/list.h"
#include "metrics/http.h"
#include "net/connection.h"
#include "proto/http/request_head.h"
#include "server/body_promise.h"
#include "server/head_text.h"
#include "server/request_body.h"
#include "server/spares.h"

namespace stampede::server {

class Service;
class HttpSession;
struct Http2Stream;

struct FieldRef {
    std::string_view name;
    std::string_view value;
};
using FieldList = std::span<const FieldRef>;

// Fields that the server would add itself and the handler already gave.
enum GivenField : uint32_t {
    kGivenContentType = 1,
    kGivenDate = 2,
    kGivenServer = 4,
    kGivenConnectionClose = 8,
};

// The response's head as the handler wants it. Names and values are valid (no CR, LF, NUL);
// Content-Length, Transfer-Encoding, Connection and Keep-Alive are not among the fields: framing is
// the server's.
struct ResponseHead {
    int status = 200;         // 500 when it is none that ends a request
    std::string_view reason;  // empty: the usual one
    const FieldRef* fields = nullptr;
    uint32_t field_count = 0;
    uint32_t given = 0;  // GivenField bits
    std::string_view default_type =
        "text/html";                 // Content-Type when none is given and there is a body
    bool type_without_body = false;  // also when there is none
};

enum class ResponseState : uint8_t {
    kNone,       // nothing sent
    kStreaming,  // head sent, body goes on
    kEnded,      // complete
};

// How an exchange ends for its session.
enum class Parting : uint8_t {
    kComplete,  // the response is
    kAborted,   // the response will never be
    kUpgraded,  // the response was a change of the protocol
    kLost,      // its peer has gone
};

// Which request of a connection is meant: 0 is any.
struct ExchangeKey {
    uint32_t number = 0;
    uint32_t remote_response = 0;
    int32_t stream_id = 0;
};

class Exchange {
public:
    // Request.
    proto::http::RequestHead head;
    HeadText head_text;  // which the head's slices point into
    RequestBody body;
    std::string_view text(proto::http::Slice slice) const { return slice.in(head_text.bytes()); }
    Nanos received_at() const { return received_at_; }  // monotonic
    int64_t connection_id() const { return connection_id_; }
    // Of HTTP/2; 0: the request came by HTTP/1.
    int32_t stream_id() const { return stream_id_; }
    bool is_head_request() const { return head.method == proto::http::Method::kHead; }
    // The reader of a streamed body wants more; bytes: what it took.
    void consume_body(size_t bytes);

    Service& service() const { return service_; }
    // Null when the connection is gone.
    net::Connection* connection() const { return connection_; }
    bool writable() const {
        return connection_ != nullptr && response_ != ResponseState::kEnded && !detached_;
    }

    // Response. Each returns false when the peer is gone or the response is complete.
    ResponseState response() const { return response_; }
    bool send_head(const ResponseHead& head, uint64_t body_length);
    // 103 (Early Hints), before send_head().
    bool send_hints(const FieldRef* fields, uint32_t count);
    bool send_body(std::string_view bytes);
    bool send_body_ref(const net::BytesRef& bytes);
    bool send_file(const net::FileRange& file);
    bool send_trailers(const FieldRef* fields, uint32_t count);
    bool finish();
    // The response cannot be completed: close without pretending that it was.
    void abort();
    // Hands the connection over to the next session; see HttpSession::upgrade(). False when the
    // peer is gone, a response has begun, or the protocol has no such thing.
    bool upgrade(FieldList fields, std::unique_ptr<net::Session> next);
    // To the peer of an HTTP/2 connection, see HttpSession. False when there is none.
    bool goaway(uint32_t error, std::string_view text);
    bool ping(std::string_view payload);
    // Bytes of the response that have not left yet, and whether they wait for the peer: then
    // Handler::drained() follows.
    uint64_t pending() const;
    bool blocked() const;
    // For the access log: the status that was sent, 0 as long as there is none, and bytes of its
    // body.
    int response_status() const { return response_status_; }
    uint64_t response_bytes() const { return promise.suppressed() ? 0 : response_bytes_; }
    // Another object will finish this exchange later (Response::detach).
    bool detached() const { return detached_; }
    // Another process of the server writes the response: the number that its pieces have. 0: none.
    uint32_t remote_response = 0;
    void set_detached(bool detached);
    // That other processes of the server know it by; 0: they do not.
    uint32_t number = 0;
    bool fits(const ExchangeKey& key) const {
        return (key.number == 0 || key.number == number) &&
               (key.remote_response == 0 || key.remote_response == remote_response) &&
               (key.stream_id == 0 || key.stream_id == stream_id_);
    }

    void hold() { references_++; }
    void release();

    // The handler's own: coroutines that wait to write, and for the body, by nodes of their control
    // blocks.
    List<ListNode> writers;
    List<ListNode> readers;

    // Of the metrics, when there are any: what the application has called its kind of request, how
    // it is handled, and since when (0: not yet).
    uint16_t route = metrics::Board::kNoRoute;
    metrics::Isolation isolation = metrics::Isolation::kNone;
    Nanos handled_at = 0;
    Nanos first_byte_at() const { return first_byte_at_; }
    bool in_metrics = false;  // counted already

    // For sessions: the exchange begins with a request of theirs, which they hold. part() is their
    // last call: it lets go. carrier: the connection that the request came by.
    void begin(HttpSession& session, net::Connection& connection, Http2Stream* stream = nullptr);
    void part(const net::Connection& carrier, Parting how);
    // Bytes that the body may have, by its port and its path. Only while there is a connection.
    uint64_t body_limit() const;
    // 0, or the status of the refusal. The rest of the body is for RequestBody.
    int begin_body();
    BodyPromise promise;            // of the response's head
    Http2Stream* stream = nullptr;  // of HTTP/2

    // Of its name, see request_id.h; 0: it has none yet.
    uint64_t id = 0;
    // The access log passes over it.
    bool unlogged = false;

    // For RequestCounts: it is counted as being handled, and its place among them.
    bool counted = false;
    uint16_t board_place = 0xffff;

private:
    friend class ExchangePool;
    friend class Spares<Exchange>;

    explicit Exchange(Service& service) : service_(service) {}
    bool has_two_boundaries() const;
    void write_head(const ResponseHead& head, uint64_t body_length);
    bool waited_for() const { return !writers.empty() || !readers.empty(); }
    int status_for_log(Parting how) const;
    uint8_t ending(Parting how) const;
    void count_whole();
    void reset();

    Service& service_;
    net::Connection* connection_ = nullptr;
    HttpSession* session_ = nullptr;
    int64_t connection_id_ = 0;
    Nanos received_at_ = 0;
    Nanos first_byte_at_ = 0;  // 0: with the last one
    uint32_t references_ = 0;
    int32_t stream_id_ = 0;
    ResponseState response_ = ResponseState::kNone;
    int response_status_ = 0;
    uint64_t response_bytes_ = 0;
    bool detached_ = false;
    Exchange* next_spare = nullptr;  // of the pool

public:
    ~Exchange() = default;
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;
};

// Handles requests. One of the seams: coroutines running PHP, a lambda in tests. Loop thread.
class Handler {
public:
    virtual ~Handler() = default;
    // The head of a request with a body is complete. In the dispatch phase, where no user code
    // runs; may say where the body goes.
    virtual void body_begins(Exchange& exchange) { (void)exchange; }
    // In the ready phase. The exchange is held for the call; hold() it to keep it. May finish it at
    // once or later.
    virtual void handle(Exchange& exchange) = 0;
    // The connection is gone while coroutines of the handler wait for this exchange (its writers or
    // its readers).
    virtual void cut_off(Exchange& exchange) { (void)exchange; }
    // Of a streamed body: more has come, or all of it, or nothing more is taken since the response
    // is complete. In the dispatch phase, as cut_off().
    virtual void body_arrived(Exchange& exchange) { (void)exchange; }
    // What blocked the exchange's response has been written.
    virtual void drained(Exchange& exchange) { (void)exchange; }
    // A connection was opened or is gone (after its exchanges were cut off).
    virtual void opened(net::Connection& connection) { (void)connection; }
    virtual void closed(net::Connection& connection) { (void)connection; }
};

}  // namespace stampede::server
