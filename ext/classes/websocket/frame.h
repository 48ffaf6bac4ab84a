// Swoole\WebSocket\Frame and CloseFrame, and what connects them with the codec: frames that PHP
// code wants sent, events of a reader as objects. Shared by the HTTP client, coroutine servers and
// servers. PHP thread, never parks.
#pragma once

#include <openssl/rand.h>

#include "proto/ws/reader.h"
#include "proto/ws/writer.h"
#include "zend/php.h"

namespace stampede::classes {

// SWOOLE_WEBSOCKET_FLAG_*
enum FrameFlag : zend_long {
    kFlagFin = 1,
    kFlagCompress = 2,
    kFlagRsv1 = 4,
    kFlagRsv2 = 8,
    kFlagRsv3 = 16,
    kFlagMask = 32,
};

extern zend_class_entry* websocket_frame_class;
extern zend_class_entry* websocket_close_frame_class;

// The number of the connection, where there is one.
void make_frame(const proto::ws::ReadEvent& event, zend_long fd, zval* out);

// What push() and pack() are given. Owns a reference to data.
struct OutFrame {
    zend_string* data = nullptr;
    zend_long opcode = proto::ws::kText;
    zend_long flags = kFlagFin;
    uint16_t close_code = 0;  // of a close frame; data is the reason

    void release() {
        if (data != nullptr) {
            zend_string_release(data);
            data = nullptr;
        }
    }
};

// A string, or a Frame, whose own opcode, flags and close code count. False, with a warning, when
// the opcode is none or a control frame's data too long.
bool read_frame(zval* given, zend_long opcode, zend_long flags, OutFrame& out);

// As its bits and opcode are sent; the length is open.
proto::ws::FrameHeader frame_header(const OutFrame& frame, proto::ws::Role role);
// Whether it goes out compressed where that was agreed on.
bool asks_for_compression(const OutFrame& frame);

// Appends the frame. deflate: null when compression was not agreed on; used when the flags ask for
// it. False when memory is short.
bool append_out_frame(Buffer& out, const OutFrame& frame, proto::ws::Role role,
                      proto::ws::Deflate* deflate);
// A control frame of our own.
void append_control(Buffer& out, uint8_t opcode, std::string_view payload, proto::ws::Role role);
void append_close(Buffer& out, uint16_t code, std::string_view reason, proto::ws::Role role);

}  // namespace stampede::classes
