// Where a packet ends in a stream of bytes: at a mark, by a length in its head, or as one of a few
// protocols says. Looks at bytes that somebody else keeps and holds only how far it has looked.
// Owned by the reader of one stream; any thread; never parks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "proto/http1/chunked.h"

namespace stampede::proto::frame {

enum class Kind : uint8_t {
    kNone,       // whatever has come is a packet
    kMark,       // a packet ends with the mark
    kMarkAtEnd,  // as many packets as are there, if the last one is complete
    kLength,     // a number in the head
    kMeasured,   // as Rules::measure says
    kMqtt,
    kFastCgi,
    kHttp2,
    kHttp,   // requests of HTTP/1: head and body
    kRedis,  // requests: arrays of bulk strings
};

// The width, sign and byte order of a length field, by the letters of PHP's pack().
struct LengthField {
    uint8_t bytes = 4;
    bool is_signed = false;
    bool little_endian = false;

    // False for a letter that names no whole number.
    static bool of_letter(char letter, LengthField& out);
    // -1 for what is negative or beyond 2^62. There are at least `bytes` bytes.
    int64_t read(const char* bytes) const;
};

// What kMeasured asks: the size of the packet that begins here, 0 = not known yet, negative = the
// bytes are no packet.
using Measure = int64_t (*)(void* argument, std::string_view bytes);

struct Rules {
    Kind kind = Kind::kNone;
    std::string mark = "\r\n";
    LengthField length;
    size_t length_offset = 0;
    int64_t body_offset = 0;  // what the length does not count
    Measure measure = nullptr;
    void* measure_argument = nullptr;
    size_t max_size = 2 * 1024 * 1024;  // of a packet, with head and mark
};

enum class Verdict : uint8_t {
    kNeedMore,
    kPacket,     // the first size() bytes are one
    kTooLarge,   // it is, or would be, larger than max_size
    kMalformed,  // the head makes no sense
};

class Framer {
public:
    // The rules outlive it.
    explicit Framer(const Rules& rules) : rules_(&rules) {}

    // Looks at all bytes after the last packet; between calls they may only get more. A verdict
    // other than kNeedMore stays until restart().
    Verdict look(std::string_view bytes);
    size_t size() const { return size_; }
    // At most how many more bytes belong to the packet, 0 = not known: a caller that asks for no
    // more reads nothing of the next.
    size_t missing(size_t present) const { return size_ > present ? size_ - present : 0; }
    // The packet was taken.
    void restart() {
        size_ = searched_ = 0;
        strings_left_ = -1;
        is_in_chunks_ = false;
    }

private:
    Verdict look_for_mark(std::string_view bytes);
    Verdict look_for_last_mark(std::string_view bytes);
    Verdict look_for_request(std::string_view bytes);
    Verdict look_for_http(std::string_view bytes);
    int64_t packet_size(std::string_view bytes) const;

    const Rules* rules_;
    size_t size_ = 0;      // of the packet, 0 = not known yet
    size_t searched_ = 0;  // no mark begins before this; of a Redis request, the next head does;
                           // of HTTP, what was looked at
    http1::ChunkedDecoder chunks_;  // of a body of HTTP
    int64_t strings_left_ = -1;     // of a Redis request, -1 = its head has not come
    bool is_in_chunks_ = false;  // the head of a request of HTTP has come, searched_ is in its body
};

}  // namespace stampede::proto::frame
