// Requests on the wire: the size of the head (4 bytes), the size of the body (8), and for each
// field the sizes of name and value (4 each), the name, NUL, the value, NUL. Numbers are in the
// byte order of the machine: both ends are processes of one server.
#include "request_loop/request.h"

#include <algorithm>
#include <cstring>

#include "os/fd.h"

namespace stampede::request_loop {
namespace {

constexpr size_t kMaxHead = 64UL << 20;  // far above what the limits of HTTP let through
constexpr size_t kSizeOfSize = sizeof(uint32_t);

bool read_exactly(int connection, char* out, size_t wanted) {
    while (wanted > 0) {
        long got = os::read_some(connection, out, wanted);
        if (got <= 0) {
            return false;
        }
        out += got;
        wanted -= static_cast<size_t>(got);
    }
    return true;
}

uint32_t number_at(const char* at) {
    uint32_t number;
    memcpy(&number, at, sizeof number);
    return number;
}

void append_number(std::string& to, auto number) {
    to.append(reinterpret_cast<const char*>(&number), sizeof number);
}

}  // namespace

bool Request::receive() {
    for (ahead_end_ = 0; ahead_end_ < kSizeOfSize;) {
        long got = os::read_some(connection_, ahead_.data() + ahead_end_, kAhead - ahead_end_);
        if (got <= 0) {
            return false;
        }
        ahead_end_ += static_cast<size_t>(got);
    }
    ahead_begin_ = kSizeOfSize;
    uint32_t length = number_at(ahead_.data());
    if (length < sizeof body_size_ || length > kMaxHead) {
        return false;
    }
    head_.resize(length);
    return read(head_.data(), length) && parse();
}

bool Request::read(char* out, size_t wanted) {
    size_t ahead = std::min(wanted, ahead_end_ - ahead_begin_);
    memcpy(out, ahead_.data() + ahead_begin_, ahead);
    ahead_begin_ += ahead;
    return read_exactly(connection_, out + ahead, wanted - ahead);
}

bool Request::parse() {
    fields_.clear();
    memcpy(&body_size_, head_.data(), sizeof body_size_);
    body_left_ = body_size_;
    const char* at = head_.data() + sizeof body_size_;
    const char* end = head_.data() + head_.size();
    while (at < end) {
        if (static_cast<size_t>(end - at) < 2 * kSizeOfSize) {
            return false;
        }
        size_t name = number_at(at);
        size_t value = number_at(at + kSizeOfSize);
        at += 2 * kSizeOfSize;
        if (static_cast<size_t>(end - at) < name + value + 2) {
            return false;
        }
        fields_.push_back({{at, name}, {at + name + 1, value}});
        at += name + value + 2;
    }
    return true;
}

const char* Request::field(std::string_view name) const {
    auto found = std::ranges::find(fields_, name, &Field::name);
    return found == fields_.end() ? nullptr : found->value.data();
}

size_t Request::read_body(char* out, size_t wanted) {
    wanted = std::min<uint64_t>(wanted, body_left_);
    if (wanted > 0 && !read(out, wanted)) {
        body_left_ = 0;
        return 0;
    }
    body_left_ -= wanted;
    return wanted;
}

void Request::discard_body() {
    char piece[16384];
    while (body_left_ > 0) {
        read_body(piece, sizeof piece);
    }
}

RequestHead::RequestHead(uint64_t body_size) {
    bytes_.reserve(2048);
    bytes_.append(kSizeOfSize, '\0');
    append_number(bytes_, body_size);
}

void RequestHead::add(std::string_view name, std::string_view value) {
    append_number(bytes_, static_cast<uint32_t>(name.size()));
    append_number(bytes_, static_cast<uint32_t>(value.size()));
    bytes_.append(name).push_back('\0');
    bytes_.append(value).push_back('\0');
}

std::string_view RequestHead::bytes() {
    auto size = static_cast<uint32_t>(bytes_.size() - kSizeOfSize);
    memcpy(bytes_.data(), &size, sizeof size);
    return bytes_;
}

}  // namespace stampede::request_loop
