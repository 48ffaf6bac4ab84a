// What a Swoole\Http\Response writes on when it has no exchange: a Coroutine\Socket, a connection
// of a stream port, or a request that waits in another process of the server. Owned by its
// Response. PHP thread; the methods that send may park, and the Response may be gone when they go
// on: then so is the carrier.
#pragma once

#include <memory>

#include "classes/http/request.h"
#include "classes/http/response.h"
#include "ext/server/state.h"

namespace stampede::classes {

// The function that is given this closes the descriptor.
struct ServedFile {
    const zend_string* path;
    net::FileRange range;
    std::string_view type;
};

class ResponseCarrier {
public:
    ResponseCarrier() = default;
    virtual ~ResponseCarrier() = default;
    ResponseCarrier(const ResponseCarrier&) = delete;
    ResponseCarrier& operator=(const ResponseCarrier&) = delete;

    // Null: it is written on something else.
    virtual zend_object* socket() const { return nullptr; }
    virtual bool is_open() const = 0;
    virtual bool write(ResponseObject& response, std::string_view bytes) = 0;
    virtual bool end(ResponseObject& response, std::string_view bytes) = 0;
    virtual bool send_file(ResponseObject& response, const ServedFile& file) = 0;
    virtual bool close() = 0;

    // False, with the last error set, when the response is complete.
    bool is_unfinished() const;
    bool is_writable() const { return state_ != server::ResponseState::kEnded && is_open(); }
    bool is_head_open() const { return is_unfinished() && state_ == server::ResponseState::kNone; }

protected:
    server::ResponseState state_ = server::ResponseState::kNone;
};

// Writes HTTP/1. What reads the requests, and further ones, is the application.
class Http1Carrier : public ResponseCarrier {
public:
    // With a request its method, version and wish to keep the connection count.
    explicit Http1Carrier(const RequestObject* request);

    bool write(ResponseObject& response, std::string_view bytes) override;
    bool end(ResponseObject& response, std::string_view bytes) override;
    bool send_file(ResponseObject& response, const ServedFile& file) override;

protected:
    // False, after a warning or an exception, when nothing can be sent now.
    virtual bool is_ready() = 0;
    // The last calls of a method: nothing of the carrier is used behind them.
    virtual bool send(const Buffer& out) = 0;
    virtual bool send_with_file(const Buffer& head, const ServedFile& file) = 0;

    // Without the request: of such a response.
    void is_last() { closes_ = true; }
    void has_no_body() { is_head_ = true; }
    bool ends_connection() const { return closes_ && state_ == server::ResponseState::kEnded; }

private:
    void offer_coding(const ParsedRequest& request);
    bool code(ResponseObject& response, std::string_view& bytes, proto::coding::Flush flush,
              Buffer& room);
    void begin(ResponseObject& response, uint64_t length, std::string_view type, Buffer& out);
    void append_head(const server::ResponseHead& head, uint64_t length, Buffer& out);
    void append_framing(const server::ResponseHead& head, uint64_t length, Buffer& out);
    void append_body(std::string_view bytes, Buffer& out);
    void append_end(const ResponseObject& response, Buffer& out) const;

    bool is_head_ = false;      // of a HEAD request: no body
    bool closes_ = false;       // the peer is told that the connection ends
    bool knows_chunks_ = true;  // not of HTTP/1.0: there the end of the connection ends the body
    bool chunked_ = false;
    bool suppressed_ = false;                      // the status or the request has no body
    uint64_t remaining_ = server::kUnknownLength;  // of the length that was promised
    // Only of a request that asks for codings, and whose options turn compression on.
    std::unique_ptr<server::Compression> compression_;
    proto::coding::Coding coding_ = proto::coding::Coding::kIdentity;
};

// A Response that writes with it, takes it over, and shows this number.
zend_object* make_carried_response(zend_long fd, std::unique_ptr<ResponseCarrier> carrier);

// The ways to make one. Null after an exception or a warning. The caller owns the reference.
zend_object* make_socket_response(zend_object* socket, const RequestObject* request);
// For a connection by its number, of a stream port of the server that runs or of another worker.
// Null, without a warning, when it is none.
zend_object* make_connection_response(zend_long fd, const RequestObject* request);
// For a request whose worker this process has killed (killed_requests.h); null: there is none.
zend_object* make_killed_response(zend_long fd);
// For a request that another worker has given up with detach(); stream_id 0: the only one of its
// connection.
zend_object* make_remote_response(ServerState& state, zend_long fd, int32_t stream_id);

}  // namespace stampede::classes
