// The bytes of a request's head, which the slices of the parsed head point into. Owned by its
// exchange; loop thread; never parks.
#pragma once

#include <cstdint>
#include <cstddef>
#include <string_view>

#include "proto/http/message.h"

namespace stampede::server {

class HeadText {
public:
    HeadText() = default;
    ~HeadText() { clear(); }
    HeadText(const HeadText&) = delete;
    HeadText& operator=(const HeadText&) = delete;

    const char* bytes() const { return bytes_; }

    // Copies a head as it came.
    void adopt(const char* data, size_t size);

    // Makes one in lines "name: value", and says where both lie.
    struct Line {
        proto::http::Slice name;
        proto::http::Slice value;
    };
    Line append(std::string_view name, std::string_view value);
    // The size of the head with the empty line after it.
    size_t end();

    void clear();

private:
    static constexpr size_t kInline = 1536;

    void make_room(size_t size);

    char* bytes_ = inline_;
    size_t capacity_ = kInline;
    size_t size_ = 0;  // of what was appended
    char inline_[kInline];
};

}  // namespace stampede::server
