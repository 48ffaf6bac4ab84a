// What peers are too slow to take, in temporary files: code that has printed its response ends, and
// its place is free, while the connection sends the rest. One per process; loop thread, never
// parks, may block on the disk as long as a write of a file does.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "server/exchange.h"

namespace stampede::classes {

class ResponseSpool {
public:
    static ResponseSpool& get();

    // The option response_spool_size, 0 for none.
    void set(size_t most, std::string folder);
    // False: those who write wait for their peer.
    bool has_room() const { return total_ < most_ && !is_full_; }
    // False when it was not sent: there is no room, or no disk.
    bool send(server::Exchange& exchange, std::string_view bytes);

private:
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
