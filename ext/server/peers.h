// The connections of the peer workers, which are the other workers of a server: which there are,
// and asking their worker to do something with them. PHP thread, in any process of the server;
// never parks.
#pragma once

#include "ext/server/connection_actions.h"
#include "ext/server/connection_events.h"
#include "ext/server/hand_over.h"
#include "ext/server/state.h"
#include "io/websocket_frames.h"

namespace stampede::classes {

// Of any worker, this one too.
shm::Standing standing_of(zend_long fd, shm::Facts* facts = nullptr);
std::vector<int64_t> all_connections(int port_index = -1);
// Whether the process of the worker that has it is there: one that was killed is missed by the
// server a moment later. Costs system calls.
bool has_living_worker(zend_long fd);

// False when there is no such connection elsewhere, or its worker has too much to do.
bool push_elsewhere(zend_long fd, const io::OutFrame& frame);
bool disconnect_elsewhere(zend_long fd, uint16_t code, std::string_view reason);
bool close_elsewhere(zend_long fd, bool reset);

// The same for what connection_actions.h lists; number as act_here() takes it.
bool act_elsewhere(zend_long fd, Action action, uint32_t number, std::string_view body);
// An event of a connection of this worker that belongs to another. False when that has too much to
// do.
bool forward_event(uint32_t line, const ConnectionEvent& what, std::string_view data);

// For the moves of connections.
PeerWishes& peer_wishes();

// This process begins with nothing that others have told it, and ends so. Its inbox: inbox.h.
void join_peers(ServerState& state);
void leave_peers(ServerState& state);
// Whether this process has said of a message that it is sent, and keeps it until its connection has
// arrived in another worker.
bool keeps_messages();

}  // namespace stampede::classes
