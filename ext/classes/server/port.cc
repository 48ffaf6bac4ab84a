// Swoole\Server\Port and Swoole\Connection\Iterator, and the opening and closing of a server's
// ports.
#include <cerrno>
#include <charconv>
#include <cstring>

#include "ext/server/peers.h"
#include "classes/server/sending.h"
#include "ext/server/state.h"
#include "ext/server/worker.h"
#include "io/options.h"
#include "os/file.h"
#include "os/service_manager.h"
#include "os/socket.h"
#include "server/service.h"
#include "stubs/server_port_arginfo.h"
#include "zend/engine_version.h"
#include "zend/last_error.h"
#include "zend/throw.h"

namespace stampede::classes {

zend_class_entry* port_class;
zend_class_entry* connection_iterator_class;

namespace {

constexpr int kSockTcp = 1;
constexpr int kSockUdp = 2;
constexpr int kSockTcp6 = 3;
constexpr int kSockUdp6 = 4;
constexpr int kSockUnixStream = 5;
constexpr int kSockUnixDatagram = 6;
constexpr int kSockSsl = 512;

zend_object_handlers port_handlers;
zend_object_handlers iterator_handlers;

struct PortObject {
    PortState* port;  // null once the server is gone
    zend_object std;
};

PortObject* port_of(zend_object* object) {
    return reinterpret_cast<PortObject*>(reinterpret_cast<char*>(object) -
                                         offsetof(PortObject, std));
}

zend_object* create_port(zend_class_entry* ce) {
    auto* port = static_cast<PortObject*>(zend_object_alloc(sizeof(PortObject), ce));
    port->port = nullptr;
    zend_object_std_init(&port->std, ce);
    object_properties_init(&port->std, ce);
    port->std.handlers = &port_handlers;
    return &port->std;
}

// Numbers of connections, as they were when the walk began.
struct IteratorObject {
    zval numbers;
    uint32_t position;
    int port_index;  // -1: of all ports
    zend_object std;
};

IteratorObject* iterator_of(zend_object* object) {
    return reinterpret_cast<IteratorObject*>(reinterpret_cast<char*>(object) -
                                             offsetof(IteratorObject, std));
}

zend_object* create_iterator(zend_class_entry* ce) {
    auto* iterator = static_cast<IteratorObject*>(zend_object_alloc(sizeof(IteratorObject), ce));
    ZVAL_UNDEF(&iterator->numbers);
    iterator->position = 0;
    iterator->port_index = -1;
    zend_object_std_init(&iterator->std, ce);
    object_properties_init(&iterator->std, ce);
    iterator->std.handlers = &iterator_handlers;
    return &iterator->std;
}

void free_iterator(zend_object* object) {
    zval_ptr_dtor(&iterator_of(object)->numbers);
    zend_object_std_dtor(object);
}

zval* present_number(IteratorObject& iterator) {
    return Z_TYPE(iterator.numbers) == IS_ARRAY
               ? zend_hash_index_find(Z_ARRVAL(iterator.numbers), iterator.position)
               : nullptr;
}

// Null, with a warning, when the server of the port is gone.
PortState* state_of(zval* object) {
    PortState* port = port_of(Z_OBJ_P(object))->port;
    if (port == nullptr) {
        zend::warning("the server of this port does not exist any more");
    }
    return port;
}

// The host "systemd" is a socket that the service manager hands over, "systemd:web" the one that it
// calls web.
constexpr std::string_view kManager = "systemd";

bool is_handed_over(std::string_view host) {
    return host == kManager || (host.starts_with(kManager) && host[kManager.size()] == ':');
}

std::string_view inherited_name(std::string_view host) {
    return host == kManager ? std::string_view() : host.substr(kManager.size() + 1);
}

Result<os::Address> resolve(const PortState& port, int type) {
    if (type == kSockTcp || type == kSockUdp) {
        return os::parse_ipv4(port.host == "localhost" ? "127.0.0.1" : port.host.c_str(),
                              static_cast<uint16_t>(port.port));
    }
    if (type == kSockTcp6 || type == kSockUdp6) {
        return os::parse_ipv6(port.host == "localhost" ? "::1" : port.host.c_str(),
                              static_cast<uint16_t>(port.port));
    }
    return os::parse_unix(port.host.c_str());
}

bool is_unix(int type) { return type == kSockUnixStream || type == kSockUnixDatagram; }

std::string address_text(const PortState& port, int type) {
    if (is_handed_over(port.host)) {
        return port.host;
    }
    if (is_unix(type)) {
        return "unix:" + port.host;
    }
    return port.host + ":" + std::to_string(port.port);
}

std::string why_not(const PortState& port, const Error& error) {
    if (port.inherited) {
        return error.is_system(ENOENT)
                   ? "no such socket was handed over (LISTEN_FDS, LISTEN_FDNAMES)"
                   : "what was handed over is no listening stream socket";
    }
    if (error.is_system(EADDRINUSE) && is_unix(port.type & ~kSockSsl)) {
        return "the path is in use by another process, or is no socket";
    }
    if (error.is(ServerError::kBadAddress)) {
        return "the address is not valid for this socket type";
    }
    if (error.is_system(EADDRINUSE)) {
        return "the port is in use by another process";
    }
    if (error.is_system(EACCES)) {
        return "ports below 1024 need root or the capability CAP_NET_BIND_SERVICE";
    }
    if (error.is_system(EADDRNOTAVAIL)) {
        return "this machine has no such address";
    }
    return strerror(static_cast<int>(error.code()));
}

// The kernel chose the number of a port 0.
void learn_number(PortState& port, int fd) {
    if (port.port == 0) {
        port.port = os::local_address(fd).port();
    }
}

void fail(OnFailure how, int code, const std::string& text) {
    zend::set_last_error(code);
    if (how == OnFailure::kThrow) {
        zend::throw_error(zend::error_classes.exception, code, "%s", text.c_str());
    } else {
        zend::warning("%s", text.c_str());
    }
}

os::ListenOptions listen_options(const ServerSettings& settings) {
    os::ListenOptions options;
    options.backlog = static_cast<int>(settings.backlog);
    options.reuse_port = settings.enable_reuse_port;
    options.defer_accept = static_cast<int>(settings.tcp_defer_accept);
    options.fast_open = settings.tcp_fastopen;
    options.send_buffer = static_cast<int>(settings.kernel_socket_send_buffer_size);
    options.receive_buffer = static_cast<int>(settings.kernel_socket_recv_buffer_size);
    return options;
}

Result<int> listen_on(const PortState& port, const ServerSettings& settings) {
    Result<os::Address> address = resolve(port, port.type & ~kSockSsl);
    if (!address) {
        return address.error();
    }
    return is_datagram(port) ? os::open_datagram_port(*address, listen_options(settings))
                             : os::listen_stream(*address, listen_options(settings));
}

// What a port must be opened with anew, because it was not known when the port was made.
bool has_late_options(const PortState& port, const ServerSettings& settings, size_t sockets) {
    bool buffers =
        settings.kernel_socket_send_buffer_size > 0 || settings.kernel_socket_recv_buffer_size > 0;
    if (sockets > 1 || buffers || is_datagram(port)) {
        return sockets > 1 || buffers;
    }
    return settings.tcp_defer_accept > 0 || settings.tcp_fastopen || settings.backlog != 512;
}

// -1: these are no octal digits.
int parse_mode(std::string_view text) {
    unsigned mode = 0;
    const char* end = text.data() + text.size();
    auto result = std::from_chars(text.data(), end, mode, 8);
    return result.ec == std::errc() && result.ptr == end && mode <= 0777 ? static_cast<int>(mode)
                                                                         : -1;
}

}  // namespace

std::string set_socket_modes(ServerState& state) {
    for (auto& port : state.ports) {
        std::string& wanted = port->socket_mode;
        wanted = state.settings.unix_socket_mode;
        if (Z_TYPE(port->settings) == IS_ARRAY) {
            io::read_text(Z_ARRVAL(port->settings), "unix_socket_mode", wanted);
        }
        if (port->path.empty() || wanted.empty()) {
            continue;
        }
        int mode = parse_mode(wanted);
        if (mode < 0) {
            return "unix_socket_mode must be octal digits such as \"0660\", not \"" + wanted + "\"";
        }
        if (!os::set_mode(port->path.c_str(), static_cast<unsigned>(mode))) {
            return "cannot set the mode of \"" + port->path + "\": " + strerror(errno);
        }
    }
    return {};
}

PortState* open_port(ServerState& state, std::string_view host, int number, int type,
                     OnFailure how) {
    int base = type & ~kSockSsl;
    if (base < kSockTcp || base > kSockUnixDatagram) {
        fail(how, EPROTONOSUPPORT,
             "the socket type " + std::to_string(type) + " is not supported by this server");
        return nullptr;
    }
    bool datagrams = base == kSockUdp || base == kSockUdp6 || base == kSockUnixDatagram;
    if (datagrams && (base != type || is_handed_over(host))) {
        fail(how, EPROTONOSUPPORT,
             base != type ? "SWOOLE_SSL needs a stream socket: datagrams cannot be encrypted (DTLS)"
                          : "a service manager can hand over stream sockets only");
        return nullptr;
    }
    if (number < 0 || number > 65535) {
        fail(how, EINVAL,
             "invalid port [" + std::to_string(number) + "]: it must be a number from 0 to 65535");
        return nullptr;
    }
    auto port = std::make_unique<PortState>();
    port->host.assign(host.data(), host.size());
    port->port = number;
    port->type = type;
    ZVAL_UNDEF(&port->object);
    ZVAL_UNDEF(&port->settings);
    port->inherited = is_handed_over(port->host);
    Result<int> fd = port->inherited ? os::take_inherited_listener(inherited_name(port->host))
                                     : listen_on(*port, state.settings);
    if (!fd) {
        fail(
            how, static_cast<int>(fd.error().code()),
            "failed to listen on " + address_text(*port, base) + ": " + why_not(*port, fd.error()));
        return nullptr;
    }
    learn_number(*port, *fd);
    port->fds.push_back(*fd);
    if (is_unix(base) && !port->inherited) {
        port->path = port->host;
    }
    state.ports.push_back(std::move(port));
    return state.ports.back().get();
}

std::string multiply_ports(ServerState& state) {
    for (auto& port : state.ports) {
        if (port->inherited) {
            continue;
        }
        // Options that were set after the port was opened: it is opened again, before anybody can
        // have connected unless the backlog was in use.
        int base = port->type & ~kSockSsl;
        size_t wanted =
            state.settings.enable_reuse_port ? static_cast<size_t>(state.settings.worker_num) : 1;
        if (is_unix(base) || !has_late_options(*port, port->in_force, wanted)) {
            continue;
        }
        os::close_fd(port->fds.front());
        port->fds.clear();
        while (port->fds.size() < wanted) {
            Result<int> fd = listen_on(*port, port->in_force);
            if (!fd) {
                return "failed to listen on " + address_text(*port, base) + ": " +
                       why_not(*port, fd.error());
            }
            port->fds.push_back(*fd);
        }
    }
    return "";
}

void close_ports(ServerState& state) {
    for (auto& port : state.ports) {
        for (int fd : port->fds) {
            os::close_fd(fd);
        }
        port->fds.clear();
        if (!port->path.empty() && !state.in_worker) {
            os::remove_path(port->path.c_str());
        }
    }
}

zend_object* make_port(PortState& port, int index) {
    zend_object* object = create_port(port_class);
    port_of(object)->port = &port;
    zend_update_property_stringl(port_class, object, ZEND_STRL("host"), port.host.data(),
                                 port.host.size());
    zend_update_property_long(port_class, object, ZEND_STRL("port"), port.port);
    zend_update_property_long(port_class, object, ZEND_STRL("type"), base_type(port));
    zend_update_property_long(port_class, object, ZEND_STRL("sock"), port.fds.front());
    zend_update_property_bool(port_class, object, ZEND_STRL("ssl"), (port.type & kSockSsl) != 0);
    zval connections;
    ZVAL_OBJ(&connections, make_connection_iterator(index));
    zend_update_property(port_class, object, ZEND_STRL("connections"), &connections);
    zval_ptr_dtor(&connections);
    return object;
}

void detach_port(zend_object* object) { port_of(object)->port = nullptr; }

zend_object* make_connection_iterator(int port_index) {
    zend_object* object = create_iterator(connection_iterator_class);
    iterator_of(object)->port_index = port_index;
    return object;
}

zend_result server_port_minit(int, int) {
    port_class = register_class_Swoole_Server_Port();
    port_class->create_object = create_port;
    port_class->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    memcpy(&port_handlers, zend_get_std_object_handlers(), sizeof(port_handlers));
    port_handlers.offset = offsetof(PortObject, std);
    port_handlers.clone_obj = nullptr;
    connection_iterator_class = register_class_Swoole_Connection_Iterator(
        zend_ce_iterator, zend_ce_arrayaccess, zend_ce_countable);
    connection_iterator_class->create_object = create_iterator;
    connection_iterator_class->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    memcpy(&iterator_handlers, zend_get_std_object_handlers(), sizeof(iterator_handlers));
    iterator_handlers.offset = offsetof(IteratorObject, std);
    iterator_handlers.free_obj = free_iterator;
    iterator_handlers.clone_obj = nullptr;
    return SUCCESS;
}

}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Server_Port, __construct) { STAMPEDE_PARSE_NO_PARAMETERS(); }

ZEND_METHOD(Swoole_Server_Port, __destruct) { STAMPEDE_PARSE_NO_PARAMETERS(); }

ZEND_METHOD(Swoole_Server_Port, set) {
    HashTable* given;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ARRAY_HT(given)
    ZEND_PARSE_PARAMETERS_END();

    PortState* port = state_of(ZEND_THIS);
    ServerSettings checked;
    if (port == nullptr || !read_settings(checked, given)) {
        return;
    }
    if (Z_TYPE(port->settings) != IS_ARRAY) {
        array_init(&port->settings);
    }
    zend_hash_merge(Z_ARRVAL(port->settings), given, zval_add_ref, true);
    zend_update_property(port_class, Z_OBJ_P(ZEND_THIS), ZEND_STRL("setting"), &port->settings);
}

ZEND_METHOD(Swoole_Server_Port, on) {
    zend_string* name;
    zval* callback;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_STR(name)
        Z_PARAM_ZVAL(callback)
    ZEND_PARSE_PARAMETERS_END();

    PortState* port = state_of(ZEND_THIS);
    if (running_server() != nullptr) {
        zend::warning("server is running, unable to register event callback function");
        RETURN_FALSE;
    }
    RETURN_BOOL(port != nullptr && set_event(port->events, name, callback));
}

ZEND_METHOD(Swoole_Server_Port, getCallback) {
    zend_string* name;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(name)
    ZEND_PARSE_PARAMETERS_END();

    PortState* port = state_of(ZEND_THIS);
    ServerEvent event = event_by_name({ZSTR_VAL(name), ZSTR_LEN(name)});
    if (port == nullptr || event == ServerEvent::kCount || !port->events.has(event)) {
        return;
    }
    const zend::Callable& callback = port->events.at(event);
    if (Z_TYPE(callback.fci.function_name) == IS_OBJECT &&
        Z_OBJCE(callback.fci.function_name) == zend_ce_closure) {
        RETURN_COPY(&callback.fci.function_name);
    }
    if (callback.fcc.function_handler != nullptr) {
        zend::make_closure(callback.fcc, return_value);
    }
}

ZEND_METHOD(Swoole_Server_Port, getSocket) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    PortState* port = state_of(ZEND_THIS);
    if (port == nullptr) {
        RETURN_FALSE;
    }
    show_socket(*port, return_value);
}

#define THIS_ITERATOR (*iterator_of(Z_OBJ_P(ZEND_THIS)))

ZEND_METHOD(Swoole_Connection_Iterator, __construct) { STAMPEDE_PARSE_NO_PARAMETERS(); }

ZEND_METHOD(Swoole_Connection_Iterator, __destruct) { STAMPEDE_PARSE_NO_PARAMETERS(); }

ZEND_METHOD(Swoole_Connection_Iterator, rewind) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    IteratorObject& iterator = THIS_ITERATOR;
    zval_ptr_dtor(&iterator.numbers);
    array_init(&iterator.numbers);
    iterator.position = 0;
    for (int64_t id : all_connections(iterator.port_index)) {
        add_next_index_long(&iterator.numbers, static_cast<zend_long>(id));
    }
}

ZEND_METHOD(Swoole_Connection_Iterator, next) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    THIS_ITERATOR.position++;
}

ZEND_METHOD(Swoole_Connection_Iterator, current) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    zval* number = present_number(THIS_ITERATOR);
    if (number != nullptr) {
        RETURN_COPY(number);
    }
}

ZEND_METHOD(Swoole_Connection_Iterator, key) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_LONG(THIS_ITERATOR.position);
}

ZEND_METHOD(Swoole_Connection_Iterator, valid) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_BOOL(present_number(THIS_ITERATOR) != nullptr);
}

ZEND_METHOD(Swoole_Connection_Iterator, count) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_LONG(static_cast<zend_long>(all_connections(THIS_ITERATOR.port_index).size()));
}

ZEND_METHOD(Swoole_Connection_Iterator, offsetExists) {
    zval* fd;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ZVAL(fd)
    ZEND_PARSE_PARAMETERS_END();

    server::Service* service = worker_service();
    zend_long number = zval_get_long(fd);
    RETURN_BOOL((service != nullptr && service->connections().find(number) != nullptr) ||
                standing_of(number) != shm::Standing::kNone);
}

ZEND_METHOD(Swoole_Connection_Iterator, offsetGet) {
    zval* fd;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ZVAL(fd)
    ZEND_PARSE_PARAMETERS_END();

    describe_connection(zval_get_long(fd), return_value);
}

ZEND_METHOD(Swoole_Connection_Iterator, offsetSet) {
    zval *fd, *value;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_ZVAL(fd)
        Z_PARAM_ZVAL(value)
    ZEND_PARSE_PARAMETERS_END();
    (void)fd;
    (void)value;
}

ZEND_METHOD(Swoole_Connection_Iterator, offsetUnset) {
    zval* fd;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ZVAL(fd)
    ZEND_PARSE_PARAMETERS_END();
    (void)fd;
}
