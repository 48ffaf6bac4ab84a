// Frames to the connections of servers, so that a broadcast costs its receivers little: large data
// leaves from PHP's string, which all of them point to, and what is compressed without a window of
// earlier messages is compressed once. PHP thread; never parks.
#pragma once

#include "io/websocket_frames.h"
#include "server/websocket_session.h"

namespace stampede::classes {

// Anything but a close frame. False when memory is short.
bool send_frame(server::WebSocketSession& session, const io::OutFrame& frame);

}  // namespace stampede::classes
