#include "classes/server/event_objects.h"

#include "stubs/server_event_arginfo.h"

namespace stampede::classes {

namespace {

zend_class_entry* event_class;
zend_class_entry* packet_class;

double wall_seconds() { return static_cast<double>(wall_now()) / 1e9; }

void put_long(zend_object* object, std::string_view name, zend_long value) {
    zend_update_property_long(object->ce, object, name.data(), name.size(), value);
}

void put_time(zend_object* object) {
    zend_update_property_double(object->ce, object, ZEND_STRL("dispatch_time"), wall_seconds());
}

zend_string* host_of(const os::Address& peer) {
    char host[108];
    size_t size = peer.format_host(host);
    return zend_string_init(host, size, false);
}

}  // namespace

void make_event(zend_long fd, zend_long reactor, zend_string* data, zval* out) {
    object_init_ex(out, event_class);
    zend_object* event = Z_OBJ_P(out);
    put_long(event, "fd", fd);
    put_long(event, "reactor_id", reactor);
    put_time(event);
    if (data != nullptr) {
        zend_update_property_str(event_class, event, ZEND_STRL("data"), data);
    }
}

void fill_packet(ServerState& state, uint32_t port_index, const os::Address& peer,
                 zend_string* data, zval* out) {
    const PortState& port = *state.ports[port_index];
    zend_long socket = port.fds.empty() ? -1 : port.fds.front();
    zend_string* host = host_of(peer);
    if (!state.settings.event_object) {
        ZVAL_STR(&out[0], data);
        array_init(&out[1]);
        add_assoc_long(&out[1], "server_socket", socket);
        add_assoc_double(&out[1], "dispatch_time", wall_seconds());
        add_assoc_long(&out[1], "server_port", port.port);
        add_assoc_str(&out[1], "address", host);
        add_assoc_long(&out[1], "port", peer.port());
        return;
    }
    object_init_ex(out, packet_class);
    zend_object* packet = Z_OBJ_P(out);
    put_long(packet, "server_socket", socket);
    put_long(packet, "server_port", port.port);
    put_time(packet);
    zend_update_property_str(packet_class, packet, ZEND_STRL("address"), host);
    put_long(packet, "port", peer.port());
    zend_update_property_str(packet_class, packet, ZEND_STRL("data"), data);
    zend_string_release(host);
    zend_string_release(data);
}

zend_result event_objects_minit(int, int) {
    event_class = register_class_Swoole_Server_Event();
    packet_class = register_class_Swoole_Server_Packet();
    return SUCCESS;
}

}  // namespace stampede::classes
