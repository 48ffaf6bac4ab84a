#include "proto/http/message.h"

#include <algorithm>
#include <array>

#include "proto/http/known_fields.h"

namespace stampede::proto::http {
namespace {

struct MethodName {
    std::string_view name;
    Method method;
};

constexpr MethodName kMethods[] = {
    {"GET", Method::kGet},         {"HEAD", Method::kHead},     {"POST", Method::kPost},
    {"PUT", Method::kPut},         {"DELETE", Method::kDelete}, {"CONNECT", Method::kConnect},
    {"OPTIONS", Method::kOptions}, {"TRACE", Method::kTrace},   {"PATCH", Method::kPatch},
    {"QUERY", Method::kQuery},
};

// RFC 9110 5.6.2.
constexpr std::string_view kTokenMarks = "!#$%&'*+-.^_`|~";

constexpr std::array<bool, 256> make_token_table() {
    std::array<bool, 256> table{};
    for (int c = '0'; c <= '9'; c++) {
        table[static_cast<size_t>(c)] = true;
    }
    for (int c = 'a'; c <= 'z'; c++) {
        table[static_cast<size_t>(c)] = true;
        table[static_cast<size_t>(c - 'a' + 'A')] = true;
    }
    for (char c : kTokenMarks) {
        table[static_cast<unsigned char>(c)] = true;
    }
    return table;
}

constexpr std::array<bool, 256> kToken = make_token_table();

constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

}  // namespace

KnownField identify_field(std::string_view name) {
    return known::identify(name.data(), name.size());
}

std::string_view method_name(Method method) {
    auto index = static_cast<size_t>(method);
    return index < sizeof(kMethods) / sizeof(kMethods[0]) ? kMethods[index].name
                                                          : std::string_view();
}

Method method_from_name(std::string_view name) {
    for (const MethodName& entry : kMethods) {
        if (entry.name == name) {
            return entry.method;
        }
    }
    return Method::kOther;
}

bool is_token_char(char c) { return kToken[static_cast<unsigned char>(c)]; }

bool is_token(std::string_view text) {
    for (char c : text) {
        if (!is_token_char(c)) {
            return false;
        }
    }
    return !text.empty();
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) {
        return false;
    }
    for (size_t i = 0; i < a.size(); i++) {
        if (to_lower(a[i]) != to_lower(b[i])) {
            return false;
        }
    }
    return true;
}

bool lists(std::string_view list, std::string_view element) {
    while (!list.empty()) {
        size_t comma = std::min(list.find(','), list.size());
        if (equals_ignoring_case(trimmed(list.substr(0, comma)), element)) {
            return true;
        }
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return false;
}

}  // namespace stampede::proto::http
