// Changes of the entries of folders, as the kernel tells them (inotify). What another machine
// changes on a network file system it does not tell. Thin calls, errno -> Error. The loop's thread;
// never waits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "os/fd.h"

namespace stampede::os {

struct FileChange {
    enum What : uint32_t {
        kWritten = 1,  // also a change of its rights
        kCreated = 2,  // or moved to here
        kRemoved = 4,  // or moved away
        kFolder = 8,   // the entry is a folder
        kGone = 16,    // the watched folder itself: its number means nothing any more
        kLost = 32,    // more has changed than the kernel could note
    };
    int watch;
    uint32_t what;
    std::string name;
};

class FileWatch {
public:
    static Result<FileWatch> open();

    // Readable when there is something to read.
    int fd() const { return fd_.get(); }
    // The number of a watched folder, the same for the same folder. ENOSPC: the user's limit
    // (fs.inotify.max_user_watches).
    Result<int> add(const char* folder);
    void remove(int watch);
    // Appends what has happened, at most about 1000 changes; false when there is nothing.
    bool read(std::vector<FileChange>& changes);

private:
    explicit FileWatch(int fd) : fd_(fd) {}
    Fd fd_;
};

// Whether the kernel tells of all changes below this folder: not of those that other machines make
// on a network file system, or the host on one that is shared with a virtual machine.
bool tells_changes(const char* folder);

}  // namespace stampede::os
