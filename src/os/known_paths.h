// What absolute paths lead to, remembered until something on the way to it changes (PathChanges):
// exactly what the kernel would say, for less than its lookup of each part of a path costs. One for
// a process, its only thread, never waits.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "os/path_changes.h"

namespace stampede::os {

class KnownPaths {
public:
    enum class Kind : uint8_t { kMissing, kFile, kFolder, kOther };

    explicit KnownPaths(PathChanges& changes) : changes_(changes) {}

    // Symbolic links are followed. Nothing: it is not known, look yourself.
    std::optional<Kind> kind_of(std::string_view path);
    // Whether that was kMissing at some time: no use of asking otherwise.
    bool was_missing(std::string_view path) const;

private:
    // A part of the way, and how often it had changed when it was looked at.
    struct Mark {
        uint32_t slot;
        uint32_t count;
    };
    struct Fact;
    // Another path that it depends on, as that was known then.
    struct Tie {
        Fact* fact = nullptr;
        uint64_t look = 0;
    };
    struct Fact {
        Kind kind = Kind::kMissing;
        uint32_t version = 0;  // of the changes, when it was last known to hold
        uint64_t look = 0;     // the number of the look at it
        std::optional<Mark> entry;
        Tie folder;         // where it is an entry of
        Tie target;         // of a link
        std::string place;  // the path of a folder without links
        int watch = -1;     // of a folder whose entries were looked at
    };
    struct Hash {
        using is_transparent = void;
        size_t operator()(std::string_view path) const {
            return std::hash<std::string_view>()(path);
        }
    };

    bool is_worth_it();
    Fact* find(std::string_view path);
    Fact* known(std::string_view path, int links);
    bool holds(Fact& fact) const;
    bool holds(const Tie& tie) const;
    bool look(std::string_view path, Fact& fact, int links);
    bool look_in(std::string_view name, Fact& fact, int links);
    bool follow(std::string_view path, Fact& fact, int links);
    bool watch(Fact& folder);

    PathChanges& changes_;
    std::unordered_map<std::string, Fact, Hash, std::equal_to<>> facts_;  // stay where they are
    uint64_t looks_ = 0;
    uint32_t losses_ = 0;
    uint32_t watches_ = 0;
    // Where paths change faster than they are asked for, nothing is gained.
    uint32_t asked_ = 0;
    uint32_t looked_ = 0;
    uint32_t rest_ = 0;
};

}  // namespace stampede::os
