// The connection of the client as the Coroutine\Socket that its property shows. It is closed with
// the connection; every connection has one of its own.
#include "classes/client/http_client.h"
#include "classes/socket/socket.h"

namespace stampede::classes::client {

namespace {

io::Endpoint& endpoint_of(zend_object* socket) {
    return *zend::from_object<SocketObject>(socket).endpoint;
}

double seconds_of(Nanos time) {
    return time == kNever ? -1 : static_cast<double>(time) / static_cast<double>(kSecond);
}

}  // namespace

io::Stream& HttpClient::stream() {
    return socket != nullptr ? endpoint_of(socket).stream() : unconnected;
}

io::Stream& begin_socket(HttpClient& client) {
    drop_socket(client);
    if (client.socket != nullptr) {
        OBJ_RELEASE(client.socket);
    }
    const Times& times = client.settings.times;
    auto* endpoint = new io::Endpoint({AF_INET, SOCK_STREAM, 0});
    endpoint->timeouts() = {seconds_of(times.connect), seconds_of(times.read),
                            seconds_of(times.write)};
    zval socket;
    make_socket_object(endpoint, &socket);
    client.socket = Z_OBJ(socket);
    Z_ADDREF(socket);
    put(client, Slot::kSocket, &socket);
    return endpoint->stream();
}

void show_socket(HttpClient& client) {
    show_connection(zend::from_object<SocketObject>(client.socket));
}

void drop_socket(HttpClient& client) {
    zend_object* socket = client.socket;
    if (socket == nullptr) {
        return;
    }
    // A coroutine that waits on this socket reads its error from the object afterwards: the object
    // stays until the next socket replaces it.
    endpoint_of(socket).close();
    report(zend::from_object<SocketObject>(socket));
    put_null(client, Slot::kSocket);
}

}  // namespace stampede::classes::client
