// The object behind Swoole\Server and its subclasses, and the classes that belong to it. PHP
// thread, never parks.
#pragma once

#include "ext/server/state.h"

namespace stampede::classes {

struct ServerObject {
    ServerState* state;
    zend_object std;
};

inline ServerObject* server_of(zend_object* object) {
    return reinterpret_cast<ServerObject*>(reinterpret_cast<char*>(object) -
                                           offsetof(ServerObject, std));
}

extern zend_class_entry* server_class;
extern zend_class_entry* http_server_class;
extern zend_class_entry* websocket_server_class;
extern zend_class_entry* port_class;
extern zend_class_entry* connection_iterator_class;

zend_object* make_port(PortState& port, int index);
// The port's state is about to go: methods of the object warn and return from now on.
void detach_port(zend_object* object);
// The connections of one port, or of the whole server (-1).
zend_object* make_connection_iterator(int port_index = -1);

extern zend_class_entry* redis_server_class;

// Gives the server what it needs of the classes (ext/server/objects.h).
void fill_objects();

}  // namespace stampede::classes
