// What a metric is: its name, its kind, its labels. Those of the server are one table (families.h);
// the application's are in the shared memory of the board. Plain values; any process, never parks.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace stampede::metrics {

enum class Type : uint8_t { kCounter, kGauge, kHistogram };

// What the 64 bits of its cells are, and how a reader is shown them.
enum class Unit : uint8_t {
    kNumber,   // a whole number, signed in gauges
    kBytes,    // the same
    kSeconds,  // whole nanoseconds
    kReal,     // a double: metrics of the application
};

inline constexpr size_t kMostLabels = 8;
inline constexpr size_t kMostBounds = 24;

struct Family {
    // Without the suffix _total, which the text form adds to counters.
    std::string_view name;
    std::string_view help;
    Type type = Type::kCounter;
    Unit unit = Unit::kNumber;
    // Of labels, separated by commas; empty: there are none.
    std::string_view labels;
    // Upper bounds of a histogram's buckets, as Unit counts, except for +Inf.
    std::span<const double> bounds = {};

    // A cell for each bucket, that of +Inf included, and one for the sum.
    uint32_t cells() const {
        return type == Type::kHistogram ? static_cast<uint32_t>(bounds.size()) + 2 : 1;
    }
};

}  // namespace stampede::metrics
