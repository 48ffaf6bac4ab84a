// WebSocket frames that PHP code wants sent, and how they are written. Shared by clients and
// servers. PHP thread, never parks.
#pragma once

#include <memory>

#include "base/buffer.h"
#include "proto/ws/deflate.h"
#include "proto/ws/frame.h"
#include "proto/ws/writer.h"
#include "zend/php.h"

namespace stampede::io {

// SWOOLE_WEBSOCKET_FLAG_*
enum FrameFlag : zend_long {
    kFlagFin = 1,
    kFlagCompress = 2,
    kFlagRsv1 = 4,
    kFlagRsv2 = 8,
    kFlagRsv3 = 16,
    kFlagMask = 32,
};

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

// The compression that was agreed on. What its states take is given back as the runtime's spare
// memory is.
std::unique_ptr<proto::ws::Deflate> make_deflate(proto::ws::Role role,
                                                 const proto::ws::DeflateTerms& terms);

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

}  // namespace stampede::io
