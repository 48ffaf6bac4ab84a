// Swoole\Server\Port and Swoole\Connection\Iterator.
#include <cstring>

#include "ext/server/peers.h"
#include "classes/server/server_object.h"
#include "ext/server/sending.h"
#include "ext/server/connection_info.h"
#include "ext/server/worker.h"
#include "server/service.h"
#include "stubs/server_port_arginfo.h"
#include "subsystems.h"
#include "zend/engine_version.h"
#include "zend/object_guards.h"
#include "zend/throw.h"

namespace stampede::classes {

zend_class_entry* port_class;
zend_class_entry* connection_iterator_class;

namespace {

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

}  // namespace

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
    zend::refuse_unset(port_handlers);
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
    RETURN_LONG(static_cast<zend_long>(THIS_ITERATOR.position) + 1);  // as the API counts
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
