// Bodies of responses that peers are too slow to take: code that has printed its response ends, and
// its place is free, while the connection sends the rest. A little of each response is kept in
// memory, the rest lies in temporary files; the more all of them together keep, the less each may.
// One per process; loop thread, never parks, may block on the disk as long as a write of a file
// does.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "server/exchange.h"

namespace stampede::classes {

// Pieces from here on are sent by reference, and counted until they are sent.
inline constexpr uint64_t kLargePiece = 16 * 1024;

// Unsent bytes of a response above which write() waits for the peer, or does not keep them in
// memory.
inline constexpr uint64_t kWaitAbove = 1u << 20;

class ResponseSpool {
public:
    static ResponseSpool& get();

    // The option response_spool_size, 0 for none.
    void set(size_t most, std::string folder);
    bool is_used() const { return most_ > 0; }
    // False: those who write wait for their peer.
    bool has_room() const { return total_ < most_ && !is_full_; }
    // Takes the piece over. A response is cut off when neither memory nor disk has room for it.
    void send(server::Exchange& exchange, const net::BytesRef& piece);

private:
    // Bytes of several responses, one after another; gone when all of them are.
    struct Segment {
        ResponseSpool* owner;
        char* memory;
        size_t size;
        size_t used;
        size_t references;  // pieces that are not sent, and one while it is `present_`
    };
    struct Kept;
    static constexpr size_t kSegment = 1 << 20;
    static constexpr uint64_t kMuch = 32u << 20;        // in memory, of all responses
    static constexpr uint64_t kMost = 8 * kMuch;        // when the disk is full
    static constexpr uint64_t kOfEachThen = 16 * 1024;  // of a response, while `kMuch` is kept
    static constexpr uint64_t kUncounted = 64 * 1024;   // of a response, in small pieces

    uint64_t most_of_each() const { return kept_ > kMuch ? kOfEachThen : kWaitAbove; }
    bool takes(server::Exchange& exchange, std::string_view bytes);
    void send_large(server::Exchange& exchange, std::string_view bytes);
    bool send_when_full(server::Exchange& exchange, std::string_view bytes, uint64_t most);
    void keep(server::Exchange& exchange, const net::BytesRef& piece);
    void keep_copy(server::Exchange& exchange, std::string_view bytes);

    Segment* segment_for(size_t bytes);
    static void drop(Segment& segment);

    size_t most_ = 0;
    size_t total_ = 0;
    uint64_t kept_ = 0;     // bytes of pieces in memory that are not yet sent whole
    bool is_full_ = false;  // found so by the last piece; until something of it has been sent
    std::string folder_;
    Segment* present_ = nullptr;
};

}  // namespace stampede::classes
