// What Server::getClientInfo() tells of a connection. PHP thread.
#pragma once

#include "ext/server/state.h"
#include "os/socket.h"

namespace stampede::net {
class Connection;
}

namespace stampede::classes {

struct ConnectionInfo {
    uint32_t port_index = 0;
    zend_long server_port = 0;
    zend_long socket = -1;
    os::Address peer;
    zend_long worker = 0;
    double opened_at = 0;     // wall clock, seconds
    double last_read_at = 0;  // the same
    zend_long pending = 0;    // bytes
    zend_long queued = 0;     // the same, of what came
    double last_sent_at = 0;  // wall clock, seconds
    double last_given_at = 0;
    zend_long uid = 0;
    bool established = false;  // it speaks WebSocket, or did when it ended
};

// Of a connection of this worker that is in its table, also when it has just ended.
ConnectionInfo look_at(const ServerState& state, net::Connection& connection);
// getClientInfo(): an array, or false.
void describe_connection(zend_long fd, zval* out);

// A connection that has ended: as long as this is there, getClientInfo() tells what it was.
// The function for the end has no other way to know whose connection it was.
class DepartedConnection {
public:
    DepartedConnection(zend_long fd, const ConnectionInfo& info);
    ~DepartedConnection();
    DepartedConnection(const DepartedConnection&) = delete;
    DepartedConnection& operator=(const DepartedConnection&) = delete;

    const ConnectionInfo& info() const { return info_; }

private:
    zend_long fd_;
    ConnectionInfo info_;
};

}  // namespace stampede::classes
