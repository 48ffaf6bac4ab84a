// File operations that may wait for the disk, done beside the loop: by io_uring where the kernel
// lets us, else by helper threads. Submissions of one iteration leave together. Owned by the code
// that uses it, one loop's thread, never parks.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>

#include "loop/loop.h"
#include "loop/worker_pool.h"
#include "os/ring.h"

namespace stampede::loop {

struct FileOperation : PoolJob {
    enum class Kind : uint8_t { kOpen, kRead, kWrite, kSync, kClose, kStat };

    Kind kind = Kind::kOpen;
    int fd = -1;
    int flags = 0;               // kOpen
    mode_t mode = 0;             // kOpen
    const char* path = nullptr;  // kOpen, kStat
    char* data = nullptr;        // kRead, kWrite; kStat: a struct statx
    size_t size = 0;
    int64_t offset = -1;  // -1: the descriptor's own place
    int64_t result = 0;   // a descriptor, a count, 0, or -errno
};

enum class FileBackend : uint8_t { kRing, kThreads };

class FileQueue {
public:
    // Threads also where a ring is wanted and cannot be had.
    FileQueue(Loop& loop, FileBackend wanted);
    ~FileQueue();
    FileQueue(const FileQueue&) = delete;
    FileQueue& operator=(const FileQueue&) = delete;

    // The operation, its path and data stay until its done() was called, on the loop's thread and
    // never from in here.
    void submit(FileOperation& operation);
    // Asks to have it end soon; done() comes in any case, with -ECANCELED when it was in time.
    void cancel(FileOperation& operation);

    FileBackend backend() const {
        return ring_ != nullptr ? FileBackend::kRing : FileBackend::kThreads;
    }
    // For what no ring can do.
    WorkerPool& pool() { return *pool_; }
    size_t in_flight() const { return in_flight_; }
    // In a forked child, before the loop goes.
    void abandon();

private:
    struct RingWatch : Watch {
        FileQueue* owner;
    };
    struct SubmitTask : Task {
        FileQueue* owner;
    };

    void open_ring();
    void to_ring(FileOperation& operation);
    void on_ended();
    void finish(FileOperation& operation);
    static void fill(io_uring_sqe* place, FileOperation& operation);
    static void perform(PoolJob& job);

    Loop& loop_;
    std::unique_ptr<os::Ring> ring_;
    std::unique_ptr<WorkerPool> pool_;
    RingWatch watch_;
    SubmitTask submit_;
    size_t in_flight_ = 0;  // in the ring
};

}  // namespace stampede::loop
