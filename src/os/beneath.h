// Files below a folder that is given away to strangers: what a path leads to lies below the folder,
// whatever links there are. Thin calls, errno left set. Any thread; may block on the disk.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stampede::os {

enum class Links : uint8_t {
    kInside,    // may lead to what is below the folder
    kAnywhere,  // the owner of the folder is responsible for them
};

enum class EntryKind : uint8_t { kNone, kFile, kFolder, kForbidden };

// What tells one state of a file from another.
struct FileMark {
    uint64_t device = 0;
    uint64_t inode = 0;
    uint64_t size = 0;
    int64_t modified_ns = 0;
    int64_t changed_ns = 0;  // also when its rights or its owner have changed

    bool operator==(const FileMark&) const = default;
    int64_t modified() const { return modified_ns / 1'000'000'000; }
};

struct Opened {
    EntryKind kind = EntryKind::kNone;
    int fd = -1;  // of a file; the caller's
    FileMark mark;
};

// A folder to open things below; -1 with errno.
int open_folder(const char* path);
// path is relative, without "..", "." or "" for the folder itself.
Opened open_beneath(int folder, const char* path, Links links);
// Of whatever the path leads to now, for comparing. False when there is nothing.
bool mark_beneath(int folder, const char* path, FileMark& out);
// Where an open file lies, without links; empty where the kernel does not say it (no /proc).
std::string path_of(int fd);
// Whether no part of the path is a link.
bool is_without_links(int folder, const char* path);
// Exactly size bytes; false when the file has become shorter.
bool read_whole(int fd, char* out, size_t size);

struct FolderEntry {
    std::string name;
    bool is_folder;
    uint64_t size;
    int64_t modified;
};
// Without names that begin with a dot, at most `most`, in no order. Links that lead out are left
// out.
std::vector<FolderEntry> list_beneath(int folder, const char* path, Links links, size_t most);

}  // namespace stampede::os
