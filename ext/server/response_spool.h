// What peers are too slow to take, in temporary files: code that has printed its response ends, and
// its place is free, while the connection sends the rest. One per process; loop thread, never
// parks, may block on the disk as long as a write of a file does.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "server/exchange.h"

namespace stampede::classes {

// Unsent bytes above which write() waits for the peer, or does not keep them in memory.
inline constexpr uint64_t kWaitAbove = 1u << 20;

class ResponseSpool {
public:
    static ResponseSpool& get();

    // The option response_spool_size, 0 for none.
    void set(size_t most, std::string folder);
    // False: those who write wait for their peer.
    bool has_room() const { return total_ < most_ && !is_full_; }
    // Sends it when too much waits for this peer already, or would. False: it is still to be sent.
    bool takes(server::Exchange& exchange, std::string_view bytes) {
        if (!has_room()) {
            return false;
        }
        if (bytes.size() > kWaitAbove) {
            send_large(exchange, bytes);
            return true;
        }
        return exchange.pending() > kWaitAbove && send_when_full(exchange, bytes);
    }

private:
    void send_large(server::Exchange& exchange, std::string_view bytes);
    bool send_when_full(server::Exchange& exchange, std::string_view bytes);

    // Bytes of several responses, one after another; gone when all of them are.
    struct Segment {
        ResponseSpool* owner;
        char* memory;
        size_t size;
        size_t used;
        size_t references;  // pieces that are not sent, and one while it is `present_`
    };
    static constexpr size_t kSegment = 1 << 20;

    Segment* segment_for(size_t bytes);
    static void drop(Segment& segment);

    size_t most_ = 0;
    size_t total_ = 0;
    bool is_full_ = false;  // found so by the last piece; until something of it has been sent
    std::string folder_;
    Segment* present_ = nullptr;
};

}  // namespace stampede::classes
