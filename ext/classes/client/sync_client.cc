// Swoole\Client: an endpoint that blocks outside coroutines and parks inside. Connections of
// SWOOLE_KEEP lie in a pool of the process until the next client of the same name takes them.
#include "classes/client/sync_client.h"

#include <cerrno>
#include <string>

#include "classes/client/kept_connections.h"
#include "classes/socket/socket.h"
#include "error_numbers.h"
#include "os/fd.h"
#include "subsystems.h"
#include "zend/throw.h"
#include "zend/object_guards.h"

#include "stubs/client_arginfo.h"

namespace stampede::classes {

using io::Direction;
using io::Endpoint;

zend_class_entry* sync_client_class;

namespace {

zend_object_handlers handlers;

zend_object* create(zend_class_entry* ce) {
    return zend::create_object<SyncClientObject>(ce, &handlers);
}

void destroy(zend_object* object) {
    auto& client = zend::from_object<SyncClientObject>(object);
    delete client.endpoint;
    if (client.kept_as != nullptr) {
        zend_string_release(client.kept_as);
    }
    delete client.extension;
    zend_object_std_dtor(object);
}

HashTable* list_references(zend_object* object, zval** table, int* count) {
    auto& client = zend::from_object<SyncClientObject>(object);
    zend::GcRoots roots;
    if (client.endpoint != nullptr && client.endpoint->has_length_function()) {
        roots.add(client.endpoint->settings().length_function);
    }
    if (client.extension != nullptr) {
        client.extension->show_to(roots);
    }
    return roots.with_properties(object, table, count);
}

void set_long(SyncClientObject& client, ClientSlot slot, zend_long value) {
    zval* property = OBJ_PROP_NUM(&client.std, slot);
    if (Z_TYPE_P(property) == IS_LONG) {
        Z_LVAL_P(property) = value;
        return;
    }
    zval_ptr_dtor(property);
    ZVAL_LONG(property, value);
}

void show_reuse(SyncClientObject& client) {
    zval* reuse = OBJ_PROP_NUM(&client.std, kClientReuse);
    zval_ptr_dtor(reuse);
    ZVAL_BOOL(reuse, client.uses > 0);
    set_long(client, kClientReuseCount, client.uses);
}

// By kind, address and, where there is one, id, so that several connections to one server are told
// apart.
zend_string* kept_name(SyncClientObject& client, std::string_view host, int port) {
    zval* id = OBJ_PROP_NUM(&client.std, kClientId);
    return strpprintf(0, "%d %d %.*s:%d %s", client.kind.socket.domain, client.kind.socket.type,
                      static_cast<int>(host.size()), host.data(), port,
                      Z_TYPE_P(id) == IS_STRING ? Z_STRVAL_P(id) : "");
}

bool take_kept(SyncClientObject& client, std::string_view host, int port) {
    client.uses = 0;
    if (client.kept_as != nullptr) {
        zend_string_release(client.kept_as);
        client.kept_as = nullptr;
    }
    if (!client.kind.keep || client.kind.tls) {
        return false;
    }
    client.kept_as = kept_name(client, host, port);
    KeptConnection found = take_kept_connection(view_of(client.kept_as));
    if (found.fd < 0 || !client.endpoint->adopt(found.fd)) {
        return false;
    }
    client.uses = found.uses;
    return true;
}

zend_string* receive_by_flags(Endpoint& endpoint, size_t size, zend_long flags) {
    if ((flags & MSG_PEEK) != 0 && (flags & MSG_DONTWAIT) == 0) {
        return endpoint.receiver().await_peek(size, 0);
    }
    if ((flags & MSG_WAITALL) != 0) {
        return endpoint.receiver().receive_all(size, 0);
    }
    if ((flags & (MSG_PEEK | MSG_DONTWAIT)) != 0) {
        zend_string* seen = endpoint.receiver().peek(size);
        if (seen == nullptr || (flags & MSG_PEEK) != 0 || ZSTR_LEN(seen) == 0) {
            return seen;
        }
        zend_string_release(seen);
    }
    return endpoint.has_framing() ? endpoint.receiver().receive_packet(0)
                                  : endpoint.receiver().receive(size, 0);
}

// For a call that waits: null with the error set, or after an exception.
Endpoint* begin(SyncClientObject& client, Direction direction) {
    if (!require_connection(client) ||
        io::refuse_second_user(client.endpoint->descriptor(), direction)) {
        return nullptr;
    }
    return client.endpoint;
}

void return_string(SyncClientObject& client, zend_string* string, zval* return_value) {
    copy_client_error(client);
    if (string == nullptr) {
        RETURN_FALSE;
    }
    RETURN_STR(string);
}

}  // namespace

bool construct_client(SyncClientObject& client, zend_long type) {
    if (!client_kind_of(type, client.kind)) {
        zend_argument_value_error(1, "must be one of SWOOLE_SOCK_TCP, SWOOLE_SOCK_UDP ...");
        return false;
    }
    if (client.endpoint == nullptr) {
        client.endpoint = new Endpoint(client.kind.socket);
    }
    set_long(client, kClientType, type);
    return true;
}

void set_client_error(SyncClientObject& client, int error) {
    set_long(client, kClientErrCode, error);
    if (error != 0) {
        zend::set_last_error(error);
    }
}

void copy_client_error(SyncClientObject& client) {
    set_client_error(client, client.endpoint->error());
}

void show_client_socket(SyncClientObject& client) {
    set_long(client, kClientSock, client.endpoint->fd());
}

bool require_connection(SyncClientObject& client) {
    if (client.endpoint == nullptr) {
        zend::throw_error(zend::error_classes.error, 0, "must call constructor first");
        return false;
    }
    if (!client.endpoint->is_open()) {
        set_client_error(client, api_error::kClientNoConnection);
        return false;
    }
    return true;
}

bool connect_sync_client(SyncClientObject& client, std::string_view host, int port,
                         double timeout) {
    Endpoint& endpoint = *client.endpoint;
    io::Timeouts limits;
    if (timeout != 0) {
        limits = {timeout, timeout, timeout};
    }
    if (!prepare_endpoint(endpoint, client.kind, OBJ_PROP_NUM(&client.std, kClientSetting),
                          limits)) {
        return false;
    }
    bool connected =
        take_kept(client, host, port) || (endpoint.open() && endpoint.connect_to(host, port, 0));
    copy_client_error(client);
    if (!connected) {
        endpoint.close();
    }
    show_reuse(client);
    show_client_socket(client);
    return connected;
}

void close_sync_client(SyncClientObject& client) {
    client.endpoint->close();
    show_client_socket(client);
}

}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Client, __construct) {
    zend_long type;
    bool async = false;
    zend_string* id = nullptr;
    ZEND_PARSE_PARAMETERS_START(1, 3)
        Z_PARAM_LONG(type)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL(async)
        Z_PARAM_STR(id)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SyncClientObject>(ZEND_THIS);
    if (async) {
        zend::throw_error(zend::error_classes.error, 0,
                          "Swoole\\Client blocks: use Swoole\\Async\\Client or "
                          "Swoole\\Coroutine\\Client.");
        RETURN_THROWS();
    }
    if (!construct_client(self, type)) {
        RETURN_THROWS();
    }
    if (id != nullptr && ZSTR_LEN(id) > 0) {
        ZVAL_STR_COPY(OBJ_PROP_NUM(&self.std, kClientId), id);
    }
}

ZEND_METHOD(Swoole_Client, __destruct) { STAMPEDE_PARSE_NO_PARAMETERS(); }

ZEND_METHOD(Swoole_Client, set) {
    HashTable* settings;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ARRAY_HT(settings)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SyncClientObject>(ZEND_THIS);
    merge_settings(OBJ_PROP_NUM(&self.std, kClientSetting), settings);
    bool open = self.endpoint != nullptr && self.endpoint->is_open();
    if (open && !self.endpoint->configure(settings)) {
        RETURN_THROWS();
    }
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Client, connect) {
    zend_string* host;
    zend_long port = 0;
    double timeout = 0.5;
    zend_long flag = 0;
    ZEND_PARSE_PARAMETERS_START(1, 4)
        Z_PARAM_STR(host)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(port)
        Z_PARAM_DOUBLE(timeout)
        Z_PARAM_LONG(flag)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SyncClientObject>(ZEND_THIS);
    if (self.endpoint == nullptr) {
        zend::throw_error(zend::error_classes.error, 0, "must call constructor first");
        RETURN_THROWS();
    }
    if (ZSTR_LEN(host) == 0 || self.endpoint->is_open()) {
        set_client_error(self, ZSTR_LEN(host) == 0 ? EINVAL : EISCONN);
        zend::warning(ZSTR_LEN(host) == 0
                          ? "The host is empty"
                          : "connection to the server has already been established");
        RETURN_FALSE;
    }
    bool connected = connect_sync_client(self, view_of(host), static_cast<int>(port), timeout);
    if (!connected && !zend::exception_pending()) {
        zend::warning("connect to server[%s:" ZEND_LONG_FMT "] failed. Error: %s [%d]",
                      ZSTR_VAL(host), port, self.endpoint->error_text().c_str(),
                      self.endpoint->error());
    }
    RETURN_BOOL(connected);
}

ZEND_METHOD(Swoole_Client, recv) {
    zend_long size = 65536;
    zend_long flags = 0;
    ZEND_PARSE_PARAMETERS_START(0, 2)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(size)
        Z_PARAM_LONG(flags)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SyncClientObject>(ZEND_THIS);
    io::Endpoint* endpoint = begin(self, io::Direction::kRead);
    if (endpoint == nullptr) {
        RETURN_FALSE;
    }
    size_t wanted = static_cast<size_t>(size > 0 ? size : 65536);
    return_string(self, receive_by_flags(*endpoint, wanted, flags), return_value);
    if (endpoint->error() == ETIMEDOUT) {
        set_client_error(self, EAGAIN);  // as a socket with SO_RCVTIMEO says it
    }
}

ZEND_METHOD(Swoole_Client, send) {
    zend_string* data;
    zend_long flags = 0;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_STR(data)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(flags)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SyncClientObject>(ZEND_THIS);
    if (ZSTR_LEN(data) == 0) {
        zend::warning("data to send is empty.");
        RETURN_FALSE;
    }
    if (self.extension != nullptr && self.kind.socket.type == SOCK_STREAM) {
        long taken = self.extension->send(self, view_of(data));
        if (taken < 0) {
            RETURN_FALSE;
        }
        RETURN_LONG(taken);
    }
    io::Endpoint* endpoint = begin(self, io::Direction::kWrite);
    if (endpoint == nullptr) {
        RETURN_FALSE;
    }
    long sent = endpoint->sender().send_all(view_of(data), 0);
    copy_client_error(self);
    if (sent < 0) {
        RETURN_FALSE;
    }
    RETURN_LONG(sent);
}

ZEND_METHOD(Swoole_Client, sendfile) {
    zend_string* path;
    zend_long offset = 0;
    zend_long length = 0;
    ZEND_PARSE_PARAMETERS_START(1, 3)
        Z_PARAM_PATH_STR(path)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(offset)
        Z_PARAM_LONG(length)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SyncClientObject>(ZEND_THIS);
    io::Endpoint* endpoint = begin(self, io::Direction::kWrite);
    if (endpoint == nullptr) {
        RETURN_FALSE;
    }
    bool sent = endpoint->sender().send_file(ZSTR_VAL(path), offset, length);
    copy_client_error(self);
    RETURN_BOOL(sent);
}

ZEND_METHOD(Swoole_Client, sendto) {
    zend_string* host;
    zend_long port;
    zend_string* data;
    ZEND_PARSE_PARAMETERS_START(3, 3)
        Z_PARAM_STR(host)
        Z_PARAM_LONG(port)
        Z_PARAM_STR(data)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SyncClientObject>(ZEND_THIS);
    bool datagrams = self.endpoint != nullptr && self.kind.socket.type == SOCK_DGRAM;
    if (datagrams && !self.endpoint->is_open()) {
        if (!prepare_endpoint(*self.endpoint, self.kind, OBJ_PROP_NUM(&self.std, kClientSetting),
                              io::Timeouts())) {
            RETURN_THROWS();
        }
        self.endpoint->open();
        copy_client_error(self);
        show_client_socket(self);
    }
    io::Endpoint* endpoint = begin(self, io::Direction::kWrite);
    if (endpoint == nullptr) {
        RETURN_FALSE;
    }
    long sent = endpoint->sender().send_to(view_of(host), static_cast<int>(port), view_of(data));
    copy_client_error(self);
    RETURN_BOOL(sent >= 0);
}

ZEND_METHOD(Swoole_Client, shutdown) {
    zend_long how;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(how)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SyncClientObject>(ZEND_THIS);
    if (!require_connection(self)) {
        RETURN_FALSE;
    }
    bool done = self.endpoint->end_direction(static_cast<int>(how));
    copy_client_error(self);
    RETURN_BOOL(done);
}

ZEND_METHOD(Swoole_Client, enableSSL) {
    zend_fcall_info fci = empty_fcall_info;
    zend_fcall_info_cache fcc;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_FUNC_OR_NULL(fci, fcc)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SyncClientObject>(ZEND_THIS);
    io::Endpoint* endpoint = begin(self, io::Direction::kWrite);
    if (endpoint == nullptr ||
        io::refuse_second_user(endpoint->descriptor(), io::Direction::kRead)) {
        RETURN_FALSE;
    }
    bool done = endpoint->dialer().start_tls(tls::Role::kClient, endpoint->dialer().dialled_host());
    copy_client_error(self);
    RETURN_BOOL(done);
}

ZEND_METHOD(Swoole_Client, getPeerCert) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<SyncClientObject>(ZEND_THIS);
    if (!require_connection(self)) {
        RETURN_FALSE;
    }
    self.endpoint->clear_error();
    return_string(self, peer_certificate(*self.endpoint), return_value);
}

ZEND_METHOD(Swoole_Client, verifyPeerCert) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<SyncClientObject>(ZEND_THIS);
    if (!require_connection(self)) {
        RETURN_FALSE;
    }
    self.endpoint->clear_error();
    bool good = verify_certificate(*self.endpoint, tls::Verification::kPeer);
    copy_client_error(self);
    RETURN_BOOL(good);
}

ZEND_METHOD(Swoole_Client, isConnected) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<SyncClientObject>(ZEND_THIS);
    RETURN_BOOL(self.endpoint != nullptr && self.endpoint->is_alive());
}

ZEND_METHOD(Swoole_Client, getsockname) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<SyncClientObject>(ZEND_THIS);
    if (!require_connection(self) ||
        !return_client_address(self.endpoint, os::local_address, return_value)) {
        RETURN_FALSE;
    }
}

ZEND_METHOD(Swoole_Client, getpeername) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<SyncClientObject>(ZEND_THIS);
    if (!require_connection(self) ||
        !return_client_address(self.endpoint, os::peer_address, return_value)) {
        RETURN_FALSE;
    }
}

ZEND_METHOD(Swoole_Client, close) {
    bool force = false;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL(force)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SyncClientObject>(ZEND_THIS);
    if (!require_connection(self)) {
        RETURN_FALSE;
    }
    if (self.kept_as != nullptr && !force) {
        keep_connection(view_of(self.kept_as), {self.endpoint->stream().release(), self.uses + 1});
        show_client_socket(self);
    } else {
        close_sync_client(self);
    }
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Client, getSocket) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<SyncClientObject>(ZEND_THIS);
    if (!require_connection(self)) {
        RETURN_FALSE;
    }
    if (!make_sockets_object(self.endpoint->fd(), return_value)) {
        zval_ptr_dtor(return_value);
        RETURN_FALSE;
    }
}

namespace stampede::ext {

zend_result client_minit(int, int) {
    sync_client_class = register_class_Swoole_Client();
    sync_client_class->create_object = create;
    sync_client_class->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    zend::init_handlers<SyncClientObject>(handlers, destroy);
    zend::refuse_unset(handlers);
    handlers.get_gc = list_references;
    register_class_Swoole_Client_Exception(zend::error_classes.exception);
    register_class_Swoole_Async_Client(sync_client_class);
    return SUCCESS;
}

zend_result client_rshutdown(int, int) {
    classes::close_kept_connections();
    return SUCCESS;
}

}  // namespace stampede::ext
