// The state is small and guarded by one robust mutex, which is held for a few instructions and
// never over a wait. A process that is killed while it has the mutex may leave
//
//   its own place, or the writer's         forget_dead() drops it: it trusts only that a pid has
//                                          ended
//   a place that no hold is left of        repair() drops it
//   the last reader in two places          repair() drops the copy: readers are moved by a copy
//                                          first and a smaller count second, so that at no moment
//                                          a living reader is in no place
//
// A pid that the kernel has given to another process meanwhile keeps its place until that one ends.
#include "shm/shared_lock.h"

#include <new>

namespace stampede::shm {

namespace {

// Stores before it are done before those after it. Against a kill that is enough: it comes between
// two instructions, and the next process that has the mutex sees all that were executed.
void in_order() { std::atomic_signal_fence(std::memory_order_seq_cst); }

}  // namespace

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

void SharedLock::lock(State& state) {
    if (state.guard.lock()) {
        repair(state);
    }
}

// With the mutex held, after its holder was killed.
void SharedLock::repair(State& state) {
    for (uint32_t i = 0; i < state.reader_count;) {
        bool is_copy = false;
        for (uint32_t later = i + 1; later < state.reader_count; later++) {
            is_copy = is_copy || state.readers[later].pid == state.readers[i].pid;
        }
        if (is_copy || state.readers[i].count == 0) {
            drop_reader(state, i);
        } else {
            i++;
        }
    }
}

// The last reader takes its place.
void SharedLock::drop_reader(State& state, uint32_t place) {
    state.readers[place] = state.readers[state.reader_count - 1];
    in_order();
    state.reader_count--;
}

void SharedLock::forget_dead(State& state) {
    if (state.writer != 0 && os::process_has_ended(state.writer)) {
        state.writer = 0;
    }
    for (uint32_t i = 0; i < state.reader_count;) {
        if (os::process_has_ended(state.readers[i].pid)) {
            drop_reader(state, i);
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
    in_order();
    state.reader_count++;
    return true;
}

bool SharedLock::remove_reader(State& state, pid_t self) {
    for (uint32_t i = 0; i < state.reader_count; i++) {
        if (state.readers[i].pid == self) {
            if (--state.readers[i].count == 0) {
                drop_reader(state, i);
            }
            return true;
        }
    }
    return false;
}

// The dead are looked for only when the lock seems taken: a system call for each holder.
bool SharedLock::try_lock(Mode mode, pid_t self) {
    State& shared = state();
    lock(shared);
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
    lock(shared);
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
    // it. A process that is killed before this call leaves the others asleep until their step of
    // wait_for_change() is over: each of them waits in short ones.
    if (held) {
        os::futex_wake(shared.changes, INT32_MAX);
    }
    return held;
}

uint32_t SharedLock::changes() const { return state().changes.load(std::memory_order_acquire); }

// In steps that the caller bounds: the death of a holder changes no word, so it is looked for
// between two.
void SharedLock::wait_for_change(uint32_t seen, Nanos longest) {
    os::futex_wait(state().changes, seen, longest);
}

}  // namespace stampede::shm
