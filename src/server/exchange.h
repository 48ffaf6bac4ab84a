// One HTTP request and its response: the bridge between a session and the handler of the request.
// Taken from the service's pool when a head begins, counted by its holders (session, handler, PHP
// objects), back in the pool when the last one lets go. Loop thread; never parks.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/list.h"
#include "net/connection.h"
#include "proto/coding/decoder.h"
#include "proto/http1/request_head.h"
#include "server/body_buffer.h"
#include "server/form.h"
#include "server/spares.h"

namespace stampede::server {

class Service;
class HttpSession;

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

inline constexpr uint64_t kUnknownLength = UINT64_MAX;

enum class ResponseState : uint8_t {
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
    // The body of a form is only there when it is small: see expect_form().
    const Form* form() const { return form_.get(); }
    Form* form() { return form_.get(); }
    Nanos received_at() const { return received_at_; }  // monotonic
    int64_t connection_id() const { return connection_id_; }
    // Of HTTP/2; 0: the request came by HTTP/1.
    int32_t stream_id() const { return stream_id_; }

    // Null when the connection is gone.
    net::Connection* connection() const { return connection_; }
    bool writable() const {
        return connection_ != nullptr && response_ != ResponseState::kEnded && !detached_;
    }
    bool is_head_request() const { return head.method == proto::http::Method::kHead; }

    // Response. Each returns false when the peer is gone or the response is complete.
    ResponseState response() const { return response_; }
    // For the access log: the status that was sent, 0 as long as there is none, and bytes of its
    // body.
    int response_status() const { return response_status_; }
    uint64_t response_bytes() const { return response_bytes_; }
    bool detached() const { return detached_; }
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
    bool upgrade(std::string_view head_bytes, std::unique_ptr<net::Session> next);
    // Bytes of the response that have not left yet, and whether they wait for the peer: then
    // Handler::drained() follows.
    uint64_t pending() const;
    bool blocked() const;
    Service& service() const { return service_; }
    // Another object will finish this exchange later (Response::detach).
    void set_detached(bool detached) { detached_ = detached; }

    // For Handler::body_begins(): more or less than the service's limit may come.
    void set_body_limit(uint64_t bytes) { body_limit_ = bytes; }
    // The body is a form and goes there; body() has it as well when it is at most keep_bytes long.
    void expect_form(std::unique_ptr<Form> form, uint64_t keep_bytes);

    // A body of some kilobytes whose length is known is gathered there, if it is wanted as a whole.
    // body_block() is its address there, null when it is elsewhere.
    void gather_body_in(BodyMemory& memory) { body_memory_ = &memory; }
    char* body_block() const { return body_.block(); }

    // The handler is called at once, and reads the body while it comes: body() is what waits to be
    // read, consume_body() takes it off the front, and Handler::body_arrived() says that there is
    // more, or no more. The peer is slowed down to the reader.
    void stream_body() { body_streams_ = true; }
    bool body_streams() const { return body_streams_; }
    // All of it has come. When it has not, and connection() is null, it never will.
    bool body_whole() const { return body_whole_; }
    // The reader wants more; bytes: what it took.
    void consume_body(size_t bytes);
    // How much may wait to be read.
    size_t body_room() const { return body_room_; }
    void set_body_room(size_t bytes) { body_room_ = bytes; }

    // For sessions, the body: begin_body(), take_body() for each piece, end_body(), and 0 or the
    // status of the refusal from each.
    int begin_body();
    int take_body(std::string_view bytes);
    int end_body();
    // Where the next bytes of a body can be read to, of which so many are still to come, in place
    // of take_body(); none where they have to be looked at first. There may be more room than
    // that: a read that does not fill it has read all there was. body_was_read() says how many
    // bytes of the body came.
    net::Session::Room body_space(uint64_t left);
    void body_was_read(size_t size);
    void drop_body();
    bool allows_more(uint64_t bytes) const { return bytes <= body_limit_ - body_came_; }
    // Bytes of it that have come.
    uint64_t body_came() const { return body_came_; }
    // Whether it comes slower than it must. Time begins anew when the peer was held back.
    bool body_too_slow(Nanos now) const;
    void restart_body_time(Nanos now) {
        body_since_ = now;
        body_came_then_ = body_came_;
    }

    // For sessions: the exchange begins with a request of theirs, and is theirs no more.
    // To the peer of an HTTP/2 connection, see HttpSession. False when there is none.
    bool goaway(uint32_t error, std::string_view text);
    bool ping(std::string_view payload);

    void begin(HttpSession& session, net::Connection& connection, int32_t stream_id = 0);
    void leave_session() {
        connection_ = nullptr;
        session_ = nullptr;
    }
    void mark_ended() { response_ = ResponseState::kEnded; }
    // Where the head's slices point to. adopt_head() copies a head, append_line() makes one in
    // lines "name: value" and says where both lie.
    struct Line {
        proto::http::Slice name;
        proto::http::Slice value;
    };
    void adopt_head(const char* data, size_t size);
    Line append_line(std::string_view name, std::string_view value);
    // The size of the head with the empty line after it.
    size_t end_head();

    // For sessions, the response's body: of so many bytes, those that the promised length has room
    // for.
    uint64_t take_promised(uint64_t size) {
        if (body_remaining == kUnknownLength) {
            return size;
        }
        uint64_t taken = size < body_remaining ? size : body_remaining;
        body_remaining -= taken;
        return taken;
    }
    // Fewer came than promised: the peer must not wait for the rest.
    bool body_is_short() const {
        return !body_suppressed && body_remaining != kUnknownLength && body_remaining > 0;
    }

    void hold() { references_++; }
    void release();

    uint64_t body_remaining = kUnknownLength;  // of a promised length; the session's bookkeeping
    bool body_suppressed = false;              // HEAD, 204, 205, 304: bytes are counted and dropped
    bool chunked_response = false;
    bool counted = false;  // between request_started and request_ended
    uint16_t board_place = 0xffff;
    // The handler's own: coroutines that wait to write, by nodes of their control blocks.
    List<ListNode> writers;
    void* reader = nullptr;  // the same: the one that waits for the body
    void* stream = nullptr;  // the session's own

private:
    friend class ExchangePool;
    friend class Spares<Exchange>;
    friend class HttpSession;

    static constexpr size_t kInlineBytes = 1536;
    static constexpr size_t kBodyRoom = 256 * 1024;
    // Smaller bodies are copied for less than the memory costs; larger ones would leave holes.
    static constexpr uint64_t kSmallestGathered = 8 * 1024;
    static constexpr uint64_t kLargestGathered = 1024 * 1024;
    static constexpr size_t kReserve = 2 * net::Hub::kReadSize;
    static constexpr size_t kSpaceBehind = 256;  // the end of a body is seen by a short read
    explicit Exchange(Service& service) : service_(service) {}
    void make_room(size_t size);
    bool has_two_boundaries() const;
    int choose_decoder();
    void reserve_body();
    int decode_body(std::string_view bytes);
    int store_body(std::string_view bytes);
    int feed_form(std::string_view bytes);
    void reset();

    Service& service_;
    net::Connection* connection_ = nullptr;
    HttpSession* session_ = nullptr;
    int64_t connection_id_ = 0;
    Nanos received_at_ = 0;
    uint32_t references_ = 0;
    int32_t stream_id_ = 0;
    ResponseState response_ = ResponseState::kNone;
    int response_status_ = 0;
    uint64_t response_bytes_ = 0;
    bool detached_ = false;
    char* bytes_ = inline_;
    size_t capacity_ = kInlineBytes;
    size_t head_size_ = 0;
    BodyBuffer body_;
    BodyMemory* body_memory_ = nullptr;
    std::unique_ptr<Form> form_;
    std::unique_ptr<proto::coding::Decoder> decoder_;  // of a body that comes compressed
    uint64_t stored_ = 0;   // bytes of the body, when they are no longer compressed
    bool decoded_ = false;  // the compressed data is complete, if nothing follows
    uint64_t body_limit_ = 0;
    uint64_t body_came_ = 0;
    uint64_t body_kept_ = 0;  // of a form's body: as long as it is no longer than that
    uint64_t body_came_then_ = 0;
    Nanos body_since_ = 0;
    size_t body_room_ = kBodyRoom;
    bool body_streams_ = false;
    bool body_whole_ = true;
    Exchange* next_spare = nullptr;  // of the pool
    char inline_[kInlineBytes];

public:
    ~Exchange();
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
    // its reader).
    virtual void cut_off(Exchange& exchange) { (void)exchange; }
    // Of a streamed body: more has come, or all of it. In the dispatch phase, as cut_off().
    virtual void body_arrived(Exchange& exchange) { (void)exchange; }
    // What blocked the exchange's response has been written.
    virtual void drained(Exchange& exchange) { (void)exchange; }
    // A connection was opened or is gone (after its exchanges were cut off).
    virtual void opened(net::Connection& connection) { (void)connection; }
    virtual void closed(net::Connection& connection) { (void)connection; }
};

}  // namespace stampede::server
