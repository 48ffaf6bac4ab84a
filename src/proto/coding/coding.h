// The content codings of HTTP bodies by name. Values; any thread, never parks, never allocates.
#pragma once

#include <cstdint>
#include <string_view>

namespace stampede::proto::coding {

enum class Coding : uint8_t { kIdentity, kGzip, kDeflate, kBrotli, kZstd, kUnknown };

// The coding of a Content-Encoding field with one element; kIdentity for an empty one, kUnknown for
// other names and for lists of several codings.
Coding coding_by_name(std::string_view value);
// "gzip", "deflate", "br", "zstd"; empty for the others.
std::string_view coding_name(Coding coding);

}  // namespace stampede::proto::coding
