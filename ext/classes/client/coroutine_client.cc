// Swoole\Coroutine\Client: a Coroutine\Socket that is made when it connects, with the settings of
// the client. The socket is the property of that name and may be exported.
#include <cerrno>

#include "classes/client/client_kind.h"
#include "classes/coroutine/coroutine.h"
#include "classes/socket/socket.h"
#include "error_numbers.h"
#include "subsystems.h"
#include "zend/class_alias.h"
#include "zend/gc_roots.h"
#include "zend/throw.h"
#include "zend/object_guards.h"

#include "stubs/coroutine_client_arginfo.h"

namespace stampede::classes {

using io::Direction;
using io::Endpoint;

namespace {

// Declared properties come first in an object, in the order of the stub.
enum : uint32_t { kErrCode, kErrMsg, kFd, kSocket, kType, kSetting, kConnected };

struct ClientObject {
    ClientKind kind;
    bool constructed = false;
    zend_object* socket = nullptr;  // holds a reference of its own: scripts may write the property
    uint32_t calls = 0;             // that are under way, also on a socket before this one
    zend_object std;
};

zend_object_handlers handlers;

zend_object* create(zend_class_entry* ce) {
    return zend::create_object<ClientObject>(ce, &handlers);
}

Endpoint* endpoint_in(ClientObject& client) {
    return client.socket != nullptr ? zend::from_object<SocketObject>(client.socket).endpoint
                                    : nullptr;
}

void set_error(ClientObject& client, int error, std::string_view text) {
    zval* code = OBJ_PROP_NUM(&client.std, kErrCode);
    if (EXPECTED(error == 0 && Z_TYPE_P(code) == IS_LONG && Z_LVAL_P(code) == 0)) {
        return;
    }
    zval_ptr_dtor(code);
    ZVAL_LONG(code, error);
    zval* message = OBJ_PROP_NUM(&client.std, kErrMsg);
    zval_ptr_dtor(message);
    ZVAL_STRINGL_FAST(message, text.data(), text.size());
    if (error != 0) {
        zend::set_last_error(error);
    }
}

void set_error(ClientObject& client, int error) {
    set_error(client, error, error != 0 ? io::error_text(error) : "");
}

void copy_error(ClientObject& client, Endpoint& endpoint) {
    set_error(client, endpoint.error(), endpoint.error_text());
}

void show_socket(ClientObject& client, zend_object* socket, int fd) {
    zval* property = OBJ_PROP_NUM(&client.std, kSocket);
    zval_ptr_dtor(property);
    ZVAL_NULL(property);
    if (socket != nullptr) {
        ZVAL_OBJ_COPY(property, socket);
    }
    zval* number = OBJ_PROP_NUM(&client.std, kFd);
    zval_ptr_dtor(number);
    ZVAL_LONG(number, fd);
}

void set_connected(ClientObject& client, bool connected) {
    zval* property = OBJ_PROP_NUM(&client.std, kConnected);
    zval_ptr_dtor(property);
    ZVAL_BOOL(property, connected);
}

bool is_connected(ClientObject& client) {
    Endpoint* endpoint = endpoint_in(client);
    return endpoint != nullptr && endpoint->is_open() &&
           zend_is_true(OBJ_PROP_NUM(&client.std, kConnected));
}

// Closes the socket, even when others hold it.
void drop_socket(ClientObject& client) {
    zend_object* socket = client.socket;
    if (socket == nullptr) {
        return;
    }
    client.socket = nullptr;
    zend::from_object<SocketObject>(socket).endpoint->close();
    report(zend::from_object<SocketObject>(socket));
    show_socket(client, nullptr, -1);
    set_connected(client, false);
    OBJ_RELEASE(socket);
}

void destroy(zend_object* object) {
    auto& client = zend::from_object<ClientObject>(object);
    zend_object* socket = client.socket;
    client.socket = nullptr;
    if (socket != nullptr) {
        // An exported socket lives on.
        OBJ_RELEASE(socket);
    }
    zend_object_std_dtor(object);
}

HashTable* list_references(zend_object* object, zval** table, int* count) {
    zend::GcRoots roots;
    roots.add(zend::from_object<ClientObject>(object).socket);
    return roots.with_properties(object, table, count);
}

// Keeps the socket while a call waits on it: close() of another coroutine lets go of it.
class Held {
public:
    explicit Held(ClientObject& client) : client_(client), socket_(client.socket) {
        GC_ADDREF(socket_);
        client_.calls++;
    }
    ~Held() {
        client_.calls--;
        OBJ_RELEASE(socket_);
    }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    zend_object* socket() const { return socket_; }

private:
    ClientObject& client_;
    zend_object* socket_;
};

// A socket of the client's kind and settings; false after an exception or with the client's error.
bool make_socket(ClientObject& client) {
    auto* endpoint = new Endpoint(client.kind.socket);
    if (!prepare_endpoint(*endpoint, client.kind, OBJ_PROP_NUM(&client.std, kSetting),
                          default_timeouts()) ||
        !endpoint->open()) {
        copy_error(client, *endpoint);
        delete endpoint;
        return false;
    }
    zval socket;
    make_socket_object(endpoint, &socket);
    client.socket = Z_OBJ(socket);
    show_socket(client, client.socket, endpoint->fd());
    return true;
}

bool check(ClientObject& client) {
    if (UNEXPECTED(require_coroutine() == nullptr)) {
        return false;
    }
    if (UNEXPECTED(!client.constructed)) {
        zend::throw_error(zend::error_classes.error, 0, "must call constructor first");
    }
    return client.constructed;
}

// The endpoint for a call that waits: null after an exception, or with the client's error.
Endpoint* begin(ClientObject& client, Direction direction) {
    if (UNEXPECTED(!check(client))) {
        return nullptr;
    }
    Endpoint* endpoint = endpoint_in(client);
    if (UNEXPECTED(endpoint == nullptr)) {
        set_error(client, api_error::kClientNoConnection);
        return nullptr;
    }
    return io::refuse_second_user(endpoint->descriptor(), direction) ? nullptr : endpoint;
}

// A socket for datagrams, at the address that was set for it.
bool make_bound_socket(ClientObject& client) {
    if (!make_socket(client)) {
        return false;
    }
    Endpoint& endpoint = *endpoint_in(client);
    if (!endpoint.bind_as_set()) {
        copy_error(client, endpoint);
        drop_socket(client);
        return false;
    }
    return true;
}

// The same for datagrams, which need no connection.
Endpoint* begin_datagram(ClientObject& client, Direction direction) {
    if (UNEXPECTED(!check(client))) {
        return nullptr;
    }
    if (client.socket == nullptr && client.kind.socket.type == SOCK_DGRAM &&
        !make_bound_socket(client)) {
        return nullptr;
    }
    return begin(client, direction);
}

// A coroutine that waited on a socket which another one has closed learns of it now, before there
// is a new one: what it does about it, which is mostly another close(), is meant for the old.
void let_others_notice(ClientObject& client) {
    runtime::Runtime& runtime = runtime::Runtime::get();
    if (client.socket == nullptr && client.calls > 0 && runtime.can_park()) {
        runtime.make_room();
    }
}

// The limit of connecting is that of all further calls as well, unless set() changes it.
bool connect_client(ClientObject& client, std::string_view host, zend_long port, double timeout) {
    let_others_notice(client);
    if (zend::exception_pending()) {
        return false;
    }
    if (is_connected(client)) {
        set_error(client, EISCONN);
        return false;
    }
    if (Endpoint* busy = endpoint_in(client)) {
        if (io::refuse_second_user(busy->descriptor(), Direction::kWrite)) {
            return false;
        }
        drop_socket(client);
    }
    if (!make_socket(client)) {
        return false;
    }
    Held held(client);
    Endpoint& endpoint = *endpoint_in(client);
    if (timeout != 0) {
        endpoint.timeouts() = {timeout, timeout, timeout};
    }
    bool connected = endpoint.connect_to(host, static_cast<int>(port), timeout);
    copy_error(client, endpoint);
    // Meanwhile another coroutine may have closed it, and begun anew.
    if (client.socket == held.socket()) {
        set_connected(client, connected);
        if (!connected) {
            drop_socket(client);
        }
    }
    return connected;
}

void return_string(ClientObject& client, Endpoint& endpoint, zend_string* string,
                   zval* return_value) {
    copy_error(client, endpoint);
    if (EXPECTED(string != nullptr)) {
        RETURN_STR(string);
    }
    RETURN_FALSE;
}

}  // namespace
}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Coroutine_Client, __construct) {
    zend_long type;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(type)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<ClientObject>(ZEND_THIS);
    if (!client_kind_of(type, self.kind)) {
        zend_argument_value_error(1, "must be one of SWOOLE_SOCK_TCP, SWOOLE_SOCK_UDP ...");
        RETURN_THROWS();
    }
    self.constructed = true;
    ZVAL_LONG(OBJ_PROP_NUM(&self.std, kType), type);
}

ZEND_METHOD(Swoole_Coroutine_Client, __destruct) { STAMPEDE_PARSE_NO_PARAMETERS(); }

ZEND_METHOD(Swoole_Coroutine_Client, set) {
    HashTable* settings;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ARRAY_HT(settings)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<ClientObject>(ZEND_THIS);
    if (zend_hash_num_elements(settings) == 0) {
        RETURN_FALSE;
    }
    merge_settings(OBJ_PROP_NUM(&self.std, kSetting), settings);
    io::Endpoint* endpoint = endpoint_in(self);
    if (endpoint != nullptr && !endpoint->configure(settings)) {
        RETURN_THROWS();
    }
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Coroutine_Client, connect) {
    zend_string* host;
    zend_long port = 0;
    double timeout = 0;
    zend_long flag = 0;
    ZEND_PARSE_PARAMETERS_START(1, 4)
        Z_PARAM_STR(host)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(port)
        Z_PARAM_DOUBLE(timeout)
        Z_PARAM_LONG(flag)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<ClientObject>(ZEND_THIS);
    if (!check(self)) {
        RETURN_THROWS();
    }
    if (ZSTR_LEN(host) == 0) {
        set_error(self, EINVAL);
        RETURN_FALSE;
    }
    RETURN_BOOL(connect_client(self, view_of(host), port, timeout));
}

ZEND_METHOD(Swoole_Coroutine_Client, recv) {
    double timeout = 0;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<ClientObject>(ZEND_THIS);
    io::Endpoint* endpoint = begin(self, io::Direction::kRead);
    if (endpoint == nullptr) {
        RETURN_FALSE;
    }
    Held held(self);
    return_string(self, *endpoint, endpoint->receiver().receive_packet(timeout), return_value);
}

ZEND_METHOD(Swoole_Coroutine_Client, peek) {
    zend_long length = 65535;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(length)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<ClientObject>(ZEND_THIS);
    io::Endpoint* endpoint = begin(self, io::Direction::kRead);
    if (endpoint == nullptr) {
        RETURN_FALSE;
    }
    return_string(self, *endpoint,
                  endpoint->receiver().peek(static_cast<size_t>(length > 0 ? length : 65535)),
                  return_value);
}

ZEND_METHOD(Swoole_Coroutine_Client, send) {
    zend_string* data;
    double timeout = 0;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_STR(data)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<ClientObject>(ZEND_THIS);
    io::Endpoint* endpoint = begin(self, io::Direction::kWrite);
    if (endpoint == nullptr) {
        RETURN_FALSE;
    }
    Held held(self);
    long sent = endpoint->sender().send_all(view_of(data), timeout);
    copy_error(self, *endpoint);
    if (sent < 0) {
        RETURN_FALSE;
    }
    RETURN_LONG(sent);
}

ZEND_METHOD(Swoole_Coroutine_Client, sendfile) {
    zend_string* path;
    zend_long offset = 0;
    zend_long length = 0;
    ZEND_PARSE_PARAMETERS_START(1, 3)
        Z_PARAM_PATH_STR(path)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(offset)
        Z_PARAM_LONG(length)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<ClientObject>(ZEND_THIS);
    io::Endpoint* endpoint = begin(self, io::Direction::kWrite);
    if (endpoint == nullptr) {
        RETURN_FALSE;
    }
    Held held(self);
    bool sent = endpoint->sender().send_file(ZSTR_VAL(path), offset, length);
    copy_error(self, *endpoint);
    RETURN_BOOL(sent);
}

ZEND_METHOD(Swoole_Coroutine_Client, sendto) {
    zend_string* address;
    zend_long port;
    zend_string* data;
    ZEND_PARSE_PARAMETERS_START(3, 3)
        Z_PARAM_STR(address)
        Z_PARAM_LONG(port)
        Z_PARAM_STR(data)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<ClientObject>(ZEND_THIS);
    io::Endpoint* endpoint = begin_datagram(self, io::Direction::kWrite);
    if (endpoint == nullptr) {
        RETURN_FALSE;
    }
    Held held(self);
    long sent = endpoint->sender().send_to(view_of(address), static_cast<int>(port), view_of(data));
    copy_error(self, *endpoint);
    RETURN_BOOL(sent >= 0);
}

ZEND_METHOD(Swoole_Coroutine_Client, recvfrom) {
    zend_long length;
    zval* address;
    zval* port = nullptr;
    ZEND_PARSE_PARAMETERS_START(2, 3)
        Z_PARAM_LONG(length)
        Z_PARAM_ZVAL(address)
        Z_PARAM_OPTIONAL
        Z_PARAM_ZVAL(port)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<ClientObject>(ZEND_THIS);
    io::Endpoint* endpoint = begin_datagram(self, io::Direction::kRead);
    if (endpoint == nullptr || length <= 0) {
        RETURN_FALSE;
    }
    Held held(self);
    os::Address peer;
    zend_string* bytes = endpoint->receiver().receive_from(static_cast<size_t>(length), peer, 0);
    return_string(self, *endpoint, bytes, return_value);
    if (bytes != nullptr) {
        char host[128];
        size_t size = peer.length > 0 ? peer.format_host(host) : 0;
        ZEND_TRY_ASSIGN_REF_STRINGL(address, host, size);
        if (port != nullptr) {
            ZEND_TRY_ASSIGN_REF_LONG(port, peer.port());
        }
    }
}

ZEND_METHOD(Swoole_Coroutine_Client, enableSSL) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<ClientObject>(ZEND_THIS);
    io::Endpoint* endpoint = begin(self, io::Direction::kWrite);
    if (endpoint == nullptr ||
        io::refuse_second_user(endpoint->descriptor(), io::Direction::kRead)) {
        RETURN_FALSE;
    }
    Held held(self);
    bool done = endpoint->dialer().start_tls(tls::Role::kClient, endpoint->dialer().dialled_host());
    copy_error(self, *endpoint);
    RETURN_BOOL(done);
}

ZEND_METHOD(Swoole_Coroutine_Client, getPeerCert) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<ClientObject>(ZEND_THIS);
    io::Endpoint* endpoint = begin(self, io::Direction::kWrite);
    if (endpoint == nullptr) {
        RETURN_FALSE;
    }
    endpoint->clear_error();
    return_string(self, *endpoint, peer_certificate(*endpoint), return_value);
}

ZEND_METHOD(Swoole_Coroutine_Client, verifyPeerCert) {
    bool allow_self_signed = false;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL(allow_self_signed)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<ClientObject>(ZEND_THIS);
    io::Endpoint* endpoint = begin(self, io::Direction::kWrite);
    if (endpoint == nullptr) {
        RETURN_FALSE;
    }
    endpoint->clear_error();
    bool good =
        verify_certificate(*endpoint, allow_self_signed ? tls::Verification::kPeerOrSelfSigned
                                                        : tls::Verification::kPeer);
    copy_error(self, *endpoint);
    RETURN_BOOL(good);
}

ZEND_METHOD(Swoole_Coroutine_Client, isConnected) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_BOOL(is_connected(zend::from_this<ClientObject>(ZEND_THIS)));
}

ZEND_METHOD(Swoole_Coroutine_Client, getsockname) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<ClientObject>(ZEND_THIS);
    if (!return_client_address(endpoint_in(self), os::local_address, return_value)) {
        set_error(self, endpoint_in(self) != nullptr ? errno : api_error::kClientNoConnection);
        RETURN_FALSE;
    }
}

ZEND_METHOD(Swoole_Coroutine_Client, getpeername) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<ClientObject>(ZEND_THIS);
    if (!return_client_address(endpoint_in(self), os::peer_address, return_value)) {
        set_error(self, endpoint_in(self) != nullptr ? errno : api_error::kClientNoConnection);
        RETURN_FALSE;
    }
}

ZEND_METHOD(Swoole_Coroutine_Client, close) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<ClientObject>(ZEND_THIS);
    if (self.socket == nullptr) {
        set_error(self, api_error::kClientNoConnection);
        RETURN_FALSE;
    }
    drop_socket(self);
    set_error(self, 0);
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Coroutine_Client, exportSocket) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<ClientObject>(ZEND_THIS);
    if (self.socket == nullptr) {
        set_error(self, api_error::kClientNoConnection);
        RETURN_FALSE;
    }
    RETURN_OBJ_COPY(self.socket);
}

namespace stampede::ext {

zend_result coroutine_client_minit(int, int) {
    zend_class_entry* ce = register_class_Swoole_Coroutine_Client();
    ce->create_object = create;
    ce->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    zend::init_handlers<ClientObject>(handlers, destroy);
    zend::refuse_unset(handlers);
    handlers.get_gc = list_references;
    zend::alias_short_name(ce, "Co\\Client");
    return SUCCESS;
}

}  // namespace stampede::ext
