// What each port of a server speaks and which settings count for it: those of the server, and over
// them its own. Settled once, when the server starts. PHP thread, never parks.
#pragma once

#include <string>

#include "ext/server/state.h"

namespace stampede::classes {

// Fills in what PortState has from start() on. One sentence on failure.
std::string settle_ports(ServerState& state);
// After settle_ports().
bool has_port_of_one_worker(const ServerState& state);
// A sentence when a port has no function for what it brings.
std::string check_port_events(ServerState& state);

// For the service of a worker. routes: packets may go to other workers.
server::PortSettings settings_of(PortState& port, ServerState& state, bool routes);

// Own function of the port, or else the server's.
inline zend::Callable& callback_of(ServerState& state, uint32_t port_index, ServerEvent event) {
    EventTable& own = state.ports[port_index]->events;
    return own.has(event) ? own.at(event) : state.events.at(event);
}

}  // namespace stampede::classes
