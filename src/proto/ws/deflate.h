// permessage-deflate (RFC 7692): what is agreed on, and both directions of it. One Deflate a
// connection, owned by the code that speaks on it. It has states of zlib while it is in use, and
// gives them back to the process's DeflateMemory: for what is sent then, the window begins anew,
// which a peer need not be told; the window of what was received is kept as plain bytes. One
// thread, never parks.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/buffer.h"
#include "proto/ws/deflate_memory.h"
#include "proto/ws/frame.h"

namespace stampede::proto::ws {

struct DeflateTerms {
    bool server_no_context = false;  // the server forgets its window after each message
    bool client_no_context = false;
    uint8_t server_bits = 15;
    uint8_t client_bits = 15;
};

// What a client asks for.
inline constexpr std::string_view kDeflateOffer = "permessage-deflate; client_max_window_bits";

// A server reads the offers of Sec-WebSocket-Extensions in order and takes the first that it can;
// response is the value of its own field. False: no extension.
bool accept_deflate_offer(std::string_view offers, DeflateTerms& terms, std::string& response);
// A client reads the server's response to kDeflateOffer, one that is not empty; false when it says
// something that was not offered, which ends the connection.
bool read_deflate_response(std::string_view response, DeflateTerms& terms);

enum class InflateStatus : uint8_t { kFine, kBad, kTooLarge };

class Deflate {
public:
    static std::unique_ptr<Deflate> create(Role role, const DeflateTerms& terms, int level);
    ~Deflate();
    Deflate(const Deflate&) = delete;
    Deflate& operator=(const Deflate&) = delete;

    // Each message is compressed by itself: the same one gives the same bytes on every connection
    // with as many window_bits().
    bool forgets() const { return forget_out_; }
    uint8_t window_bits() const { return out_bits_; }
    // One whole message, appended to out.
    bool compress(std::string_view message, Buffer& out);

    enum class Part : uint8_t { kMore, kLast };
    // The payload of one frame of a message, appended to out, which never grows above limit.
    InflateStatus expand(std::string_view payload, Part part, uint64_t limit, Buffer& out);

    // Gives the states back, but not in the middle of a message that comes.
    void rest();

private:
    Deflate() : use_(*this) {}
    bool wake_compressor();
    bool wake_decompressor();
    void rest_decompressor();
    bool is_between_messages() const;
    InflateStatus expand_piece(std::string_view piece, uint64_t limit, Buffer& out);

    DeflateUse use_;
    std::unique_ptr<Compressor> out_;   // null: at rest
    std::unique_ptr<Decompressor> in_;  // null: at rest
    std::string window_;                // of what has come, while at rest
    int level_ = -1;
    uint8_t out_bits_ = 15;
    uint8_t in_bits_ = 15;
    bool forget_out_ = false;
    bool forget_in_ = false;
    bool in_message_ = false;       // parts of one have come
    bool between_streams_ = false;  // the last byte that came has ended a final block
};

}  // namespace stampede::proto::ws
