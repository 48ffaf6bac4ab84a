// Which paths of a folder are sent to everybody: pure functions over paths and over the text of
// .htaccess files. Owned by StaticFiles, any thread, never parks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/path_pattern.h"

namespace stampede::server {

struct StaticRuleSettings {
    bool dot_files = false;
    std::vector<std::string> types;   // extensions without their dot; none: every type is sent
    std::vector<std::string> never;   // names of files that are not sent: "*.sql", "*~", "*.php*"
    std::vector<std::string> closed;  // prefixes of paths below which nothing is sent: "/vendor/"
    // A pattern of paths, a space, and what Cache-Control says of these files: "/build/* no-cache".
    std::vector<std::string> cached;
};

class StaticRules {
public:
    explicit StaticRules(StaticRuleSettings settings);

    // path begins with a slash and is decoded and normalised.
    bool is_private(std::string_view path) const;
    // The same for a path that begins elsewhere than in the folder, so that nothing is closed.
    bool is_private_elsewhere(std::string_view path) const;
    // Of the first pattern that fits; empty: nothing is said.
    std::string_view cache_control(std::string_view path) const;

private:
    struct Cached {
        PathPattern paths;
        std::string value;
    };

    bool is_closed(std::string_view path) const;
    bool has_type(std::string_view name) const;

    StaticRuleSettings settings_;
    std::vector<PathPattern> never_;
    std::vector<Cached> cached_;
};

// What the .htaccess of a folder says to all visitors of all its files. Sections for some files or
// methods are passed over: they narrow or widen what the folder as a whole allows.
enum class FolderAccess : uint8_t { kUnsaid, kGranted, kDenied };
FolderAccess folder_access(std::string_view htaccess);

}  // namespace stampede::server
