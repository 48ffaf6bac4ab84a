// The response of a Swoole\Http\Response that was made for a Coroutine\Socket: HTTP/1 that is
// written onto the socket in the calling coroutine, within the socket's write time. The
// application keeps the socket and reads further requests from it. Owned by its Response; PHP
// thread; the methods that send park.
#pragma once

#include "classes/http/request.h"
#include "classes/http/response.h"

namespace stampede::classes {

struct SocketResponse {
    zend_object* socket;  // a Coroutine\Socket, owned
    server::ResponseState state = server::ResponseState::kNone;
    bool is_head = false;      // of a HEAD request: no body
    bool closes = false;       // the peer is told that the connection ends
    bool knows_chunks = true;  // not of HTTP/1.0: there the end of the connection ends the body
    bool chunked = false;
    bool suppressed = false;                      // the status or the request has no body
    uint64_t remaining = server::kUnknownLength;  // of the length that was promised
};

// A Response that writes onto the socket. With a request its method, version and wish to keep the
// connection count. The caller owns the reference; null after an exception or a warning.
zend_object* make_socket_response(zend_object* socket, const RequestObject* request);
void drop_socket_response(ResponseObject& response);

bool socket_is_writable(const ResponseObject& response);
bool socket_head_open(ResponseObject& response);
bool write_on_socket(ResponseObject& response, std::string_view bytes);
bool end_on_socket(ResponseObject& response, std::string_view bytes);
// Takes the descriptor over.
bool send_file_on_socket(ResponseObject& response, const net::FileRange& file,
                         std::string_view type);
bool close_socket(ResponseObject& response);

}  // namespace stampede::classes
