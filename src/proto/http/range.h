// The Range field (RFC 9110 14): which parts of a representation are asked for. Pure, never parks,
// never allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace stampede::proto::http {

struct ByteRange {
    uint64_t first;
    uint64_t last;  // inclusive

    uint64_t length() const { return last - first + 1; }
};

inline constexpr size_t kMostRanges = 16;

enum class RangeResult : uint8_t {
    kWhole,          // none, not understood, or not worth it: response 200
    kPart,           // response 206
    kUnsatisfiable,  // response 416
};

struct Ranges {
    RangeResult result = RangeResult::kWhole;
    size_t count = 0;
    ByteRange parts[kMostRanges];
};

// More than kMostRanges, or more bytes than there are, count as the whole: a short request must not
// cost a long response.
Ranges parse_ranges(std::string_view field, uint64_t size);

}  // namespace stampede::proto::http
