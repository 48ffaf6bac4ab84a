// One HTTP request and its answer: the bridge between a session and whoever handles the request.
// Taken from the service's pool when a head begins, counted by its holders (session, handler, PHP
// objects), back in the pool when the last one lets go. Loop thread; never parks.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/buffer.h"
#include "net/connection.h"
#include "proto/http1/request_head.h"

namespace stampede::server {

class Service;
class Http1Session;
class UpgradedSession;

struct FieldRef {
    std::string_view name;
    std::string_view value;
};

// Fields that the server would add itself and the handler already gave.
enum GivenField : uint32_t {
    kGivenContentType = 1,
    kGivenDate = 2,
    kGivenServer = 4,
    kGivenConnectionClose = 8,
};

// The answer's head as the handler wants it. Names and values are valid (no CR, LF, NUL);
// Content-Length, Transfer-Encoding, Connection and Keep-Alive are not among the fields: framing is
// the server's.
struct ResponseHead {
    int status = 200;
    std::string_view reason;  // empty: the usual one
    const FieldRef* fields = nullptr;
    uint32_t field_count = 0;
    uint32_t given = 0;  // GivenField bits
    std::string_view default_type =
        "text/html";  // Content-Type when none is given and there is a body
};

inline constexpr uint64_t kUnknownLength = UINT64_MAX;

enum class AnswerState : uint8_t {
    kNone,       // nothing sent
    kStreaming,  // head sent, body goes on
    kEnded,      // complete
};

class Exchange {
public:
    // Request.
    proto::http1::RequestHead head;
    std::string_view text(proto::http::Slice slice) const { return slice.in(bytes_); }
    const char* head_bytes() const { return bytes_; }
    std::string_view body() const { return body_.view(); }
    Buffer& body_buffer() { return body_; }
    Nanos received_at() const { return received_at_; }  // monotonic
    int64_t connection_id() const { return connection_id_; }

    // Null when the connection is gone.
    net::Connection* connection() const { return connection_; }
    bool writable() const {
        return connection_ != nullptr && answer_ != AnswerState::kEnded && !detached_;
    }
    bool is_head_request() const { return head.method == proto::http::Method::kHead; }

    // Answer. Each returns false when there is nobody to send to or the answer is complete.
    AnswerState answer() const { return answer_; }
    bool detached() const { return detached_; }
    bool send_head(const ResponseHead& head, uint64_t body_length);
    bool send_body(std::string_view bytes);
    bool send_body_ref(const net::BytesRef& bytes);
    bool send_file(const net::FileRange& file);
    bool send_trailers(const FieldRef* fields, uint32_t count);
    bool finish();
    // The answer cannot be completed: close without pretending that it was.
    void abort();
    // Hands the connection over; see Http1Session::upgrade(). False when there is nobody, or an
    // answer has begun.
    bool upgrade(std::string_view head_bytes, std::unique_ptr<UpgradedSession> upgraded);
    Service& service() { return service_; }
    // Another object will finish this exchange later (Response::detach).
    void set_detached(bool detached) { detached_ = detached; }

    void hold() { references_++; }
    void release();

    uint64_t body_remaining = kUnknownLength;  // of a promised length; the session's bookkeeping
    bool body_suppressed = false;              // HEAD, 204, 304: bytes are counted and dropped
    bool chunked_answer = false;
    bool counted = false;  // between request_started and request_ended
    uint16_t board_place = 0xffff;
    void* user = nullptr;  // the handler's own

private:
    friend class Service;
    friend class Http1Session;

    static constexpr size_t kInlineBytes = 1536;
    explicit Exchange(Service& service) : service_(service) {}
    void adopt_head(const char* data, size_t size);
    void reset();

    Service& service_;
    net::Connection* connection_ = nullptr;
    Http1Session* session_ = nullptr;
    int64_t connection_id_ = 0;
    Nanos received_at_ = 0;
    uint32_t references_ = 0;
    AnswerState answer_ = AnswerState::kNone;
    bool detached_ = false;
    char* bytes_ = inline_;
    size_t capacity_ = kInlineBytes;
    Buffer body_;
    Exchange* next_free_ = nullptr;
    char inline_[kInlineBytes];

public:
    ~Exchange();
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;
};

// Who answers. One of the five seams: coroutines running PHP, a lambda in tests. Loop thread.
class Handler {
public:
    virtual ~Handler() = default;
    // In the ready phase. The exchange is held for the call; hold() it to keep it. May finish it at
    // once or later.
    virtual void handle(Exchange& exchange) = 0;
    // The connection is gone while the handler works on this exchange (whose user pointer is set).
    virtual void cut_off(Exchange& exchange) { (void)exchange; }
    // What blocked the exchange's answer has been written.
    virtual void drained(Exchange& exchange) { (void)exchange; }
    // A connection was opened or is gone (after its exchanges were cut off).
    virtual void opened(net::Connection& connection) { (void)connection; }
    virtual void closed(net::Connection& connection) { (void)connection; }
};

}  // namespace stampede::server
