// Responses on a connection of a stream port, whose application parses the requests itself. PHP
// thread; sending may park.
#include "classes/http/response_carrier.h"
#include "ext/server/peers.h"
#include "ext/server/sending.h"
#include "ext/server/worker.h"
#include "os/fd.h"
#include "server/service.h"

namespace stampede::classes {

namespace {

class ConnectionCarrier final : public Http1Carrier {
public:
    ConnectionCarrier(zend_long fd, const RequestObject* request)
        : Http1Carrier(request), fd_(fd) {}

    bool is_open() const override { return standing_of(fd_) == shm::Standing::kOpen; }
    bool close() override { return end_connection(); }

protected:
    bool is_ready() override {
        ServerState* state = running_server();
        return state != nullptr && may_use_connections(*state);
    }
    bool send(const Buffer& out) override;
    bool send_with_file(const Buffer& head, const ServedFile& file) override;

private:
    bool send_bytes(const Buffer& out) const;
    bool end_connection() const;

    zend_long fd_;
};

bool ConnectionCarrier::send_bytes(const Buffer& out) const {
    if (out.size() == 0) {
        return true;
    }
    ServerState& state = *running_server();
    zend_string* bytes = zend_string_init(out.view().data(), out.size(), false);
    bool sent = send_to_connection(state, fd_, bytes);
    zend_string_release(bytes);
    return sent;
}

// What was sent before is flushed first.
bool ConnectionCarrier::end_connection() const {
    server::Service* service = worker_service();
    net::Connection* own = service != nullptr ? service->connections().find(fd_) : nullptr;
    if (own != nullptr) {
        own->close_after_flush();
        return true;
    }
    return close_elsewhere(fd_, false);
}

bool ConnectionCarrier::send(const Buffer& out) {
    ConnectionCarrier after(fd_, nullptr);  // this one may be gone when the wait is over
    bool ends = ends_connection();
    bool sent = send_bytes(out);
    if (sent && ends) {
        (void)after.end_connection();
    }
    return sent;
}

bool ConnectionCarrier::send_with_file(const Buffer& head, const ServedFile& file) {
    ConnectionCarrier after(fd_, nullptr);
    bool ends = ends_connection();
    ServedFile served = file;
    os::close_fd(served.range.fd);
    bool sent = send_bytes(head) &&
                send_file_to(*running_server(), after.fd_, served.path,
                             {static_cast<uint64_t>(served.range.offset), served.range.length});
    if (sent && ends) {
        (void)after.end_connection();
    }
    return sent;
}

}  // namespace

zend_object* make_connection_response(zend_long fd, const RequestObject* request) {
    ServerState* state = running_server();
    shm::Facts facts;
    if (state == nullptr || standing_of(fd, &facts) != shm::Standing::kOpen ||
        facts.port_index >= state->ports.size()) {
        return nullptr;
    }
    if (state->ports[facts.port_index]->kind == PortKind::kStream) {
        return make_carried_response(fd, std::make_unique<ConnectionCarrier>(fd, request));
    }
    // One of this worker has its response, or never had a request.
    return is_own_connection(fd) ? nullptr
                                 : make_remote_response(*state, fd, named_stream(request));
}

}  // namespace stampede::classes
