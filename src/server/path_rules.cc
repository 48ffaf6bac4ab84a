#include "server/path_rules.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "proto/http/message.h"
#include "proto/http/uri.h"

namespace stampede::server {

namespace {

using proto::http::equals_ignoring_case;

// The framing of a response is the server's.
constexpr auto kOwn =
    std::to_array<std::string_view>({"content-length", "transfer-encoding", "connection",
                                     "keep-alive", "date", "trailer", "upgrade"});

struct Pair {
    std::string_view pattern;
    std::string_view rest;
};

Pair split(std::string_view rule) {
    size_t space = std::min(rule.find(' '), rule.size());
    return {rule.substr(0, space), rule.substr(std::min(space + 1, rule.size()))};
}

struct Field {
    std::string_view name;
    std::string_view value;
};

Field field_of(std::string_view text) {
    size_t colon = std::min(text.find(':'), text.size());
    std::string_view value = text.substr(std::min(colon + 1, text.size()));
    value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
    return {text.substr(0, colon), value};
}

bool is_token(std::string_view name) {
    auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
    };
    return !name.empty() && std::ranges::all_of(name, is_letter);
}

bool is_value(std::string_view value) {
    return std::ranges::none_of(value, [](char c) {
        auto byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && c != '\t') || byte == 0x7f;
    });
}

bool parse_bytes(std::string_view text, uint64_t& bytes) {
    const char* end = text.data() + text.size();
    auto [stop, error] = std::from_chars(text.data(), end, bytes);
    return !text.empty() && error == std::errc() && stop == end;
}

std::string decoded(std::string_view path) {
    std::string out(path);
    out.resize(proto::http::percent_decode(path, out.data(), proto::http::Plus::kLiteral));
    return out;
}

}  // namespace

std::string check_path_rules(const PathRuleSettings& settings) {
    for (const std::string& rule : settings.fields) {
        Pair pair = split(rule);
        Field field = field_of(pair.rest);
        if (pair.pattern.empty() || !is_token(field.name) || !is_value(field.value)) {
            return "response_fields: \"" + rule + "\" is not PATTERN NAME: VALUE";
        }
        if (std::ranges::any_of(kOwn, [&](std::string_view own) {
                return equals_ignoring_case(own, field.name);
            })) {
            return "response_fields: the server makes the field \"" + std::string(field.name) +
                   "\" itself";
        }
    }
    for (const std::string& rule : settings.body_limits) {
        Pair pair = split(rule);
        uint64_t bytes = 0;
        if (!pair.pattern.starts_with('/') || !parse_bytes(pair.rest, bytes)) {
            return "body_limits: \"" + rule + "\" is not PATTERN BYTES";
        }
    }
    return {};
}

PathRules::PathRules(const PathRuleSettings& settings) {
    for (const std::string& rule : settings.fields) {
        Pair pair = split(rule);
        Field field = field_of(pair.rest);
        fields_.push_back(
            {PathPattern(pair.pattern), std::string(field.name), std::string(field.value)});
    }
    for (const std::string& rule : settings.body_limits) {
        Pair pair = split(rule);
        uint64_t bytes = 0;
        (void)parse_bytes(pair.rest, bytes);
        limits_.push_back({RoutePattern(pair.pattern), bytes});
    }
}

void PathRules::add_fields(std::string_view path, std::vector<FieldRef>& response) const {
    std::string plain = decoded(path);
    for (const FieldRule& rule : fields_) {
        bool is_given = std::ranges::any_of(response, [&](const FieldRef& given) {
            return equals_ignoring_case(given.name, rule.name);
        });
        if (!is_given && rule.paths.fits(plain)) {
            response.push_back({rule.name, rule.value});
        }
    }
}

uint64_t PathRules::largest_body(uint64_t usual) const {
    for (const LimitRule& rule : limits_) {
        usual = std::max(usual, rule.bytes);
    }
    return usual;
}

uint64_t PathRules::body_limit(std::string_view path, uint64_t usual) const {
    std::string plain = decoded(path);
    auto found = std::ranges::find_if(
        limits_, [&](const LimitRule& rule) { return rule.paths.fits(plain); });
    return found == limits_.end() ? usual : found->bytes;
}

}  // namespace stampede::server
