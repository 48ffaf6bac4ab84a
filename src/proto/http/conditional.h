// Conditional requests (RFC 9110 13): whether what the peer has is still what there is. Pure, never
// parks, never allocates.
#pragma once

#include <cstdint>
#include <ctime>
#include <string_view>

namespace stampede::proto::http {

// The fields of a request; data() is null for one that is not there.
struct Conditions {
    std::string_view if_match;
    std::string_view if_none_match;
    std::string_view if_modified_since;
    std::string_view if_unmodified_since;
    std::string_view if_range;
};

struct Validators {
    std::string_view etag;  // with its quotes
    time_t modified;
};

enum class Precondition : uint8_t {
    kProceed,
    kNotModified,  // 304
    kFailed,       // 412
};

// For GET and HEAD. Dates that cannot be read are ignored.
Precondition check_conditions(const Conditions& conditions, const Validators& present);
// Whether Range counts.
bool range_applies(const Conditions& conditions, const Validators& present);

// Whether a list of entity tags holds this one; "*" holds all. weak: W/"x" is the same as "x".
enum class Comparison : uint8_t { kWeak, kStrong };
bool lists_etag(std::string_view list, std::string_view etag, Comparison comparison);

}  // namespace stampede::proto::http
