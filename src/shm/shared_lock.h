// A lock between processes: one holder, or many that only look. One that dies gives it up, others
// notice within a fraction of a second. Taking never waits: a caller that cannot have it waits for
// changed() by its own means (a coroutine parks, others use wait_for_change()). Owned by an object
// of the API, inherited by fork; any process, never parks.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "base/clock.h"
#include "base/error.h"
#include "os/futex.h"
#include "os/mmap.h"

namespace stampede::shm {

class SharedLock {
public:
    enum class Mode : uint8_t { kShared, kExclusive };

    static Result<SharedLock> create();

    bool try_lock(Mode mode, pid_t self);
    // False when this process holds it in no way.
    bool unlock(pid_t self);
    // How often it was given up; for wait_for_change().
    uint32_t changes() const;
    // Blocks the thread at most so long while changes() is still what was seen.
    void wait_for_change(uint32_t seen, Nanos longest);

private:
    static constexpr uint32_t kReaders = 256;  // processes that share it at one time

    struct Reader {
        pid_t pid;
        uint32_t count;
    };
    // guard, held for a few instructions, protects all but `changes`. That counts releases, in a
    // word that processes can wait for in the kernel (futex): waiting compares it with the value
    // that was seen before the try, so a release between the try and the wait is not missed.
    struct State {
        os::RobustMutex guard;
        std::atomic<uint32_t> changes;
        pid_t writer;
        uint32_t reader_count;  // of the places in use
        Reader readers[kReaders];
    };

    explicit SharedLock(os::SharedMemory memory);
    State& state() const { return *static_cast<State*>(memory_.data()); }
    static void lock(State& state);
    static void repair(State& state);
    static void drop_reader(State& state, uint32_t place);
    static void forget_dead(State& state);
    static bool add_reader(State& state, pid_t self);
    static bool remove_reader(State& state, pid_t self);

    os::SharedMemory memory_;
};

}  // namespace stampede::shm
