// Swoole\Coroutine\Socket as other classes see it: the object around an io::Endpoint. PHP's
// reference counting owns it; PHP thread; what is said to receive or send parks.
#pragma once

#include "io/endpoint.h"
#include "zend/object.h"

namespace stampede::classes {

struct SocketObject {
    io::Endpoint* endpoint = nullptr;  // null until it was constructed
    bool accepted = false;             // so TLS makes it the server
    bool imported = false;             // the stream that it came from has the connection open, too
    zend_object std;
};

inline std::string_view view_of(const zend_string* string) {
    return {ZSTR_VAL(string), ZSTR_LEN(string)};
}

extern zend_class_entry* coroutine_socket_class;
extern zend_class_entry* coroutine_socket_exception_class;

// What Coroutine::set() says about socket_*_timeout, else the usual ones.
io::Timeouts default_timeouts();

// An object around the descriptor, which it closes (also when it cannot be used: false then).
bool make_socket_object(int fd, const os::SocketKind& kind, zval* out);
// The same with an endpoint that somebody has set up.
void make_socket_object(io::Endpoint* endpoint, zval* out);

// The endpoint has got a connection by its stream: its kind and number.
void show_connection(SocketObject& socket);

// The endpoint, ready for a call that waits in this direction: null after an exception (no
// coroutine, not constructed, somebody else waits).
io::Endpoint* endpoint_for(SocketObject& socket, io::Direction direction);
// For calls that do not wait.
io::Endpoint* endpoint_of(SocketObject& socket);
// Brings fd, errCode and errMsg of the object up to date.
void report(SocketObject& socket);
void report_error(SocketObject& socket, int error);

// Adds address (or the key given) and port.
void describe_address(const os::Address& address, const char* address_key, zval* out);

// setOption() and getOption(), in socket_option.cc.
bool set_socket_option(io::Endpoint& endpoint, zend_long level, zend_long name, zval* value);
bool get_socket_option(io::Endpoint& endpoint, zend_long level, zend_long name, zval* out);

// An io_vector argument: strings to fill or to send, held until release().
struct Vector {
    iovec* parts = nullptr;
    zend_string** strings = nullptr;
    int count = 0;

    void add(zend_string* string) {
        strings[count] = string;
        parts[count++] = {ZSTR_VAL(string), ZSTR_LEN(string)};
    }
    void release();
};
// False after an exception.
bool hold_strings(HashTable* strings, Vector& out);

}  // namespace stampede::classes
