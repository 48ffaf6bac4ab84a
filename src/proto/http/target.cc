#include "proto/http/target.h"

#include "proto/http/uri.h"

namespace stampede::proto::http {
namespace {

bool starts_with_scheme(std::string_view target, std::string_view scheme) {
    return target.size() > scheme.size() &&
           equals_ignoring_case(target.substr(0, scheme.size()), scheme);
}

// Every escape of a path must be one, and none may stand for NUL.
bool valid_escapes(std::string_view path) {
    for (size_t i = path.find('%'); i != std::string_view::npos; i = path.find('%', i + 3)) {
        if (path.size() - i < 3 || hex_value(path[i + 1]) < 0 || hex_value(path[i + 2]) < 0) {
            return false;
        }
        if (path[i + 1] == '0' && path[i + 2] == '0') {
            return false;
        }
    }
    return true;
}

Slice cut(Slice slice, size_t from, size_t length) {
    return {slice.offset + static_cast<uint32_t>(from), static_cast<uint32_t>(length)};
}

// Takes scheme and authority off an absolute-form target; what is left may be empty.
uint16_t take_authority(std::string_view target, Slice& rest, RequestHead& out) {
    size_t begin = starts_with_scheme(target, "http://") ? 7 : 8;
    if (begin == 8 && !starts_with_scheme(target, "https://")) {
        return 400;
    }
    size_t end = target.find_first_of("/?", begin);
    if (end == std::string_view::npos) {
        end = target.size();
    }
    if (end == begin) {
        return 400;
    }
    out.authority = cut(rest, begin, end - begin);
    rest = cut(rest, end, target.size() - end);
    return 0;
}

}  // namespace

uint16_t split_target(const char* data, RequestHead& out) {
    std::string_view target = out.target.in(data);
    Slice rest = out.target;
    if (out.method == Method::kConnect) {
        return 501;
    }
    if (target == "*") {
        out.path = rest;
        return out.method == Method::kOptions ? uint16_t{0} : uint16_t{400};
    }
    // No URI has a backslash, and a server that takes it for a slash sees another path.
    if (target.find_first_of("#\\") != std::string_view::npos) {
        return 400;
    }
    if (target.front() != '/') {
        uint16_t step = take_authority(target, rest, out);
        if (step != 0) {
            return step;
        }
    }
    std::string_view text = rest.in(data);
    size_t mark = text.find('?');
    out.path = cut(rest, 0, mark == std::string_view::npos ? text.size() : mark);
    if (mark != std::string_view::npos) {
        out.query = cut(rest, mark + 1, text.size() - mark - 1);
    }
    return valid_escapes(out.path.in(data)) ? uint16_t{0} : uint16_t{400};
}

}  // namespace stampede::proto::http
