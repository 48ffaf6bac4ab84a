#include "server/head_text.h"

#include <cstdlib>
#include <cstring>

namespace stampede::server {

void HeadText::make_room(size_t size) {
    char* fresh = static_cast<char*>(std::malloc(size));
    if (fresh == nullptr) {
        std::abort();
    }
    std::memcpy(fresh, bytes_, size_);
    if (bytes_ != inline_) {
        std::free(bytes_);
    }
    bytes_ = fresh;
    capacity_ = size;
}

void HeadText::adopt(const char* data, size_t size) {
    if (size > capacity_) {
        make_room(size);
    }
    std::memcpy(bytes_, data, size);
}

HeadText::Line HeadText::append(std::string_view name, std::string_view value) {
    size_t size = name.size() + value.size() + 4;
    if (size > capacity_ - size_) {
        make_room((size_ + size) * 2);
    }
    Line line{
        {static_cast<uint32_t>(size_), static_cast<uint32_t>(name.size())},
        {static_cast<uint32_t>(size_ + name.size() + 2), static_cast<uint32_t>(value.size())}};
    char* to = bytes_ + size_;
    std::memcpy(to, name.data(), name.size());
    to += name.size();
    *to++ = ':';
    *to++ = ' ';
    std::memcpy(to, value.data(), value.size());
    to += value.size();
    *to++ = '\r';
    *to = '\n';
    size_ += size;
    return line;
}

size_t HeadText::end() {
    if (capacity_ - size_ < 2) {
        make_room(size_ + 2);
    }
    bytes_[size_++] = '\r';
    bytes_[size_++] = '\n';
    return size_;
}

void HeadText::clear() {
    if (bytes_ != inline_) {
        std::free(bytes_);
        bytes_ = inline_;
        capacity_ = kInline;
    }
    size_ = 0;
}

}  // namespace stampede::server
