#include "os/known_paths.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace stampede::os {

namespace {

constexpr size_t kLongest = 1024;
constexpr size_t kMost = 8192;       // paths
constexpr uint32_t kFolders = 1024;  // that this process has asked to be watched
constexpr int kMostLinks = 16;
constexpr uint32_t kJudgedAfter = 4096;  // questions
constexpr uint32_t kRest = 65536;        // questions that go by afterwards

// Of "/a/b" those of "b": "/a/". The root has no parent.
std::string_view parent_of(std::string_view path) { return path.substr(0, path.rfind('/') + 1); }

}  // namespace

std::optional<KnownPaths::Kind> KnownPaths::kind_of(std::string_view path) {
    Fact* fact = find(path);
    return fact == nullptr ? std::nullopt : std::optional(fact->kind);
}

bool KnownPaths::was_missing(std::string_view path) const {
    auto found = facts_.find(path);
    return found != facts_.end() && found->second.kind == Kind::kMissing;
}

bool KnownPaths::is_worth_it() {
    if (rest_ > 0) {
        rest_--;
        return false;
    }
    if (++asked_ == kJudgedAfter) {
        rest_ = looked_ > asked_ / 2 ? kRest : 0;
        asked_ = looked_ = 0;
    }
    return true;
}

KnownPaths::Fact* KnownPaths::find(std::string_view path) {
    if (path.empty() || path[0] != '/' || path.size() > kLongest ||
        path.find('\0') != std::string_view::npos || !is_worth_it() || !changes_.settle()) {
        return nullptr;
    }
    if (losses_ != changes_.losses() || facts_.size() > kMost) {
        losses_ = changes_.losses();
        facts_.clear();
    }
    return known(path, kMostLinks);
}

KnownPaths::Fact* KnownPaths::known(std::string_view path, int links) {
    auto found = facts_.find(path);
    if (found != facts_.end() && holds(found->second)) {
        return &found->second;
    }
    looked_++;
    Fact fact{.version = changes_.version(), .look = ++looks_};
    if (!look(path, fact, links)) {
        return nullptr;
    }
    Fact& kept = facts_[std::string(path)];
    kept = std::move(fact);
    return &kept;
}

bool KnownPaths::holds(Fact& fact) const {
    uint32_t version = changes_.version();
    if (fact.version == version) {
        return true;
    }
    if ((fact.entry && changes_.count(fact.entry->slot) != fact.entry->count) ||
        !holds(fact.folder) || !holds(fact.target)) {
        return false;
    }
    fact.version = version;
    return true;
}

bool KnownPaths::holds(const Tie& tie) const {
    return tie.fact == nullptr || (tie.fact->look == tie.look && holds(*tie.fact));
}

bool KnownPaths::look(std::string_view path, Fact& fact, int links) {
    std::string_view bare = path;
    while (bare.ends_with('/')) {
        bare.remove_suffix(1);
    }
    if (bare.empty()) {
        fact.kind = Kind::kFolder;
        fact.place.push_back('/');
        return true;
    }
    std::string_view before = parent_of(bare);
    Fact* folder = known(before.size() > 1 ? before.substr(0, before.size() - 1) : before, links);
    if (folder == nullptr) {
        return false;
    }
    fact.folder = {folder, folder->look};
    if (folder->kind != Kind::kFolder) {
        return true;
    }
    if (!look_in(bare.substr(before.size()), fact, links)) {
        return false;
    }
    if (bare.size() < path.size() && fact.kind != Kind::kFolder) {
        fact.kind = Kind::kMissing;  // a path that ends with a slash names a folder or nothing
    }
    return true;
}

bool KnownPaths::look_in(std::string_view name, Fact& fact, int links) {
    Fact& folder = *fact.folder.fact;
    if (name.empty() || name == ".") {
        fact.kind = Kind::kFolder;
        fact.place = folder.place;
        return true;
    }
    if (name == "..") {
        return follow(parent_of(folder.place), fact, links);
    }
    if (!watch(folder)) {
        return false;
    }
    uint32_t slot = PathChanges::slot_of(folder.watch, name);
    fact.entry = {slot, changes_.count(slot)};  // before the look
    std::string place = folder.place.size() > 1 ? folder.place : "";
    place.append("/").append(name);
    struct stat found {};
    if (::lstat(place.c_str(), &found) != 0) {
        return errno == ENOENT;
    }
    if (S_ISLNK(found.st_mode)) {
        char target[PATH_MAX];
        long length = ::readlink(place.c_str(), target, sizeof target);
        if (length <= 0) {
            return false;
        }
        std::string path(target[0] == '/' ? std::string_view() : parent_of(place));
        path.append(target, static_cast<size_t>(length));
        return follow(path, fact, links);
    }
    fact.kind = S_ISREG(found.st_mode)   ? Kind::kFile
                : S_ISDIR(found.st_mode) ? Kind::kFolder
                                         : Kind::kOther;
    if (fact.kind == Kind::kFolder) {
        fact.place = std::move(place);
    }
    return true;
}

// To what a link says, or to the parent of a folder.
bool KnownPaths::follow(std::string_view path, Fact& fact, int links) {
    Fact* end = links == 0 || path.size() > kLongest ? nullptr : known(path, links - 1);
    if (end == nullptr) {
        return false;
    }
    fact.target = {end, end->look};
    fact.kind = end->kind;
    fact.place = end->place;
    return true;
}

bool KnownPaths::watch(Fact& folder) {
    if (folder.watch < 0 && watches_ < kFolders) {
        Result<int> watch = changes_.watch(folder.place.c_str());
        folder.watch = watch ? *watch : -1;
        watches_ += watch ? 1 : 0;
    }
    return folder.watch >= 0;
}

}  // namespace stampede::os
