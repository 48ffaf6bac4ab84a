// The state is small and guarded by one robust mutex, which is held for a few instructions and
// never over a wait. A process that is killed while it has the mutex may leave
//
//   its own place, or that of the owner    forget_dead() drops it: it trusts only that a pid has
//                                          ended
//   a place that no hold is left of        repair() drops it
//   an owner kReaders without readers      repair() drops it
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
    free_without_readers(state);
}

// The last reader takes its place.
void SharedLock::drop_reader(State& state, uint32_t place) {
    state.readers[place] = state.readers[state.reader_count - 1];
    in_order();
    state.reader_count--;
}

// With the mutex held.
void SharedLock::free_without_readers(State& state) {
    pid_t shared = kReaders;
    if (state.reader_count == 0) {
        state.owner.compare_exchange_strong(shared, 0);
    }
}

void SharedLock::forget_dead(State& state) {
    pid_t owner = state.owner.load();
    if (owner > 0 && os::process_has_ended(owner)) {
        state.owner.compare_exchange_strong(owner, 0);
    }
    for (uint32_t i = 0; i < state.reader_count;) {
        if (os::process_has_ended(state.readers[i].pid)) {
            drop_reader(state, i);
        } else {
            i++;
        }
    }
    free_without_readers(state);
}

bool SharedLock::add_reader(State& state, pid_t self) {
    for (uint32_t i = 0; i < state.reader_count; i++) {
        if (state.readers[i].pid == self) {
            state.readers[i].count++;
            return true;
        }
    }
    if (state.reader_count == kMostReaders) {
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

// With the mutex held.
bool SharedLock::share(State& state, pid_t self) {
    pid_t owner = 0;
    bool is_shared = state.owner.compare_exchange_strong(owner, kReaders) || owner == kReaders;
    bool has_place = is_shared && add_reader(state, self);
    free_without_readers(state);
    return has_place;
}

// The dead are looked for only when the lock seems taken: a system call for each holder.
bool SharedLock::try_lock(Mode mode, pid_t self) {
    State& shared = state();
    pid_t free = 0;
    if (mode == Mode::kExclusive && shared.owner.compare_exchange_strong(free, self)) {
        return true;
    }
    lock(shared);
    bool is_taken = mode == Mode::kShared && share(shared, self);
    if (!is_taken) {
        forget_dead(shared);
        free = 0;
        is_taken = mode == Mode::kShared ? share(shared, self)
                                         : shared.owner.compare_exchange_strong(free, self);
    }
    shared.guard.unlock();
    return is_taken;
}

bool SharedLock::unlock(pid_t self) {
    State& shared = state();
    pid_t owner = self;
    bool held = shared.owner.compare_exchange_strong(owner, 0);
    if (!held && owner == kReaders) {
        lock(shared);
        held = remove_reader(shared, self);
        free_without_readers(shared);
        shared.guard.unlock();
    }
    if (held) {
        tell_waiting(shared);
    }
    return held;
}

// After the mutex: a woken process would find it taken. All are woken, since several may share the
// lock. A process that is killed before this call leaves the others asleep until their step is
// over: each of them waits in short ones.
void SharedLock::tell_waiting(State& state) {
    if (state.waiting.load() > 0) {
        state.changes.fetch_add(1);
        os::futex_wake(state.changes, INT32_MAX);
    }
}

std::atomic<uint32_t>& SharedLock::begin_wait() {
    state().waiting.fetch_add(1);
    return state().changes;
}

void SharedLock::end_wait() { state().waiting.fetch_sub(1); }

}  // namespace stampede::shm
