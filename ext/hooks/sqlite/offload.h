// Calls of libsqlite3 on threads of their own while the coroutine waits for their end. A call is
// never left behind: its statement, its texts and where its results go belong to the coroutine. One
// whose coroutine is cancelled is interrupted and still waited for. PHP thread, in a coroutine that
// may park; parks.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

#include "base/clock.h"
#include "hooks/sqlite/use.h"
#include "loop/worker_pool.h"

namespace stampede::hooks::sqlite {

// Who touches it: its coroutine and the loop's callbacks on the PHP thread; its thread from work()
// to `finished`. `mutex` guards `finished`, and that interrupting and finishing do not cross: after
// `finished` the statement, and with it the database, may be gone.
struct Call : loop::PoolJob {
    runtime::Fiber* fiber = nullptr;  // null: waits no more
    bool ended = false;               // told of on the PHP thread
    Database* database = nullptr;
    void (*run)(void*) = nullptr;
    void* argument = nullptr;
    bool is_hurried = false;  // waits for no lock
    bool needs_php = false;   // it met an authorizer: to be made again on the PHP thread

    std::mutex mutex;
    std::condition_variable changed;
    bool finished = false;  // on its thread
    std::atomic<bool> given_up = false;

    // Interrupts it, and ends its pauses.
    void give_up();
};

// The call that this thread makes, null on all others.
Call* call_of_thread();
// More than so many wait in place.
bool has_room_for_a_call();

struct How {
    bool is_hurried = false;   // waits for no lock
    bool is_given_up = false;  // from the beginning: a call before it was
};
struct Ended {
    bool needs_php;    // it met an authorizer and did nothing
    bool is_given_up;  // which does not say that it failed
};
Ended run_call(Database* database, void (*run)(void*), void* argument, How how);

// A null database: what cannot be interrupted.
template <typename Work>
Ended offload(Database* database, Work work, How how = {}) {
    return run_call(
        database, [](void* argument) { (*static_cast<Work*>(argument))(); }, &work, how);
}

// At the end of a script: every call is given up and has ended.
void end_calls();
void forget_call_threads();  // in a forked child

// A pause inside a call on a thread of SQLite, which ends early with the call; false on others. The
// thread does not count as working meanwhile.
bool pause_call(Nanos time);

}  // namespace stampede::hooks::sqlite
