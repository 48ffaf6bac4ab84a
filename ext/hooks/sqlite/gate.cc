#include "hooks/sqlite/gate.h"

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <new>

#include "runtime/runtime.h"

namespace stampede::hooks::sqlite {

namespace {

//   a thread    enter_gate()  inside++         leave_gate()  inside--
//   a fork      closes the gate, waits for inside == 0, forks, opens it (the parent)
//   the child   has one thread and no call: renew_gate()
//
// `closed` is atomic for pass_gate() alone, which looks without the mutex and takes it only when a
// fork waits.
struct Gate {
    std::mutex mutex;
    std::condition_variable changed;
    std::atomic<bool> closed = false;
    int inside = 0;
};

// Never destroyed: a thread may be busy when the process ends.
Gate* gate = new Gate();

// What forks elsewhere becomes another program at once. Waiting there would hold up the loop for
// the longest query that is under way.
bool script_forks() {
    runtime::Runtime* runtime = runtime::Runtime::peek();
    return runtime != nullptr && runtime->current() == nullptr && !runtime->running();
}

void before_fork() {
    if (script_forks()) {
        std::unique_lock lock(gate->mutex);
        gate->closed = true;
        gate->changed.wait(lock, [] { return gate->inside == 0; });
    }
}

void after_fork_in_parent() {
    std::unique_lock lock(gate->mutex);
    gate->closed = false;
    gate->changed.notify_all();
}

}  // namespace

void enter_gate() {
    std::unique_lock lock(gate->mutex);
    gate->changed.wait(lock, [] { return !gate->closed; });
    gate->inside++;
}

void leave_gate() {
    std::unique_lock lock(gate->mutex);
    if (--gate->inside == 0) {
        gate->changed.notify_all();
    }
}

void pass_gate() {
    if (gate->closed) {
        leave_gate();
        enter_gate();
    }
}

void watch_forks() {
    static const int watched = pthread_atfork(before_fork, after_fork_in_parent, nullptr);
    static_cast<void>(watched);
}

// The parent's mutex was locked, if at all, by a thread that the child does not have: made anew in
// place, without a destructor.
void renew_gate() { new (gate) Gate(); }

}  // namespace stampede::hooks::sqlite
