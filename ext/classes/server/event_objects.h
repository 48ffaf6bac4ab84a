// What functions of events get besides the server: arrays of datagrams, and the objects of the
// option event_object. PHP thread, never parks.
#pragma once

#include "ext/server/state.h"
#include "os/socket.h"

namespace stampede::classes {

// Swoole\Server\Event; data: null for connect and close.
void make_event(zend_long fd, zend_long reactor, zend_string* data, zval* out);
// The arguments after the server: the data and an array, or one Swoole\Server\Packet. The string
// is taken over.
void fill_packet(ServerState& state, uint32_t port_index, const os::Address& peer,
                 zend_string* data, zval* out);

zend_result event_objects_minit(int type, int module_number);

}  // namespace stampede::classes
