#include "server/static/rules.h"

#include <algorithm>
#include <utility>

namespace stampede::server {
namespace {

constexpr std::string_view kWellKnown = "/.well-known/";  // RFC 8615

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return out;
}

std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Source code is never sent, whatever is written after the extension.
bool is_source(std::string_view name) {
    constexpr std::string_view kExtensions[] = {".php",  ".phtml", ".phar", ".phps", ".php3",
                                                ".php4", ".php5",  ".php7", ".php8", ".inc"};
    return std::ranges::any_of(kExtensions,
                               [name](std::string_view end) { return name.ends_with(end); });
}

}  // namespace

StaticRules::StaticRules(StaticRuleSettings settings) : settings_(std::move(settings)) {
    for (std::string& type : settings_.types) {
        type = lower(type);
    }
    for (const std::string& given : settings_.never) {
        never_.emplace_back(lower(given));
    }
    for (const std::string& given : settings_.cached) {
        size_t space = std::min(given.find(' '), given.size());
        cached_.push_back({PathPattern(std::string_view(given).substr(0, space)),
                           given.substr(std::min(space + 1, given.size()))});
    }
}

std::string_view StaticRules::cache_control(std::string_view path) const {
    for (const Cached& each : cached_) {
        if (each.paths.fits(path)) {
            return each.value;
        }
    }
    return {};
}

bool StaticRules::is_private(std::string_view path) const {
    return is_closed(path) || is_private_elsewhere(path);
}

bool StaticRules::is_private_elsewhere(std::string_view path) const {
    bool for_everybody = path.starts_with(kWellKnown);
    std::string_view below = for_everybody ? path.substr(kWellKnown.size() - 1) : path;
    if (!settings_.dot_files && below.find("/.") != std::string_view::npos) {
        return true;
    }
    if (path.ends_with('/')) {
        return false;  // a folder: its index is judged by its own name
    }
    std::string name = lower(name_of(path));
    while (!name.empty() && (name.back() == '.' || name.back() == ' ')) {
        name.pop_back();
    }
    return is_source(name) || (!for_everybody && !has_type(name)) ||
           std::ranges::any_of(never_,
                               [&name](const PathPattern& each) { return each.fits(name); });
}

bool StaticRules::is_closed(std::string_view path) const {
    return std::ranges::any_of(
        settings_.closed, [path](const std::string& folder) { return path.starts_with(folder); });
}

bool StaticRules::has_type(std::string_view name) const {
    if (settings_.types.empty()) {
        return true;
    }
    size_t dot = name.rfind('.');
    return dot != std::string_view::npos &&
           std::ranges::find(settings_.types, name.substr(dot + 1)) != settings_.types.end();
}

// ---- .htaccess

namespace {

std::string_view next_line(std::string_view& text) {
    size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

// In small letters, with one space between words.
std::string words_of(std::string_view line) {
    std::string words;
    for (char c : line) {
        bool blank = c == ' ' || c == '\t' || c == '\r';
        if (!blank) {
            words += c;
        } else if (!words.empty() && words.back() != ' ') {
            words += ' ';
        }
    }
    while (words.ends_with(' ')) {
        words.pop_back();
    }
    return lower(words);
}

bool opens_part(std::string_view line) {
    constexpr std::string_view kParts[] = {"<files", "<limit", "<if ", "<elseif", "<else>"};
    return std::ranges::any_of(kParts,
                               [line](std::string_view begin) { return line.starts_with(begin); });
}

bool closes_part(std::string_view line) {
    constexpr std::string_view kParts[] = {"</files", "</limit", "</if>", "</elseif", "</else>"};
    return std::ranges::any_of(kParts,
                               [line](std::string_view begin) { return line.starts_with(begin); });
}

}  // namespace

FolderAccess folder_access(std::string_view htaccess) {
    FolderAccess access = FolderAccess::kUnsaid;
    int parts = 0;  // sections that are not about all files and are open here
    while (!htaccess.empty()) {
        std::string line = words_of(next_line(htaccess));
        if (closes_part(line)) {
            parts -= parts > 0 ? 1 : 0;
        } else if (opens_part(line)) {
            parts++;
        } else if (parts == 0 && (line == "require all denied" || line == "deny from all")) {
            return FolderAccess::kDenied;
        } else if (parts == 0 && (line == "require all granted" || line == "allow from all")) {
            access = FolderAccess::kGranted;
        }
    }
    return access;
}

}  // namespace stampede::server
