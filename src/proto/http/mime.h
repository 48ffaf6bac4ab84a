// The usual media type of a file, by its extension.
// A constant table; what users add lives elsewhere and is asked first. Any thread, never parks,
// never allocates.
#pragma once

#include <cstddef>
#include <string_view>

namespace stampede::proto::http {

struct MimeType {
    std::string_view extension;  // lower case, without the dot
    std::string_view type;
};

// "" when unknown. extension in any letter case, without the dot.
std::string_view mime_type(std::string_view extension);
// By the part after the last dot of the last segment.
std::string_view mime_type_of_path(std::string_view path);

// The whole table, sorted by extension.
const MimeType* mime_table(size_t& count);

}  // namespace stampede::proto::http
