#include "proto/frame/redis.h"

#include <charconv>

namespace stampede::proto::frame {

bool read_redis_head(std::string_view bytes, char letter, RedisHead& head) {
    constexpr size_t kLongest = 16;  // letter, digits, CRLF
    head = {};
    if (bytes.empty()) {
        return true;
    }
    if (bytes[0] != letter) {
        return false;
    }
    std::string_view line = bytes.substr(1, kLongest - 1);
    size_t digits = line.find_first_not_of("0123456789");
    if (digits == std::string_view::npos) {
        return bytes.size() < kLongest;
    }
    if (digits == 0 || line[digits] != '\r') {
        return false;
    }
    if (digits + 1 == line.size()) {
        return bytes.size() < kLongest;
    }
    std::from_chars(line.data(), line.data() + digits, head.number);
    head.size = digits + 3;
    return line[digits + 1] == '\n';
}

RedisArguments::RedisArguments(std::string_view request) {
    RedisHead head;
    if (read_redis_head(request, '*', head) && head.size > 0) {
        count_ = static_cast<size_t>(head.number);
        rest_ = request.substr(head.size);
    }
}

std::string_view RedisArguments::next() {
    RedisHead head;
    if (!read_redis_head(rest_, '$', head) || head.size == 0) {
        return {};
    }
    auto size = static_cast<size_t>(head.number);
    std::string_view argument = rest_.substr(head.size, size);
    rest_.remove_prefix(head.size + size + 2 < rest_.size() ? head.size + size + 2 : rest_.size());
    return argument;
}

}  // namespace stampede::proto::frame
