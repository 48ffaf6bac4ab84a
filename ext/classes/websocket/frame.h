// Swoole\WebSocket\Frame and CloseFrame: what PHP code wants sent, and events of a reader as
// objects. Shared by the HTTP client, coroutine servers and servers. PHP thread, never parks.
#pragma once

#include <openssl/rand.h>

#include "io/websocket_frames.h"
#include "proto/ws/reader.h"
#include "zend/php.h"

namespace stampede::classes {

using io::append_close;
using io::append_control;
using io::append_out_frame;
using io::asks_for_compression;
using io::frame_header;
using io::OutFrame;
using enum io::FrameFlag;

extern zend_class_entry* websocket_frame_class;
extern zend_class_entry* websocket_close_frame_class;

// The number of the connection, where there is one.
void make_frame(const proto::ws::ReadEvent& event, zend_long fd, zval* out);

// A string, or a Frame, whose own opcode, flags and close code count. False, with a warning, when
// the opcode is none or a control frame's data too long.
bool read_frame(zval* given, zend_long opcode, zend_long flags, OutFrame& out);

}  // namespace stampede::classes
