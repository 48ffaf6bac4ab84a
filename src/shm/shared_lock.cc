// The state is small and guarded by one robust mutex, which is held for a few instructions and
// never over a wait. A process that is killed while it has the mutex may leave a reader counted
// that is gone, or one missing: both are repaired by forget_dead(), which trusts only that a pid
// has ended. A pid that the kernel has given to another process meanwhile keeps its place until
// that one ends.
#include "shm/shared_lock.h"

#include <new>

namespace stampede::shm {

Result<SharedLock> SharedLock::create() {
    Result<os::SharedMemory> memory = os::SharedMemory::create(sizeof(State));
    if (!memory) {
        return memory.error();
    }
    return SharedLock(std::move(*memory));
}

SharedLock::SharedLock(os::SharedMemory memory) : memory_(std::move(memory)) {
    auto* state = new (memory_.data()) State();
    state->guard.init();
}

void SharedLock::forget_dead(State& state) {
    if (state.writer != 0 && os::process_has_ended(state.writer)) {
        state.writer = 0;
    }
    for (uint32_t i = 0; i < state.reader_count;) {
        if (os::process_has_ended(state.readers[i].pid)) {
            state.readers[i] = state.readers[--state.reader_count];
        } else {
            i++;
        }
    }
}

bool SharedLock::add_reader(State& state, pid_t self) {
    for (uint32_t i = 0; i < state.reader_count; i++) {
        if (state.readers[i].pid == self) {
            state.readers[i].count++;
            return true;
        }
    }
    if (state.reader_count == kReaders) {
        return false;
    }
    state.readers[state.reader_count] = {self, 1};
    state.reader_count++;
    return true;
}

bool SharedLock::remove_reader(State& state, pid_t self) {
    for (uint32_t i = 0; i < state.reader_count; i++) {
        Reader& reader = state.readers[i];
        if (reader.pid == self) {
            if (--reader.count == 0) {
                reader = state.readers[--state.reader_count];
            }
            return true;
        }
    }
    return false;
}

// The dead are looked for only when the lock seems taken: a system call for each holder.
bool SharedLock::try_lock(Mode mode, pid_t self) {
    State& shared = state();
    shared.guard.lock();
    bool is_free = shared.writer == 0 && (mode == Mode::kShared || shared.reader_count == 0);
    if (!is_free) {
        forget_dead(shared);
        is_free = shared.writer == 0 && (mode == Mode::kShared || shared.reader_count == 0);
    }
    if (is_free && mode == Mode::kExclusive) {
        shared.writer = self;
    } else if (is_free) {
        is_free = add_reader(shared, self);
    }
    shared.guard.unlock();
    return is_free;
}

bool SharedLock::unlock(pid_t self) {
    State& shared = state();
    shared.guard.lock();
    bool held = shared.writer == self;
    if (held) {
        shared.writer = 0;
    } else {
        held = remove_reader(shared, self);
    }
    if (held) {
        shared.changes.fetch_add(1, std::memory_order_release);
    }
    shared.guard.unlock();
    // After the mutex: a woken process would find it taken. All are woken, since several may share
    // it.
    if (held) {
        os::futex_wake(shared.changes, INT32_MAX);
    }
    return held;
}

uint32_t SharedLock::changes() const { return state().changes.load(std::memory_order_acquire); }

void SharedLock::wait_for_change(uint32_t seen, Nanos longest) {
    os::futex_wait(state().changes, seen, longest);
}

}  // namespace stampede::shm
