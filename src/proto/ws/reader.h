// Bytes of a WebSocket connection -> messages and control frames (RFC 6455), for clients and
// servers. Fragments are put together, masks and compression are off, UTF-8 and limits are checked
// before a message is delivered. Owned by the reader of the connection, one for each connection.
// One thread, never parks.
#pragma once

#include "base/buffer.h"
#include "proto/ws/deflate.h"
#include "proto/ws/frame.h"
#include "proto/ws/utf8.h"

namespace stampede::proto::ws {

struct ReadLimits {
    uint64_t message_bytes = 16u << 20;  // also once decompressed
    // Fragments of one message that add nothing to it. Those that do are bounded by its size.
    uint32_t idle_fragments = 64 * 1024;
};

struct ReadEvent {
    enum class Kind : uint8_t {
        kNeedMore,
        kMessage,  // opcode says text or binary
        kPing,
        kPong,
        kClose,  // code is what the peer gave, kCloseNoStatus without one; payload the reason
        kBad,    // code is what to tell the peer before closing
    };
    Kind kind = Kind::kNeedMore;
    uint8_t opcode = 0;
    bool compressed = false;
    uint16_t code = 0;
    std::string_view payload;  // until the next call of next()
};

class Reader {
public:
    // deflate: null when it was not agreed on; outlives the reader.
    Reader(Role role, const ReadLimits& limits, Deflate* deflate)
        : limits_(limits), deflate_(deflate), role_(role) {}

    // Takes one frame or message off `in`, which belongs to this reader while it lives: bytes are
    // unmasked where they are.
    ReadEvent next(Buffer& in);
    // How many more bytes of the next frame are to come, whose header is in `in` and is fine; else
    // 0.
    size_t missing(const Buffer& in) const {
        return in.size() > consumed_ && !dead_ ? missing_of(in.view().substr(consumed_)) : 0;
    }
    // Of the fragments, or decompressed bytes, of a message that is not yet whole.
    size_t kept() const { return message_.size(); }
    const ReadLimits& limits() const { return limits_; }
    bool in_message() const { return opcode_ != 0; }  // fragments of it have come

private:
    ReadEvent bad(uint16_t code);
    size_t missing_of(std::string_view frame) const;
    uint16_t judge(const FrameHeader& header) const;
    ReadEvent take_control(const FrameHeader& header, std::string_view payload);
    ReadEvent take_close(std::string_view payload);
    ReadEvent take_data(const FrameHeader& header, std::string_view payload);
    uint16_t collect(const FrameHeader& header, std::string_view payload);
    bool text_is_fine(std::string_view piece, bool last);

    ReadLimits limits_;
    Deflate* deflate_;
    Buffer message_;       // of a fragmented or compressed one
    size_t consumed_ = 0;  // of `in`, once the last event's payload is not needed any more
    size_t checked_ = 0;   // of message_, as UTF-8
    uint64_t idle_ = 0;    // fragments of the present message that added nothing
    Utf8Check utf8_;
    Role role_;
    uint8_t opcode_ = 0;  // of the present message, 0 = between messages
    bool compressed_ = false;
    bool clear_message_ = false;
    bool dead_ = false;
};

}  // namespace stampede::proto::ws
