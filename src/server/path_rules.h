// What settings say about requests and responses by the path. Owned by the service; loop thread;
// never parks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/exchange.h"
#include "server/path_pattern.h"

namespace stampede::server {

struct PathRuleSettings {
    std::vector<std::string> fields;       // "PATTERN NAME: VALUE", as PathPattern
    std::vector<std::string> body_limits;  // "PATTERN BYTES", as RoutePattern
};

// One sentence; empty: they are well.
std::string check_path_rules(const PathRuleSettings& settings);

class PathRules {
public:
    // Of settings that are well.
    explicit PathRules(const PathRuleSettings& settings);

    bool has_fields() const { return !fields_.empty(); }
    bool has_body_limits() const { return !limits_.empty(); }
    // Adds those that the response has not been given. The path as it was sent.
    void add_fields(std::string_view path, std::vector<FieldRef>& response) const;
    // The most that any path may have.
    uint64_t largest_body(uint64_t usual) const;
    // Bytes: of the first pattern that fits, otherwise the usual ones.
    uint64_t body_limit(std::string_view path, uint64_t usual) const;

private:
    struct FieldRule {
        PathPattern paths;
        std::string name;
        std::string value;
    };
    struct LimitRule {
        RoutePattern paths;
        uint64_t bytes;
    };

    std::vector<FieldRule> fields_;
    std::vector<LimitRule> limits_;
};

}  // namespace stampede::server
