// The sizes beyond which a message is refused instead of being kept in memory.
// A value handed to each parser call; owned by the listener's settings. Any thread, never parks.
#pragma once

#include <cstdint>

namespace stampede::proto::http {

struct Limits {
    uint32_t head_bytes = 64 * 1024;             // request line and fields together, 431
    uint32_t target_bytes = 16 * 1024;           // the request target alone, 414
    uint32_t method_bytes = 32;                  // the method alone, 400
    uint32_t fields = 200;                       // fields in a head, and in a trailer, 431
    uint32_t leading_empty_lines = 4;            // before a request line, 400
    uint32_t chunk_line_bytes = 4 * 1024;        // one size line with its extensions, 400
    uint32_t chunk_extension_bytes = 16 * 1024;  // all extensions of one body, 400
};

}  // namespace stampede::proto::http
