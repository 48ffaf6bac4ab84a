#include "hooks/sqlite/gate.h"

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <new>

#include "runtime/runtime.h"

namespace stampede::hooks::sqlite {

namespace {

struct Gate {
    std::mutex mutex;
    std::condition_variable changed;
    std::atomic<bool> closed = false;
    int inside = 0;
};

// Never destroyed: a thread may be busy when the process ends.
Gate* gate = new Gate();

// What forks elsewhere becomes another program at once.
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

void renew_gate() { new (gate) Gate(); }

}  // namespace stampede::hooks::sqlite
