// Messages that are too large for a packet lie in files in memory: one process writes one and hands
// its descriptor to another, which reads it once. Most of what such a message costs is to get the
// pages and to give them back, so the writer keeps a few files and uses one again when its reader
// has noted in it that it is done.
//
// A process that is killed leaves nothing behind: a file lasts as long as a descriptor of it. One
// that a killed reader has not done with is not used again, and goes with the next drop_unused().
// Thin calls, errno -> Error. One thread of the writer; never waits.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "os/fd.h"
#include "os/memory_file.h"

namespace stampede::os {

class MessageFiles {
public:
    static constexpr size_t kMostFiles = 4;
    static constexpr size_t kMostKept = 4u << 20;  // bytes of a message whose file is kept

    // A file with these two parts, one after the other.
    Result<Fd> write(std::string_view head, std::string_view body);
    // Gives up what was not used since the last call. False: nothing is left.
    bool drop_unused();
    // In a forked child: the files are the parent's.
    void abandon() { kept_.clear(); }
    size_t count() const { return kept_.size(); }

private:
    struct Kept {
        Fd file;
        bool used = true;  // since the last drop_unused()
    };
    Kept* find_free();

    std::vector<Kept> kept_;
    pid_t owner_ = 0;
};

// What such a file holds, for its reader, which looks at it once.
class ReceivedMessage {
public:
    // EINVAL when the file is shorter than `size`.
    static Result<ReceivedMessage> read(int file, size_t size, std::unique_ptr<char[]>& room);

    std::string_view bytes() const { return bytes_; }

private:
    std::string_view bytes_;
    MappedFile mapped_;  // of one that is not kept
};

}  // namespace stampede::os
