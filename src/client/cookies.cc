#include "client/cookies.h"

#include <algorithm>

#include "proto/http/message.h"

namespace stampede::client {

namespace {

bool is_removal(std::string_view attributes) {
    constexpr std::string_view kAge = "max-age=";
    for (;;) {
        size_t at = attributes.find(';');
        std::string_view item = attributes.substr(0, at);
        item.remove_prefix(std::min(item.find_first_not_of(' '), item.size()));
        if (item.size() > kAge.size() &&
            proto::http::equals_ignoring_case(item.substr(0, kAge.size()), kAge)) {
            return item[kAge.size()] == '-' || item[kAge.size()] == '0';
        }
        if (at == std::string_view::npos) {
            return false;
        }
        attributes.remove_prefix(at + 1);
    }
}

}  // namespace

std::string cookie_value(std::string_view text) {
    constexpr char kHex[] = "0123456789ABCDEF";
    std::string out;
    out.reserve(text.size());
    for (char c : text) {
        bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                     c == '-' || c == '_' || c == '.' || c == '~';
        if (plain) {
            out += c;
        } else {
            auto byte = static_cast<unsigned char>(c);
            out += '%';
            out += kHex[byte >> 4];
            out += kHex[byte & 15];
        }
    }
    return out;
}

bool read_set_cookie(std::string_view line, SetCookie& out) {
    size_t end = line.find(';');
    std::string_view pair = line.substr(0, end);
    size_t equals = pair.find('=');
    if (equals == std::string_view::npos || equals == 0) {
        return false;
    }
    out.name = pair.substr(0, equals);
    out.value = pair.substr(equals + 1);
    out.removes = end != std::string_view::npos && is_removal(line.substr(end + 1));
    return true;
}

}  // namespace stampede::client
