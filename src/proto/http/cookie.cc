#include "proto/http/cookie.h"

#include <algorithm>

#include "proto/http/message.h"

namespace stampede::proto::http {
namespace {

constexpr std::string_view kPrefixes[] = {"__Host-", "__Secure-"};

// What PHP does with characters that cannot be in a variable's name.
char mangle(char c) { return c == ' ' || c == '.' || c == '[' || c == '+' ? '_' : c; }

// Whether the name, decoded and mangled, begins with prefix in any letter case.
bool reads_as(std::string_view name, std::string_view prefix) {
    size_t at = 0;
    while (at < name.size() && (name[at] == ' ' || name[at] == '+')) {
        at++;
    }
    for (char wanted : prefix) {
        char decoded[3];
        size_t length = name.substr(at, 1) == "%" ? 3 : 1;
        if (at + length > name.size()) {
            return false;
        }
        percent_decode(name.substr(at, length), decoded, Plus::kLiteral);
        char mangled = mangle(decoded[0]);
        if (!equals_ignoring_case({&mangled, 1}, {&wanted, 1})) {
            return false;
        }
        at += length;
    }
    return true;
}

}  // namespace

bool disguises_cookie_prefix(std::string_view name) {
    for (std::string_view prefix : kPrefixes) {
        if (name.substr(0, prefix.size()) != prefix && reads_as(name, prefix)) {
            return true;
        }
    }
    return false;
}

bool CookieReader::next(std::string_view& name, std::string_view& value) {
    while (!rest_.empty()) {
        size_t end = rest_.find(';');
        std::string_view pair = rest_.substr(0, end);
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
        size_t equals = std::min(pair.find('='), pair.size());
        name = trimmed(pair.substr(0, equals));
        value = trimmed(pair.substr(std::min(equals + 1, pair.size())));
        if (!name.empty() && !disguises_cookie_prefix(name)) {
            return true;
        }
    }
    return false;
}

}  // namespace stampede::proto::http
