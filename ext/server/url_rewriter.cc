#include "ext/server/url_rewriter.h"

#include <algorithm>

#include "zend/pattern.h"

namespace stampede::classes {

namespace {

bool is_expression(const std::string& from) { return !from.empty() && from.front() == '~'; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// With $1 to $99 filled in; $0 is all that fitted.
std::string fill_in(std::string_view text, const std::vector<std::string>& groups) {
    std::string out;
    for (size_t i = 0; i < text.size(); i++) {
        if (text[i] != '$' || i + 1 >= text.size() || !is_digit(text[i + 1])) {
            out += text[i];
            continue;
        }
        size_t number = static_cast<size_t>(text[++i] - '0');
        if (i + 1 < text.size() && is_digit(text[i + 1])) {
            number = number * 10 + static_cast<size_t>(text[++i] - '0');
        }
        out += number < groups.size() ? groups[number] : std::string();
    }
    return out;
}

}  // namespace

bool UrlRewriter::rewrite(std::string_view path, std::string_view query, std::string& out) const {
    std::string all(path);
    if (!query.empty()) {
        all.append("?").append(query);
    }
    std::vector<std::string> groups;
    for (const auto& [from, to] : rules_) {
        if (is_expression(from)) {
            if (zend::match_pattern(from, all, groups) == zend::Match::kFits) {
                out = fill_in(to, groups);
                out.resize(std::min(out.size(), out.find('?')));
                return true;
            }
        } else if (path.starts_with(from)) {
            out = to;
            out.append(path.substr(from.size()));
            return true;
        }
    }
    return false;
}

std::string UrlRewriter::complaint(const UrlRules& rules) {
    std::vector<std::string> unused;
    for (const auto& [from, to] : rules) {
        if (from.empty() || (!is_expression(from) && from.front() != '/')) {
            return "url_rewrite_rules: \"" + from +
                   "\" is neither the beginning of a path (\"/...\") nor a regular expression "
                   "(\"~...~\")";
        }
        if (is_expression(from) &&
            zend::match_pattern(from, "/", unused) == zend::Match::kNoPattern) {
            return "url_rewrite_rules: \"" + from + "\" is no regular expression";
        }
        if (to.empty() || (to.front() != '/' && to.front() != '$')) {
            return "url_rewrite_rules: \"" + to + "\", for \"" + from +
                   "\", must be a path that begins with a slash";
        }
    }
    return {};
}

}  // namespace stampede::classes
