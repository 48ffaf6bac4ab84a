// Media types by file extension that can be changed: what the application added or removed, then
// the built-in table. One per process, main thread, never parks. Lookups allocate nothing.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "proto/http/mime.h"

namespace stampede::server {

class MimeRegistry {
public:
    static MimeRegistry& get();

    // "" when unknown. extension without the dot, in any letter case.
    std::string_view find(std::string_view extension) const;
    // By the part after the last dot of the last path segment.
    std::string_view find_for_path(std::string_view path) const;
    void set(std::string_view extension, std::string_view type);
    void remove(std::string_view extension);

    // Calls visit(extension, type) for each that find() knows.
    template <typename Visit>
    void each(Visit&& visit) const {
        size_t count = 0;
        const proto::http::MimeType* table = proto::http::mime_table(count);
        for (size_t i = 0; i < count; ++i) {
            if (!changes_.contains(table[i].extension)) {
                visit(table[i].extension, table[i].type);
            }
        }
        for (const auto& [extension, type] : changes_) {
            if (!type.empty()) {
                visit(std::string_view(extension), std::string_view(type));
            }
        }
    }

private:
    // An empty type hides the built-in one.
    std::map<std::string, std::string, std::less<>> changes_;
};

}  // namespace stampede::server
