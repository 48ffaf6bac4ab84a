// Media types by file extension that can be changed: what the application added or removed, then
// the built-in table. One per process, main thread, never parks. Lookups allocate nothing.
#pragma once

#include <map>
#include <string>
#include <string_view>

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

    using Visitor = void (*)(void* context, std::string_view extension, std::string_view type);
    void visit(Visitor visitor, void* context) const;

private:
    // An empty type hides the built-in one.
    std::map<std::string, std::string, std::less<>> changes_;
};

}  // namespace stampede::server
