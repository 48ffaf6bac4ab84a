// Patterns of paths in settings. Plain values; pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace stampede::server {

// A star at the beginning or at the end stands for anything: "/build/*", "*.woff2".
class PathPattern {
public:
    explicit PathPattern(std::string_view text);
    bool fits(std::string_view path) const;

private:
    std::string text_;
    bool open_begin_;
    bool open_end_;
};

// A star stands for anything within one part of a path, "**" at the end for all that follows:
// "/reports/*", "/live/**", which fits "/live", too.
class RoutePattern {
public:
    explicit RoutePattern(std::string_view text);
    bool fits(std::string_view path) const;

private:
    std::string text_;
    bool open_end_;
};

}  // namespace stampede::server
