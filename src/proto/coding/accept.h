// Accept-Encoding (RFC 9110 12.5.3): which codings a peer takes, and how gladly. Pure, never parks,
// never allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "proto/coding/coding.h"

namespace stampede::proto::coding {

// The codings for a peer, the best first, of those that the server offers: by the peer's weight,
// then by the server's own order. A coding of weight 0 is none of them.
struct Choice {
    size_t count = 0;
    Coding codings[4];
};

inline constexpr Coding kOffered[] = {Coding::kBrotli, Coding::kZstd, Coding::kGzip,
                                      Coding::kDeflate};

Choice choose_codings(std::string_view accept_encoding);

}  // namespace stampede::proto::coding
