// Files for coroutines. What the page cache holds is read in place; the rest goes to the file
// queue and only the calling coroutine waits. Pipes and devices wait like sockets. One queue per
// process, made on first use, dropped in forked children. PHP thread; File's calls park.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "io/descriptor.h"
#include "loop/file_queue.h"
#include "os/file_io.h"
#include "runtime/runtime.h"

namespace stampede::io {

// One open file of one coroutine. Numbers are results or -errno; -ECANCELED when the wait was
// cancelled or the coroutine is being destroyed: the file is closed then, as soon as the kernel
// lets go of it. Made by new: the loop sees parts of it.
class File {
public:
    File() = default;
    ~File() { close(); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    // 0 or -errno. A pipe is opened as soon as it has its other end.
    int open(const char* path, int flags, mode_t mode);
    os::FileKind kind() const { return facts_.kind; }
    uint64_t size() const { return facts_.size; }  // when it was opened
    // Waits for other processes that hold the lock.
    int lock(os::LockKind kind);
    // At least a byte; 0 at the end. From its own place in pipes and devices.
    long read(char* out, size_t size, int64_t offset);
    // What fits, at least a byte. Offset -1: at its own place (the end, when appending).
    long write(const char* data, size_t size, int64_t offset);
    // To no bytes; nothing happens to pipes and devices.
    int truncate();
    int sync();
    void close();

private:
    bool plain() const { return facts_.kind == os::FileKind::kRegular; }
    int open_pipe_for_writing(const char* path, int flags);
    long read_waiting(char* out, size_t size);
    long write_waiting(const char* data, size_t size);
    int wait(Direction direction);

    Descriptor descriptor_;
    os::FileFacts facts_;
    bool waited_ = false;  // of a pipe: it has had a writer
};

// The queue, for operations of one's own.
loop::FileQueue& file_queue();
// On a descriptor that stays somebody else's, who may close it at any time: what read() and write()
// return, or -errno. Offset -1: at its own place. Pieces are at most a megabyte.
long read_beside(int fd, char* out, size_t size, int64_t offset);
long write_beside(int fd, const char* data, size_t size, int64_t offset);
// Counts for Coroutine::stats(); zeroes before the first use.
struct FileCounts {
    size_t in_flight = 0;
    int threads = 0;
    size_t queued = 0;
};
FileCounts file_counts();
// How many helper threads at most, and how long an idle one stays; 0 leaves a value as it is.
void set_file_threads(int most, Nanos idle_time);

// Runs work() on a helper thread while the coroutine waits. The job is new memory; false when the
// wait was cancelled: then destroy() is called when the thread is done with it, otherwise the
// caller destroys it. destroy() runs on the PHP thread.
struct ThreadJob : loop::PoolJob {
    void (*destroy)(ThreadJob&) = nullptr;

    runtime::Fiber* fiber = nullptr;
    bool ended = false;
    bool abandoned = false;
};
bool run_on_thread(ThreadJob& job);

}  // namespace stampede::io
