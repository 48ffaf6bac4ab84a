// TLS of a server's ports: their contexts are made by the supervisor, before the workers are forked
// and before they give up their rights, and made anew with each reload. PHP thread, never parks.
#pragma once

#include <string>

#include "ext/server/state.h"
#include "net/connection.h"

namespace stampede::classes {

// The contexts of all ports with SWOOLE_SSL; one sentence when one cannot be made.
std::string open_tls(ServerState& state);
// The same again. What cannot be made stays as it was, and the log says so.
void renew_tls(ServerState& state);

// open_http2_protocol of the port, or of the server when the port does not say.
bool speaks_http2(const ServerState& state, const PortState& port);
// The same of open_websocket_protocol, which a WebSocket server has unless it is turned off.
bool speaks_websocket(const ServerState& state, const PortState& port);
// The same of proxy_protocol.
bool has_proxy_header(const ServerState& state, const PortState& port);

bool has_tls(const ServerState& state);
// An error line for each port whose certificate is out of date.
void report_expired(const ServerState& state);
// As Host::give_transport().
bool give_transport(const ServerState& state, net::Connection& connection);

}  // namespace stampede::classes
