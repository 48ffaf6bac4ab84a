// What the application sends to connections and datagram peers, and what else it does with a
// connection, by its number. Failures set the API's last error. PHP thread; those that send may
// park.
#pragma once

#include <vector>

#include "ext/server/connection_actions.h"
#include "ext/server/state.h"
#include "io/websocket_frames.h"

namespace stampede::classes {

// False with a warning: the server does not run.
bool may_use_connections(ServerState& state);
// False with a warning when there is nothing to send.
bool has_payload(const zend_string* data);
bool is_own_connection(zend_long fd);
// These wait for room, behind others that do, where a coroutine can; elsewhere they fail with a
// warning when there is none.
bool send_to_connection(ServerState& state, zend_long fd, zend_string* data);
// A part of a response (remote_responses.h) to a request that waits in another worker.
struct ResponsePart {
    Action action;
    std::string bytes;
};
bool respond_elsewhere(ServerState& state, zend_long fd, uint32_t number, const ResponsePart& part);
bool push_to_connection(zend_long fd, const io::OutFrame& frame);
bool send_file_to(ServerState& state, zend_long fd, const zend_string* path, FilePart part);
// Less of what was sent to this connection waits than before, or it has gone: those that wait to
// send look again.
void send_progressed(zend_long fd);
// Until the kernel has everything. The process waits where no coroutine can.
bool wait_until_sent(ServerState& state, zend_long fd);
// A datagram, from this socket of the server, or the first of its kind when that is below 0.
bool send_to_path(const ServerState& state, const zend_string* path, const zend_string* data,
                  zend_long socket);
bool send_to_host(const ServerState& state, const zend_string* host, zend_long number,
                  const zend_string* data, zend_long socket);
bool act_on_connection(ServerState& state, zend_long fd, Action action, uint32_t number = 0);

// The connections of this worker that have been silent for longer than they may. False when silence
// has no limit.
enum class Silent : uint8_t { kFind, kClose };
bool find_silent(const ServerState& state, Silent what, std::vector<zend_long>& found);

// The socket of a port as PHP's extension sockets shows it: false, with a warning, when that
// extension is not there or refuses.
void show_socket(const PortState& port, zval* out);

}  // namespace stampede::classes
