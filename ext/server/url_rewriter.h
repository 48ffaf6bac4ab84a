// The setting url_rewrite_rules: which file a path stands for. Owned by the handler of HTTP
// requests; PHP thread, never parks.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stampede::classes {

// In order: what fits, and what is put in its place. "~...~" is a regular expression, anything
// else the beginning of a path.
using UrlRules = std::vector<std::pair<std::string, std::string>>;

class UrlRewriter {
public:
    explicit UrlRewriter(const UrlRules& rules) : rules_(rules) {}

    bool has_rules() const { return !rules_.empty(); }
    // What the first rule that fits makes of it; false: none does. An expression is held against
    // path and query together.
    bool rewrite(std::string_view path, std::string_view query, std::string& out) const;

    // A sentence about the first rule that is no good; empty: there is none.
    static std::string complaint(const UrlRules& rules);

private:
    const UrlRules& rules_;
};

}  // namespace stampede::classes
