// What the clients of the API have in common: the numbers of their types, their setting, an array
// for an address. PHP thread, never parks.
#pragma once

#include "io/endpoint.h"

namespace stampede::classes {

struct ClientKind {
    os::SocketKind socket{};
    bool tls = false;
    bool keep = false;
};

// From SWOOLE_SOCK_* with SWOOLE_SSL and SWOOLE_KEEP; false when it names no kind.
bool client_kind_of(zend_long type, ClientKind& out);

// Merges into the array that a property holds.
void merge_settings(zval* property, HashTable* settings);

// The settings and TLS of a client that is about to connect; the time limits are for those that the
// settings do not name. False with an exception.
bool prepare_endpoint(io::Endpoint& endpoint, const ClientKind& kind, const zval* settings,
                      const io::Timeouts& limits);

// host and port of an end of the connection; false when there is none.
bool return_client_address(io::Endpoint* endpoint, os::Address (*ask)(int), zval* return_value);

// 0, or the number that says why the peer's certificate is not good, with the text as the
// endpoint's.
bool verify_certificate(io::Endpoint& endpoint, tls::Verification verification);
// PEM; null with the endpoint's error.
zend_string* peer_certificate(io::Endpoint& endpoint);

// A Socket of ext/sockets over a second number of the descriptor; false without that extension.
bool make_sockets_object(int fd, zval* out);

}  // namespace stampede::classes
