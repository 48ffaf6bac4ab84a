// Responses on a Coroutine\Socket: written in the calling coroutine, within the socket's write
// time.
#include <cerrno>

#include "classes/http/response_carrier.h"
#include "classes/socket/socket.h"
#include "os/fd.h"
#include "os/socket.h"
#include "zend/throw.h"

namespace stampede::classes {

namespace {

class SocketCarrier final : public Http1Carrier {
public:
    SocketCarrier(zend_object* socket, const RequestObject* request)
        : Http1Carrier(request), socket_(socket) {
        GC_ADDREF(socket);
    }
    ~SocketCarrier() override { OBJ_RELEASE(socket_); }

    zend_object* socket() const override { return socket_; }
    bool is_open() const override {
        const io::Endpoint* endpoint = object().endpoint;
        return endpoint != nullptr && endpoint->is_open();
    }
    bool close() override;

protected:
    // False after an exception: no coroutine, or another one writes.
    bool is_ready() override { return writer() != nullptr; }
    bool send(const Buffer& out) override;
    bool send_with_file(const Buffer& head, const ServedFile& file) override;

private:
    SocketObject& object() const { return zend::from_object<SocketObject>(socket_); }
    io::Endpoint* writer() const { return endpoint_for(object(), io::Direction::kWrite); }

    zend_object* socket_;  // owned
};

bool SocketCarrier::send(const Buffer& out) {
    io::Endpoint* endpoint = writer();
    if (endpoint == nullptr) {
        return false;
    }
    zend_object* socket = socket_;  // the Response may be gone when the wait is over
    GC_ADDREF(socket);
    bool sent = out.size() == 0 ||
                endpoint->sender().send_all(out.view(), 0) == static_cast<long>(out.size());
    report(zend::from_object<SocketObject>(socket));
    OBJ_RELEASE(socket);
    return sent;
}

bool SocketCarrier::send_with_file(const Buffer& head, const ServedFile& file) {
    net::FileRange range = file.range;
    io::Endpoint* endpoint = writer();
    zend_object* socket = socket_;
    GC_ADDREF(socket);
    bool sent = send(head);
    if (sent) {
        Nanos patience = static_cast<Nanos>(endpoint->timeouts().write * 1e9);
        Nanos deadline = patience > 0 ? io::deadline_in(patience) : kNever;
        sent = endpoint->stream().send_file(range.fd, static_cast<uint64_t>(range.offset),
                                            range.length, deadline) == range.length;
        if (!sent) {
            endpoint->fail(endpoint->stream().error());
        }
        report(zend::from_object<SocketObject>(socket));
    }
    os::close_fd(range.fd);
    OBJ_RELEASE(socket);
    return sent;
}

bool SocketCarrier::close() {
    SocketObject& socket = object();
    bool open = is_open();
    if (open && socket.imported) {  // the stream that it came from has it open, too
        (void)os::shutdown_socket(socket.endpoint->fd(), SHUT_RDWR);
    }
    if (open) {
        socket.endpoint->close();
        report_error(socket, 0);
    }
    return open;
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
    return make_carried_response(endpoint->fd(), std::make_unique<SocketCarrier>(socket, request));
}

}  // namespace stampede::classes
