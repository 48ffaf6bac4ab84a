// Messages -> WebSocket frames, appended to a buffer. Free functions for the owner of the
// connection. Any thread, never parks.
#pragma once

#include "base/buffer.h"
#include "proto/ws/frame.h"

namespace stampede::proto::ws {

// Frames the payload; the header's length is set, a mask is applied to the copy.
void append_frame(Buffer& out, FrameHeader header, std::string_view payload);
// Only the header of a frame whose payload follows from elsewhere; it is not masked.
void append_frame_header(Buffer& out, FrameHeader header, uint64_t length);
// The payload of a close frame: code and reason, which is cut to what fits, at a character's
// border. Nothing for kCloseNoStatus.
std::string_view make_close_payload(uint16_t code, std::string_view reason,
                                    char (&out)[kMaxControlPayload]);

}  // namespace stampede::proto::ws
