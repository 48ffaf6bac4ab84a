// Responses that another process of the server writes: its head, pieces of its body and its end
// come to the worker that has the connection, and go out through the exchange that was given up
// with detach(). So the session does the framing, whatever it speaks, and goes on with the
// connection. PHP thread; never parks.
#pragma once

#include <string>
#include <string_view>

#include "ext/server/connection_actions.h"
#include "server/exchange.h"

namespace stampede::classes {

// As they travel: one message each, at most kMostRemoteHead bytes.
inline constexpr size_t kMostRemoteHead = 512 * 1024;
// request: its number, shm::OfferedRequest.
std::string pack_head(const server::ResponseHead& head, uint64_t body_length, uint32_t request);
std::string pack_trailers(server::FieldList trailers);

// Of all processes, but for chance: pieces of two responses to one request are told apart by it.
uint32_t next_remote_response(const ServerState& state);

// In the worker that has the connection. What no request waits for is told to the log.
void respond_for_others(net::Connection& connection, Action action, uint32_t number,
                        std::string_view body);

}  // namespace stampede::classes
