#include "server/path_pattern.h"

#include <cstddef>

namespace stampede::server {

namespace {

constexpr std::string_view kAllThatFollows = "**";

// Without slashes. Only the last star is tried again, so the time is at most the product of both
// lengths.
bool part_fits(std::string_view pattern, std::string_view part) {
    size_t at = 0;
    size_t in_pattern = 0;
    size_t star = std::string_view::npos;  // after the last one
    size_t star_at = 0;
    while (at < part.size()) {
        if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
            star = ++in_pattern;
            star_at = at;
        } else if (in_pattern < pattern.size() && pattern[in_pattern] == part[at]) {
            in_pattern++;
            at++;
        } else if (star != std::string_view::npos) {
            in_pattern = star;
            at = ++star_at;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', in_pattern) == std::string_view::npos;
}

}  // namespace

PathPattern::PathPattern(std::string_view text) {
    open_begin_ = text.starts_with('*');
    text.remove_prefix(open_begin_ ? 1 : 0);
    open_end_ = text.ends_with('*');
    text.remove_suffix(open_end_ ? 1 : 0);
    text_ = text;
}

bool PathPattern::fits(std::string_view path) const {
    if (open_begin_ && open_end_) {
        return path.find(text_) != std::string_view::npos;
    }
    if (open_begin_) {
        return path.ends_with(text_);
    }
    return open_end_ ? path.starts_with(text_) : path == text_;
}

RoutePattern::RoutePattern(std::string_view text)
    : text_(text), open_end_(text.ends_with(kAllThatFollows)) {
    if (open_end_) {
        text_.resize(text_.size() - kAllThatFollows.size());
    }
}

bool RoutePattern::fits(std::string_view path) const {
    std::string_view pattern = text_;
    for (;;) {
        size_t end = pattern.find('/');
        size_t path_end = path.find('/');
        std::string_view part = path.substr(0, path_end);
        if (end == std::string_view::npos) {  // the last part of the pattern
            if (open_end_) {
                return path.starts_with(pattern) || part_fits(std::string(pattern) + '*', part);
            }
            return path_end == std::string_view::npos && part_fits(pattern, part);
        }
        if (!part_fits(pattern.substr(0, end), part)) {
            return false;
        }
        pattern.remove_prefix(end + 1);
        if (path_end == std::string_view::npos) {
            return open_end_ && pattern.empty();  // "/live/**" and "/live"
        }
        path.remove_prefix(path_end + 1);
    }
}

}  // namespace stampede::server
