// What changes below folders, for several processes at once: the kernel queues its notices
// (inotify) in one descriptor that they have inherited, whichever of them looks first reads them,
// and counts them in memory that all of them share. Any process, its only thread, never waits.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "os/fd.h"
#include "os/mmap.h"

namespace stampede::os {

class PathChanges {
public:
    // Before the processes are forked that use it.
    static Result<PathChanges> create();

    // Starts to watch the entries of a folder; the number is the same for the same folder. Fails
    // also where the kernel does not tell of all changes: network file systems, /proc ...
    Result<int> watch(const char* folder);

    // Then the counts below hold all changes that were complete when it was called. False: that
    // cannot be said at this moment, as another process is reading.
    bool settle();

    // Differs after any change.
    uint32_t version() const { return shared().version.load(std::memory_order_acquire); }
    // Differs when so much has changed that every entry of every folder may have.
    uint32_t losses() const { return shared().losses.load(std::memory_order_relaxed); }
    // Where changes of an entry are counted, together with those of others.
    static uint32_t slot_of(int watch, std::string_view entry);
    uint32_t count(uint32_t slot) const {
        return shared().counts[slot].load(std::memory_order_relaxed);
    }

private:
    static constexpr size_t kSlots = 1UL << 16;
    struct Shared {
        std::atomic<pid_t> reader;  // 0: nobody reads
        std::atomic<uint32_t> version;
        std::atomic<uint32_t> losses;
        std::atomic<uint32_t> counts[kSlots];
    };

    PathChanges(int fd, SharedMemory memory) : fd_(fd), memory_(std::move(memory)) {}
    Shared& shared() const { return *static_cast<Shared*>(memory_.data()); }
    bool begin_reading();
    void count_all(const char* events, size_t size);

    Fd fd_;
    SharedMemory memory_;
};

}  // namespace stampede::os
