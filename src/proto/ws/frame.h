// WebSocket frames (RFC 6455 5.2): their header, masking, and what close frames say. Free functions
// over bytes of the caller. Any thread, never parks, never allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "proto/http/message.h"

namespace stampede::proto::ws {

enum class Role : uint8_t { kClient, kServer };

enum Opcode : uint8_t {
    kContinuation = 0,
    kText = 1,
    kBinary = 2,
    kClose = 8,
    kPing = 9,
    kPong = 10,
};

constexpr bool is_control(uint8_t opcode) { return (opcode & 8) != 0; }

struct FrameHeader {
    uint8_t opcode = 0;
    bool fin = true;
    uint8_t rsv = 0;  // bit 2: RSV1, bit 1: RSV2, bit 0: RSV3
    bool masked = false;
    unsigned char mask[4] = {};
    uint64_t length = 0;
    uint32_t size = 0;  // of the header itself
};

inline constexpr size_t kMaxHeader = 14;
inline constexpr size_t kMaxControlPayload = 125;

// kBad for a length that is not in its shortest form or has its top bit set.
http::ParseStatus parse_frame_header(std::string_view in, FrameHeader& out);
// Returns how many bytes were written, at most kMaxHeader; size and length of the form are chosen.
size_t write_frame_header(const FrameHeader& header, char* out);

// XORs the bytes with the mask; offset: how many bytes of the payload came before them.
void apply_mask(char* data, size_t size, const unsigned char (&mask)[4], size_t offset);

// Codes of the API and of the protocol.
enum CloseCode : uint16_t {
    kCloseNormal = 1000,
    kCloseGoingAway = 1001,
    kCloseProtocolError = 1002,
    kCloseNoStatus = 1005,
    kCloseBadData = 1007,
    kCloseTooBig = 1009,
    kCloseTryAgainLater = 1013,
};
// Whether a close frame may carry this code.
bool valid_close_code(uint16_t code);

}  // namespace stampede::proto::ws
