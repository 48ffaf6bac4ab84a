// Swoole\Coroutine\Socket: receiving and sending. Each method parses, asks the endpoint and returns
// what it says.
#include <cerrno>

#include "classes/socket/socket.h"
#include "zend/throw.h"

namespace stampede::classes {

using io::Direction;
using io::Endpoint;

namespace {

constexpr zend_long kUsualLength = 65536;
constexpr uint32_t kMostParts = 1024;  // SWOOLE_IOV_MAX

zend_always_inline void return_string(SocketObject& socket, zend_string* string,
                                      zval* return_value) {
    report(socket);
    if (EXPECTED(string != nullptr)) {
        RETURN_STR(string);
    }
    RETURN_FALSE;
}

zend_always_inline void return_count(SocketObject& socket, long count, zval* return_value) {
    report(socket);
    if (EXPECTED(count >= 0)) {
        RETURN_LONG(count);
    }
    RETURN_FALSE;
}

// The methods that take a length and a timeout.
using Receive = zend_string* (io::EndpointReceiver::*)(size_t, double);

zend_always_inline void receive_by(Receive method, INTERNAL_FUNCTION_PARAMETERS) {
    zend_long length = kUsualLength;
    double timeout = 0;
    ZEND_PARSE_PARAMETERS_START(0, 2)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(length)
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SocketObject>(ZEND_THIS);
    Endpoint* endpoint = endpoint_for(self, Direction::kRead);
    if (UNEXPECTED(endpoint == nullptr)) {
        RETURN_THROWS();
    }
    size_t size = static_cast<size_t>(length > 0 ? length : kUsualLength);
    return_string(self, (endpoint->receiver().*method)(size, timeout), return_value);
}

using Send = long (io::EndpointSender::*)(std::string_view, double);

zend_always_inline void send_by(Send method, INTERNAL_FUNCTION_PARAMETERS) {
    zend_string* data;
    double timeout = 0;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_STR(data)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SocketObject>(ZEND_THIS);
    Endpoint* endpoint = endpoint_for(self, Direction::kWrite);
    if (UNEXPECTED(endpoint == nullptr)) {
        RETURN_THROWS();
    }
    return_count(self, (endpoint->sender().*method)(view_of(data), timeout), return_value);
}

void make_room(uint32_t count, Vector& out) {
    out.parts = static_cast<iovec*>(safe_emalloc(count, sizeof(iovec), 0));
    out.strings = static_cast<zend_string**>(safe_emalloc(count, sizeof(zend_string*), 0));
}

// Strings of the sizes named, to be filled.
bool make_strings(HashTable* sizes, Vector& out) {
    uint32_t count = zend_hash_num_elements(sizes);
    if (count == 0 || count > kMostParts) {
        zend::throw_error(zend_ce_value_error, 0, "The vector must have 1 to 1024 parts.");
        return false;
    }
    zval* size;
    ZEND_HASH_FOREACH_VAL(sizes, size) {
        ZVAL_DEREF(size);
        if (Z_TYPE_P(size) != IS_LONG || Z_LVAL_P(size) <= 0) {
            zend::throw_error(zend_ce_value_error, 0,
                              "The vector must consist of whole numbers above zero: the sizes of "
                              "its parts.");
            return false;
        }
    }
    ZEND_HASH_FOREACH_END();
    make_room(count, out);
    ZEND_HASH_FOREACH_VAL(sizes, size) {
        ZVAL_DEREF(size);
        out.add(zend_string_alloc(static_cast<size_t>(Z_LVAL_P(size)), 0));
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

// The strings that `done` bytes have filled go into the array, the last one shortened.
void hand_out(Vector& vector, size_t done, zval* return_value) {
    array_init(return_value);
    for (int i = 0; i < vector.count && done > 0; i++) {
        zend_string*& string = vector.strings[i];
        size_t filled = ZSTR_LEN(string) < done ? ZSTR_LEN(string) : done;
        done -= filled;
        if (filled < ZSTR_LEN(string)) {
            string = zend_string_truncate(string, filled, 0);
        }
        ZSTR_VAL(string)[filled] = '\0';
        add_next_index_str(return_value, zend_string_copy(string));
    }
}

using ReceiveVector = long (io::EndpointReceiver::*)(iovec*, int, double);

void receive_vector_by(ReceiveVector method, INTERNAL_FUNCTION_PARAMETERS) {
    HashTable* sizes;
    double timeout = 0;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_ARRAY_HT(sizes)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SocketObject>(ZEND_THIS);
    Endpoint* endpoint = endpoint_for(self, Direction::kRead);
    Vector vector;
    if (endpoint == nullptr || !make_strings(sizes, vector)) {
        RETURN_THROWS();
    }
    long done = (endpoint->receiver().*method)(vector.parts, vector.count, timeout);
    report(self);
    if (done >= 0) {
        hand_out(vector, static_cast<size_t>(done), return_value);
    } else {
        RETVAL_FALSE;
    }
    vector.release();
}

using SendVector = long (io::EndpointSender::*)(const iovec*, int, double);

void send_vector_by(SendVector method, INTERNAL_FUNCTION_PARAMETERS) {
    HashTable* strings;
    double timeout = 0;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_ARRAY_HT(strings)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SocketObject>(ZEND_THIS);
    Endpoint* endpoint = endpoint_for(self, Direction::kWrite);
    Vector vector;
    if (endpoint == nullptr || !hold_strings(strings, vector)) {
        RETURN_THROWS();
    }
    long sent = (endpoint->sender().*method)(vector.parts, vector.count, timeout);
    vector.release();
    return_count(self, sent, return_value);
}

}  // namespace

void Vector::release() {
    for (int i = 0; i < count; i++) {
        zend_string_release(strings[i]);
    }
    efree(strings);
    efree(parts);
}

bool hold_strings(HashTable* strings, Vector& out) {
    uint32_t count = zend_hash_num_elements(strings);
    zval* string;
    bool good = count > 0 && count <= kMostParts;
    ZEND_HASH_FOREACH_VAL(strings, string) {
        ZVAL_DEREF(string);
        good = good && Z_TYPE_P(string) == IS_STRING;
    }
    ZEND_HASH_FOREACH_END();
    if (!good) {
        zend::throw_error(zend_ce_value_error, 0,
                          "The vector must consist of strings, at least 1 and at most 1024.");
        return false;
    }
    make_room(count, out);
    ZEND_HASH_FOREACH_VAL(strings, string) {
        ZVAL_DEREF(string);
        out.add(zend_string_copy(Z_STR_P(string)));
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Coroutine_Socket, recv) {
    receive_by(&io::EndpointReceiver::receive, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

ZEND_METHOD(Swoole_Coroutine_Socket, recvAll) {
    receive_by(&io::EndpointReceiver::receive_all, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

ZEND_METHOD(Swoole_Coroutine_Socket, recvLine) {
    receive_by(&io::EndpointReceiver::receive_line, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

ZEND_METHOD(Swoole_Coroutine_Socket, recvWithBuffer) {
    receive_by(&io::EndpointReceiver::receive_buffered, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

ZEND_METHOD(Swoole_Coroutine_Socket, recvPacket) {
    double timeout = 0;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SocketObject>(ZEND_THIS);
    io::Endpoint* endpoint = endpoint_for(self, io::Direction::kRead);
    if (endpoint == nullptr) {
        RETURN_THROWS();
    }
    return_string(self, endpoint->receiver().receive_packet(timeout), return_value);
}

ZEND_METHOD(Swoole_Coroutine_Socket, peek) {
    zend_long length = kUsualLength;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(length)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SocketObject>(ZEND_THIS);
    io::Endpoint* endpoint = endpoint_of(self);
    if (endpoint == nullptr) {
        RETURN_THROWS();
    }
    return_string(
        self, endpoint->receiver().peek(static_cast<size_t>(length > 0 ? length : kUsualLength)),
        return_value);
}

ZEND_METHOD(Swoole_Coroutine_Socket, recvfrom) {
    zval* peer;
    double timeout = 0;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_ZVAL(peer)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SocketObject>(ZEND_THIS);
    io::Endpoint* endpoint = endpoint_for(self, io::Direction::kRead);
    if (endpoint == nullptr) {
        RETURN_THROWS();
    }
    os::Address address;
    zend_string* bytes = endpoint->receiver().receive_from(kUsualLength, address, timeout);
    return_string(self, bytes, return_value);
    if (bytes != nullptr) {
        zval name;
        array_init(&name);
        describe_address(address, "address", &name);
        ZEND_TRY_ASSIGN_REF_TMP(peer, &name);
    }
}

ZEND_METHOD(Swoole_Coroutine_Socket, send) {
    send_by(&io::EndpointSender::send, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

ZEND_METHOD(Swoole_Coroutine_Socket, sendAll) {
    send_by(&io::EndpointSender::send_all, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

ZEND_METHOD(Swoole_Coroutine_Socket, sendto) {
    zend_string* host;
    zend_long port;
    zend_string* data;
    ZEND_PARSE_PARAMETERS_START(3, 3)
        Z_PARAM_STR(host)
        Z_PARAM_LONG(port)
        Z_PARAM_STR(data)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SocketObject>(ZEND_THIS);
    io::Endpoint* endpoint = endpoint_for(self, io::Direction::kWrite);
    if (endpoint == nullptr) {
        RETURN_THROWS();
    }
    long sent = endpoint->sender().send_to(view_of(host), static_cast<int>(port), view_of(data));
    return_count(self, sent, return_value);
}

ZEND_METHOD(Swoole_Coroutine_Socket, sendFile) {
    zend_string* path;
    zend_long offset = 0;
    zend_long length = 0;
    ZEND_PARSE_PARAMETERS_START(1, 3)
        Z_PARAM_PATH_STR(path)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(offset)
        Z_PARAM_LONG(length)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SocketObject>(ZEND_THIS);
    io::Endpoint* endpoint = endpoint_for(self, io::Direction::kWrite);
    if (endpoint == nullptr) {
        RETURN_THROWS();
    }
    bool sent = endpoint->sender().send_file(ZSTR_VAL(path), offset, length);
    report(self);
    RETURN_BOOL(sent);
}

ZEND_METHOD(Swoole_Coroutine_Socket, readVector) {
    receive_vector_by(&io::EndpointReceiver::receive_vector, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

ZEND_METHOD(Swoole_Coroutine_Socket, readVectorAll) {
    receive_vector_by(&io::EndpointReceiver::receive_vector_all, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

ZEND_METHOD(Swoole_Coroutine_Socket, writeVector) {
    send_vector_by(&io::EndpointSender::send_vector, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

ZEND_METHOD(Swoole_Coroutine_Socket, writeVectorAll) {
    send_vector_by(&io::EndpointSender::send_vector_all, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}
