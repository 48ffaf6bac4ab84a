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
    // A caller that cannot have it: between these two, the word is another after each release. It
    // is read before each try.
    std::atomic<uint32_t>& begin_wait();
    void end_wait();

private:
    static constexpr uint32_t kMostReaders = 256;  // processes that share it at one time

    struct Reader {
        pid_t pid;
        uint32_t count;
    };
    // owner is 0, the process that has the lock alone, or kReaders: a process takes it from 0 and
    // gives it back without the guard. guard, held for a few instructions, protects the list of
    // readers, and is needed for the step to and from kReaders. A release changes `changes` when
    // `waiting` says that some process waits: that one has raised `waiting` before it tried, so
    // either it sees the release or the release sees it.
    struct State {
        os::RobustMutex guard;
        std::atomic<pid_t> owner;
        std::atomic<uint32_t> changes;
        std::atomic<uint32_t> waiting;  // too high by those that were killed in a wait
        uint32_t reader_count;          // of the places in use
        Reader readers[kMostReaders];
    };
    static constexpr pid_t kReaders = -1;

    explicit SharedLock(os::SharedMemory memory);
    State& state() const { return *static_cast<State*>(memory_.data()); }
    static void lock(State& state);
    static void repair(State& state);
    static void drop_reader(State& state, uint32_t place);
    static void free_without_readers(State& state);
    static void forget_dead(State& state);
    static bool add_reader(State& state, pid_t self);
    static bool remove_reader(State& state, pid_t self);
    static bool share(State& state, pid_t self);
    static void tell_waiting(State& state);

    os::SharedMemory memory_;
};

}  // namespace stampede::shm
