// The opening handshake of a server's WebSocket connection: judging the request, responding to it,
// taking the connection over. Free functions on the exchange's loop thread; never park.
#pragma once

#include <string_view>

#include "server/exchange.h"
#include "server/websocket_session.h"

namespace stampede::classes {

// Whether it wants to become one, rightly or not.
bool asks_for_websocket(const server::Exchange& exchange);
// 0 when it is a handshake as it should be, else the status to refuse it with.
int judge_handshake(const server::Exchange& exchange);
void refuse_handshake(server::Exchange& exchange, int status);
bool has_field(server::FieldList fields, std::string_view name);
// Responds with 101 and the application's fields, where its own Sec-WebSocket-Accept and
// -Extensions count. The session belongs to the connection. Its connection is there and the request
// was judged.
server::WebSocketSession& accept_handshake(server::Exchange& exchange, server::FieldList given);

}  // namespace stampede::classes
