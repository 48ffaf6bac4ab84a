// Swoole\Coroutine\Socket: the object, connecting, ending. What it sends and receives is in
// socket_io.cc, its options in socket_option.cc.
#include "classes/socket/socket.h"

#include <cerrno>

#include "classes/coroutine/coroutine.h"
#include "classes/event.h"
#include "os/fd.h"
#include "subsystems.h"
#include "zend/class_alias.h"
#include "zend/gc_roots.h"
#include "zend/throw.h"
#include "zend/object_guards.h"

#include "stubs/coroutine_socket_arginfo.h"

namespace stampede::classes {

using io::Direction;
using io::Endpoint;

zend_class_entry* coroutine_socket_class;
zend_class_entry* coroutine_socket_exception_class;

namespace {

// Declared properties come first in an object, in the order of the stub.
enum : uint32_t { kFdSlot, kDomainSlot, kTypeSlot, kProtocolSlot, kErrCodeSlot, kErrMsgSlot };
constexpr zend_long kEventRead = 512;  // SWOOLE_EVENT_READ; SWOOLE_EVENT_WRITE is the other

zend_object_handlers handlers;

zend_object* create(zend_class_entry* ce) {
    return zend::create_object<SocketObject>(ce, &handlers);
}

void destroy(zend_object* object) {
    delete zend::from_object<SocketObject>(object).endpoint;
    zend_object_std_dtor(object);
}

HashTable* list_references(zend_object* object, zval** table, int* count) {
    zend::GcRoots roots;
    Endpoint* endpoint = zend::from_object<SocketObject>(object).endpoint;
    if (endpoint != nullptr && endpoint->has_length_function()) {
        roots.add(endpoint->settings().length_function);
    }
    return roots.with_properties(object, table, count);
}

void set_long(SocketObject& socket, uint32_t slot, zend_long value) {
    zval* property = OBJ_PROP_NUM(&socket.std, slot);
    zval_ptr_dtor(property);
    ZVAL_LONG(property, value);
}

void set_kind(SocketObject& socket, const os::SocketKind& kind) {
    set_long(socket, kDomainSlot, kind.domain);
    set_long(socket, kTypeSlot, kind.type);
    set_long(socket, kProtocolSlot, kind.protocol);
}

double option_seconds(const char* name, const char* other_name, double usual) {
    zval* value = find_coroutine_option(name);
    if (value == nullptr && other_name != nullptr) {
        value = find_coroutine_option(other_name);
    }
    return value != nullptr ? zval_get_double(value) : usual;
}

Direction direction_of(zend_long event) {
    return event == kEventRead ? Direction::kRead : Direction::kWrite;
}

}  // namespace

// A peer that is gone without a word is not waited for for ever.
constexpr double kUsualWait = 60;

io::Timeouts default_timeouts() {
    io::Timeouts usual;
    usual.read = usual.write = kUsualWait;
    if (coroutine_options() == nullptr) {
        return usual;
    }
    double all = option_seconds("socket_timeout", nullptr, 0);
    if (all != 0) {
        usual.read = usual.write = all;
    }
    usual.connect = option_seconds("socket_connect_timeout", nullptr, usual.connect);
    usual.read = option_seconds("socket_read_timeout", "socket_recv_timeout", usual.read);
    usual.write = option_seconds("socket_write_timeout", "socket_send_timeout", usual.write);
    return usual;
}

Endpoint* endpoint_of(SocketObject& socket) {
    if (UNEXPECTED(socket.endpoint == nullptr)) {
        zend::throw_error(zend::error_classes.error, 0, "must call constructor first");
    }
    return socket.endpoint;
}

Endpoint* endpoint_for(SocketObject& socket, Direction direction) {
    if (UNEXPECTED(require_coroutine() == nullptr)) {
        return nullptr;
    }
    Endpoint* endpoint = endpoint_of(socket);
    if (UNEXPECTED(endpoint == nullptr ||
                   io::refuse_second_user(endpoint->descriptor(), direction))) {
        return nullptr;
    }
    return endpoint;
}

void report(SocketObject& socket) {
    Endpoint& endpoint = *socket.endpoint;
    zval* code = OBJ_PROP_NUM(&socket.std, kErrCodeSlot);
    zval* fd = OBJ_PROP_NUM(&socket.std, kFdSlot);
    if (UNEXPECTED(Z_TYPE_P(fd) != IS_LONG || Z_LVAL_P(fd) != endpoint.fd())) {
        set_long(socket, kFdSlot, endpoint.fd());
    }
    if (EXPECTED(endpoint.error() == 0 && Z_TYPE_P(code) == IS_LONG && Z_LVAL_P(code) == 0)) {
        return;
    }
    set_long(socket, kErrCodeSlot, endpoint.error());
    zval* text = OBJ_PROP_NUM(&socket.std, kErrMsgSlot);
    zval_ptr_dtor(text);
    ZVAL_STRINGL_FAST(text, endpoint.error_text().data(), endpoint.error_text().size());
    if (endpoint.error() != 0) {
        zend::set_last_error(endpoint.error());
    }
}

void report_error(SocketObject& socket, int error) {
    socket.endpoint->fail(error);
    report(socket);
}

void make_socket_object(Endpoint* endpoint, zval* out) {
    object_init_ex(out, coroutine_socket_class);
    auto& socket = zend::from_this<SocketObject>(out);
    socket.endpoint = endpoint;
    set_kind(socket, endpoint->kind());
    report(socket);
}

bool make_socket_object(int fd, const os::SocketKind& kind, zval* out) {
    auto* endpoint = new Endpoint(kind);
    endpoint->timeouts() = default_timeouts();
    if (!endpoint->adopt(fd)) {
        delete endpoint;
        return false;
    }
    make_socket_object(endpoint, out);
    return true;
}

void show_connection(SocketObject& socket) {
    socket.endpoint->take_over_connection();
    set_kind(socket, socket.endpoint->kind());
    report(socket);
}

void describe_address(const os::Address& address, const char* address_key, zval* out) {
    char host[128];
    size_t size = address.length > 0 ? address.format_host(host) : 0;
    add_assoc_stringl(out, address_key, host, size);
    add_assoc_long(out, "port", address.port());
}

namespace {

void return_address(zval* self, os::Address (*ask)(int), zval* return_value) {
    auto& socket = zend::from_this<SocketObject>(self);
    Endpoint* endpoint = endpoint_of(socket);
    if (endpoint == nullptr) {
        return;
    }
    endpoint->clear_error();
    os::Address address;
    if (endpoint->is_open()) {
        address = ask(endpoint->fd());
    }
    if (address.length == 0) {
        report_error(socket, endpoint->is_open() ? errno : EBADF);
        RETURN_FALSE;
    }
    report(socket);
    array_init(return_value);
    describe_address(address, "address", return_value);
}

}  // namespace
}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Coroutine_Socket, __construct) {
    zend_long domain;
    zend_long type;
    zend_long protocol = 0;
    ZEND_PARSE_PARAMETERS_START(2, 3)
        Z_PARAM_LONG(domain)
        Z_PARAM_LONG(type)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(protocol)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SocketObject>(ZEND_THIS);
    if (self.endpoint != nullptr) {
        zend::throw_error(zend::error_classes.error, 0, "the socket has been constructed already");
        RETURN_THROWS();
    }
    os::SocketKind kind{static_cast<int>(domain),
                        static_cast<int>(type) & ~(SOCK_NONBLOCK | SOCK_CLOEXEC),
                        static_cast<int>(protocol)};
    auto* endpoint = new io::Endpoint(kind);
    endpoint->timeouts() = default_timeouts();
    if (!endpoint->open()) {
        zend::throw_error(coroutine_socket_exception_class, endpoint->error(),
                          "new Socket() failed. Error: %s [%d]", endpoint->error_text().c_str(),
                          endpoint->error());
        delete endpoint;
        RETURN_THROWS();
    }
    self.endpoint = endpoint;
    set_kind(self, kind);
    report(self);
}

ZEND_METHOD(Swoole_Coroutine_Socket, bind) {
    zend_string* address;
    zend_long port = 0;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_STR(address)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(port)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SocketObject>(ZEND_THIS);
    io::Endpoint* endpoint = endpoint_of(self);
    if (endpoint == nullptr) {
        RETURN_THROWS();
    }
    bool bound = endpoint->bind_to(view_of(address), static_cast<int>(port));
    report(self);
    RETURN_BOOL(bound);
}

ZEND_METHOD(Swoole_Coroutine_Socket, listen) {
    zend_long backlog = 0;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(backlog)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SocketObject>(ZEND_THIS);
    io::Endpoint* endpoint = endpoint_of(self);
    if (endpoint == nullptr) {
        RETURN_THROWS();
    }
    bool listening = endpoint->start_listening(static_cast<int>(backlog));
    report(self);
    RETURN_BOOL(listening);
}

ZEND_METHOD(Swoole_Coroutine_Socket, accept) {
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
    int fd = endpoint->take_connection(timeout);
    if (fd >= 0 && !make_socket_object(fd, endpoint->kind(), return_value)) {
        endpoint->fail(EBADF);
        fd = -1;
    }
    report(self);
    if (fd < 0) {
        RETURN_FALSE;
    }
    auto& connection = zend::from_this<SocketObject>(return_value);
    connection.accepted = true;
    connection.endpoint->inherit(*endpoint);
}

ZEND_METHOD(Swoole_Coroutine_Socket, connect) {
    zend_string* host;
    zend_long port = 0;
    double timeout = 0;
    ZEND_PARSE_PARAMETERS_START(1, 3)
        Z_PARAM_STR(host)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(port)
        Z_PARAM_DOUBLE(timeout)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SocketObject>(ZEND_THIS);
    io::Endpoint* endpoint = endpoint_for(self, io::Direction::kWrite);
    if (endpoint == nullptr ||
        io::refuse_second_user(endpoint->descriptor(), io::Direction::kRead)) {
        RETURN_THROWS();
    }
    bool connected = endpoint->connect_to(view_of(host), static_cast<int>(port), timeout);
    report(self);
    RETURN_BOOL(connected);
}

ZEND_METHOD(Swoole_Coroutine_Socket, sslHandshake) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<SocketObject>(ZEND_THIS);
    io::Endpoint* endpoint = endpoint_for(self, io::Direction::kWrite);
    if (endpoint == nullptr ||
        io::refuse_second_user(endpoint->descriptor(), io::Direction::kRead)) {
        RETURN_THROWS();
    }
    tls::Role role = self.accepted ? tls::Role::kServer : tls::Role::kClient;
    endpoint->receiver().take_seen();
    bool done = endpoint->dialer().start_tls(role, endpoint->dialer().dialled_host());
    report(self);
    RETURN_BOOL(done);
}

ZEND_METHOD(Swoole_Coroutine_Socket, setProtocol) {
    HashTable* settings;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ARRAY_HT(settings)
    ZEND_PARSE_PARAMETERS_END();
    io::Endpoint* endpoint = endpoint_of(zend::from_this<SocketObject>(ZEND_THIS));
    if (endpoint == nullptr || !endpoint->configure(settings)) {
        RETURN_THROWS();
    }
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Coroutine_Socket, checkLiveness) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<SocketObject>(ZEND_THIS);
    io::Endpoint* endpoint = endpoint_of(self);
    if (endpoint == nullptr) {
        RETURN_THROWS();
    }
    bool alive = endpoint->is_alive();
    report(self);
    RETURN_BOOL(alive);
}

ZEND_METHOD(Swoole_Coroutine_Socket, getBoundCid) {
    zend_long event;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(event)
    ZEND_PARSE_PARAMETERS_END();
    io::Endpoint* endpoint = endpoint_of(zend::from_this<SocketObject>(ZEND_THIS));
    if (endpoint == nullptr) {
        RETURN_THROWS();
    }
    runtime::Fiber* holder = endpoint->descriptor().holder(direction_of(event));
    RETURN_LONG(holder != nullptr ? holder->cid : 0);
}

ZEND_METHOD(Swoole_Coroutine_Socket, shutdown) {
    zend_long how = 2;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(how)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SocketObject>(ZEND_THIS);
    io::Endpoint* endpoint = endpoint_of(self);
    if (endpoint == nullptr) {
        RETURN_THROWS();
    }
    bool done = endpoint->end_direction(static_cast<int>(how));
    report(self);
    RETURN_BOOL(done);
}

ZEND_METHOD(Swoole_Coroutine_Socket, cancel) {
    zend_long event = kEventRead;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(event)
    ZEND_PARSE_PARAMETERS_END();
    io::Endpoint* endpoint = endpoint_of(zend::from_this<SocketObject>(ZEND_THIS));
    if (endpoint == nullptr) {
        RETURN_THROWS();
    }
    RETURN_BOOL(endpoint->descriptor().cancel(direction_of(event)));
}

ZEND_METHOD(Swoole_Coroutine_Socket, close) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<SocketObject>(ZEND_THIS);
    io::Endpoint* endpoint = endpoint_of(self);
    if (endpoint == nullptr) {
        RETURN_THROWS();
    }
    bool open = endpoint->is_open();
    if (open && self.imported) {
        (void)os::shutdown_socket(endpoint->fd(), SHUT_RDWR);
    }
    endpoint->close();
    report_error(self, open ? 0 : EBADF);
    RETURN_BOOL(open);
}

ZEND_METHOD(Swoole_Coroutine_Socket, getpeername) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    return_address(ZEND_THIS, os::peer_address, return_value);
}

ZEND_METHOD(Swoole_Coroutine_Socket, getsockname) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    return_address(ZEND_THIS, os::local_address, return_value);
}

ZEND_METHOD(Swoole_Coroutine_Socket, isClosed) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    io::Endpoint* endpoint = endpoint_of(zend::from_this<SocketObject>(ZEND_THIS));
    if (endpoint == nullptr) {
        RETURN_THROWS();
    }
    RETURN_BOOL(!endpoint->is_open());
}

ZEND_METHOD(Swoole_Coroutine_Socket, import) {
    zval* stream;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ZVAL(stream)
    ZEND_PARSE_PARAMETERS_END();
    int given = descriptor_of(stream);
    if (given < 0) {
        RETURN_FALSE;
    }
    Result<int> fd = os::duplicate(given);
    if (!fd) {
        zend::set_last_error(static_cast<int>(fd.error().code()));
        RETURN_FALSE;
    }
    // What is no socket is a stream of bytes.
    os::SocketKind kind{0, SOCK_STREAM, 0};
    if (Result<os::SocketKind> known = os::socket_kind(*fd)) {
        kind = *known;
    }
    if (!make_socket_object(*fd, kind, return_value)) {
        RETURN_FALSE;
    }
    zend::from_this<SocketObject>(return_value).imported = true;
}

namespace stampede::ext {

zend_result coroutine_socket_minit(int, int) {
    coroutine_socket_class = register_class_Swoole_Coroutine_Socket();
    coroutine_socket_class->create_object = create;
    coroutine_socket_class->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    zend::init_handlers<SocketObject>(handlers, destroy);
    zend::refuse_unset(handlers);
    handlers.get_gc = list_references;
    coroutine_socket_exception_class =
        register_class_Swoole_Coroutine_Socket_Exception(zend::error_classes.exception);
    zend::alias_short_name(coroutine_socket_class, "Co\\Socket");
    zend::alias_short_name(coroutine_socket_exception_class, "Co\\Socket\\Exception");
    return SUCCESS;
}

}  // namespace stampede::ext
