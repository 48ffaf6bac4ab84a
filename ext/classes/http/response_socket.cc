#include "classes/http/response_socket.h"

#include <cerrno>
#include <ctime>

#include "classes/socket/socket.h"
#include "error_numbers.h"
#include "os/fd.h"
#include "os/socket.h"
#include "proto/http/message.h"
#include "proto/http1/response_writer.h"
#include "zend/last_error.h"
#include "zend/throw.h"

namespace stampede::classes {

using server::ResponseState;

namespace {

constexpr uint64_t kUnknown = server::kUnknownLength;

SocketObject& socket_of(const SocketResponse& socket_response) {
    return zend::from_object<SocketObject>(socket_response.socket);
}

// Null after an exception: no coroutine, or another one writes.
io::Endpoint* writer_of(const SocketResponse& socket_response) {
    return endpoint_for(socket_of(socket_response), io::Direction::kWrite);
}

void append_date(Buffer& out) {
    char text[proto::http::kDateLength];
    proto::http::format_date(::time(nullptr), text);
    out.append("Date: ");
    out.append({text, sizeof(text)});
    out.append("\r\n");
}

void append_framing(SocketResponse& socket_response, const server::ResponseHead& head,
                    uint64_t length, Buffer& out) {
    socket_response.suppressed =
        socket_response.is_head || !proto::http::status_has_body(head.status);
    socket_response.chunked =
        length == kUnknown && !socket_response.suppressed && socket_response.knows_chunks;
    socket_response.closes |=
        (head.given & server::kGivenConnectionClose) != 0 ||
        (length == kUnknown && !socket_response.suppressed && !socket_response.chunked);
    socket_response.remaining = length;
    out.append(socket_response.closes ? "Connection: close\r\n" : "Connection: keep-alive\r\n");
    if (socket_response.chunked) {
        out.append("Transfer-Encoding: chunked\r\n");
    } else if (proto::http::status_has_length(head.status) && length != kUnknown) {
        proto::http1::append_content_length(out, length);
    }
}

void append_head(SocketResponse& socket_response, const server::ResponseHead& head, uint64_t length,
                 Buffer& out) {
    if (head.reason.empty()) {
        proto::http1::append_status_line(out, head.status);
    } else {
        proto::http1::append_status_line(out, head.status, head.reason);
    }
    for (uint32_t i = 0; i < head.field_count; i++) {
        proto::http1::append_field(out, head.fields[i].name, head.fields[i].value);
    }
    if (!(head.given & server::kGivenServer)) {
        out.append("Server: stampede\r\n");
    }
    if (!(head.given & server::kGivenDate)) {
        append_date(out);
    }
    bool may_have_body = proto::http::status_has_body(head.status);
    if (may_have_body && !(head.given & server::kGivenContentType)) {
        proto::http1::append_field(out, "Content-Type", head.default_type);
    }
    append_framing(socket_response, head, may_have_body ? length : 0, out);
    out.append("\r\n");
}

void begin(ResponseObject& response, uint64_t length, std::string_view type, Buffer& out) {
    SocketResponse& socket_response = *response.on_socket;
    describe_head(
        response, {socket_response.is_head, length, type}, &socket_response,
        [](void* context, const server::ResponseHead& head, uint64_t body_length, Buffer& to) {
            append_head(*static_cast<SocketResponse*>(context), head, body_length, to);
        },
        out);
    socket_response.state = ResponseState::kStreaming;
}

// Never more than was promised: it would be read as the next response.
void append_body(SocketResponse& socket_response, std::string_view bytes, Buffer& out) {
    if (socket_response.suppressed || bytes.empty()) {
        return;
    }
    if (socket_response.chunked) {
        proto::http1::append_chunk_prefix(out, bytes.size());
        out.append(bytes);
        out.append(proto::http1::kChunkSuffix);
        return;
    }
    if (socket_response.remaining != kUnknown) {
        bytes = bytes.substr(0, socket_response.remaining);
        socket_response.remaining -= bytes.size();
    }
    out.append(bytes);
}

void append_end(ResponseObject& response, Buffer& out) {
    if (!response.on_socket->chunked) {
        return;
    }
    out.append(proto::http1::kLastChunkBeforeTrailer);
    for (uint32_t i = 0; i < response.trailers.count; i++) {
        const ResponseField& field = response.trailers.items[i];
        if (Z_TYPE(field.value) == IS_STRING) {
            proto::http1::append_field(out, view_of(field.name), view_of(Z_STR(field.value)));
        }
    }
    out.append("\r\n");
}

bool send(SocketResponse& socket_response, const Buffer& out) {
    io::Endpoint* endpoint = writer_of(socket_response);
    if (endpoint == nullptr) {
        return false;
    }
    zend_object* socket = socket_response.socket;  // the Response may be gone when the wait is over
    GC_ADDREF(socket);
    bool sent = out.size() == 0 ||
                endpoint->sender().send_all(out.view(), 0) == static_cast<long>(out.size());
    report(zend::from_object<SocketObject>(socket));
    OBJ_RELEASE(socket);
    return sent;
}

bool unfinished(const SocketResponse& socket_response) {
    if (socket_response.state != ResponseState::kEnded) {
        return true;
    }
    zend::set_last_error(api_error::kHttpContextUnavailable);
    return false;
}

}  // namespace

zend_object* make_socket_response(zend_object* socket, const RequestObject* request) {
    io::Endpoint* endpoint = endpoint_of(zend::from_object<SocketObject>(socket));
    if (endpoint == nullptr) {
        return nullptr;
    }
    if (!endpoint->is_stream()) {
        zend::warning("a response needs a stream socket (SOCK_STREAM)");
        return nullptr;
    }
    auto* socket_response = new SocketResponse{socket};
    if (const proto::http::RequestHead* head =
            request != nullptr ? source_of(*request).head : nullptr) {
        socket_response->is_head = head->method == proto::http::Method::kHead;
        socket_response->closes = !head->keep_alive;
        socket_response->knows_chunks = head->minor_version > 0;
    }
    GC_ADDREF(socket);
    zend_object* object = make_detached_response(endpoint->fd(), socket);
    response_of(object)->on_socket = socket_response;
    return object;
}

void drop_socket_response(ResponseObject& response) {
    SocketResponse* socket_response = response.on_socket;
    response.on_socket = nullptr;
    if (socket_response != nullptr) {
        OBJ_RELEASE(socket_response->socket);
        delete socket_response;
    }
}

bool socket_is_writable(const ResponseObject& response) {
    const SocketObject& socket = socket_of(*response.on_socket);
    return response.on_socket->state != ResponseState::kEnded && socket.endpoint != nullptr &&
           socket.endpoint->is_open();
}

bool socket_head_open(ResponseObject& response) {
    return unfinished(*response.on_socket) && response.on_socket->state == ResponseState::kNone;
}

bool write_on_socket(ResponseObject& response, std::string_view bytes) {
    SocketResponse& socket_response = *response.on_socket;
    if (!unfinished(socket_response) || writer_of(socket_response) == nullptr) {
        return false;
    }
    Buffer out;
    if (socket_response.state == ResponseState::kNone) {
        begin(response, kUnknown, "text/html", out);
    }
    append_body(socket_response, bytes, out);
    return send(socket_response, out);
}

bool end_on_socket(ResponseObject& response, std::string_view bytes) {
    SocketResponse& socket_response = *response.on_socket;
    if (!unfinished(socket_response) || writer_of(socket_response) == nullptr) {
        return false;
    }
    Buffer out;
    if (socket_response.state == ResponseState::kNone) {
        begin(response, response.trailers.count > 0 ? kUnknown : bytes.size(), "text/html", out);
    }
    append_body(socket_response, bytes, out);
    append_end(response, out);
    socket_response.state = ResponseState::kEnded;
    return send(socket_response, out);
}

bool send_file_on_socket(ResponseObject& response, const net::FileRange& file,
                         std::string_view type) {
    uint64_t count = file.length;
    SocketResponse& socket_response = *response.on_socket;
    io::Endpoint* endpoint = writer_of(socket_response);
    if (endpoint == nullptr) {
        os::close_fd(file.fd);
        return false;
    }
    Buffer out;
    begin(response, count, type, out);
    socket_response.state = ResponseState::kEnded;
    bool body = !socket_response.suppressed && count > 0;
    zend_object* socket = socket_response.socket;
    GC_ADDREF(socket);
    bool sent = send(socket_response, out);
    if (sent && body) {
        Nanos patience = static_cast<Nanos>(endpoint->timeouts().write * 1e9);
        Nanos deadline = patience > 0 ? io::deadline_in(patience) : kNever;
        sent = endpoint->stream().send_file(file.fd, static_cast<uint64_t>(file.offset), count,
                                            deadline) == count;
        if (!sent) {
            endpoint->fail(endpoint->stream().error());
        }
        report(zend::from_object<SocketObject>(socket));
    }
    os::close_fd(file.fd);
    OBJ_RELEASE(socket);
    return sent;
}

bool close_socket(ResponseObject& response) {
    SocketObject& socket = socket_of(*response.on_socket);
    bool open = socket.endpoint != nullptr && socket.endpoint->is_open();
    if (open && socket.imported) {  // the stream that it came from has it open, too
        (void)os::shutdown_socket(socket.endpoint->fd(), SHUT_RDWR);
    }
    if (open) {
        socket.endpoint->close();
        report_error(socket, 0);
    }
    drop_socket_response(response);
    return open;
}

}  // namespace stampede::classes
