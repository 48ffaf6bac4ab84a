#include "hooks/sqlite/offload.h"

#include <algorithm>
#include <chrono>

#include "hooks/sqlite/gate.h"
#include "os/thread.h"

namespace stampede::hooks::sqlite {

using runtime::Runtime;
using runtime::WakeReason;

namespace {

constexpr int kThreads = 16;
// Each connection has one call at a time, so this many connections.
constexpr size_t kMostCalls = 200;

// Never destroyed: a thread may be busy when the process ends.
loop::WorkerPool* threads = nullptr;
STAMPEDE_THREAD_LOCAL Call* running = nullptr;

std::vector<Call*>& calls_under_way() {
    static auto* all = new std::vector<Call*>();
    return *all;
}

loop::WorkerPool& pool() {
    if (threads == nullptr) {
        threads = new loop::WorkerPool(Runtime::get().loop());
        threads->set_limit(kThreads);
        watch_forks();
    }
    return *threads;
}

// On a thread of the pool. It runs the caller's code (run(argument) uses the locals of the
// coroutine that waits, by reference): what makes that right is that the coroutine cannot leave
// before this has ended. Nothing of PHP is touched; the texts and results are memory that no other
// coroutine has.
void run_on_thread(loop::PoolJob& job) {
    auto& call = static_cast<Call&>(job);
    running = &call;
    enter_gate();
    call.run(call.argument);
    leave_gate();
    running = nullptr;
    std::unique_lock lock(call.mutex);
    call.finished = true;
    call.changed.notify_all();
}

void on_done(loop::PoolJob& job) {
    auto& call = static_cast<Call&>(job);
    call.ended = true;
    if (call.fiber == nullptr) {
        delete &call;
    } else {
        Runtime::peek()->wake(*call.fiber, WakeReason::kReady);
    }
}

// Blocks the PHP thread, and so the loop: only where the coroutine cannot park any more. The call
// was interrupted before, so it is short.
void wait_in_place(Call& call) {
    std::unique_lock lock(call.mutex);
    call.changed.wait(lock, [&] { return call.finished; });
}

void give_up_all() {
    for (Call* call : calls_under_way()) {
        call->give_up();
    }
}

// Whatever wakes the coroutine, it does not leave before its call has ended: the call's references
// lie in its frames. A coroutine that is being destroyed cannot park, and neither can those whose
// calls are queued ahead of its own: so all are given up, or this thread would wait for a thread
// that waits for them.
void wait_for_end(Call& call) {
    Runtime& runtime = Runtime::get();
    bool cancelled = call.given_up;
    while (!call.ended) {
        WakeReason reason = runtime.park(kNever);
        if (cancelled) {
            runtime.count_as_cancelled();
        }
        if (call.ended) {
            return;
        }
        cancelled = reason == WakeReason::kCancelled;
        call.give_up();
        if (!runtime.can_park()) {
            give_up_all();
            wait_in_place(call);
            return;
        }
    }
}

}  // namespace

void Call::give_up() {
    std::unique_lock lock(mutex);
    bool is_new = !given_up.exchange(true) && !finished;
    if (is_new && database != nullptr) {
        library.interrupt(database);
    }
    changed.notify_all();
}

Call* call_of_thread() { return running; }

bool has_room_for_a_call() { return calls_under_way().size() < kMostCalls; }

Ended run_call(Database* database, void (*run)(void*), void* argument, How how) {
    auto* call = new Call();
    call->fiber = Runtime::get().current();
    call->database = database;
    call->run = run;
    call->argument = argument;
    call->is_hurried = how.is_hurried;
    call->given_up = how.is_given_up;
    call->work = run_on_thread;
    call->done = on_done;
    calls_under_way().push_back(call);
    pool().submit(*call);
    wait_for_end(*call);
    std::erase(calls_under_way(), call);
    Ended ended = {call->needs_php, call->given_up};
    if (call->ended) {
        delete call;
    } else {
        call->fiber = nullptr;  // what the loop is told of it comes later
    }
    return ended;
}

void end_calls() {
    give_up_all();
    for (Call* call : calls_under_way()) {
        wait_in_place(*call);
    }
}

void forget_call_threads() {
    threads = nullptr;
    renew_gate();
    calls_under_way().clear();
}

// SQLite sleeps inside of its call while the file is locked. Out of the gate meanwhile: the thread
// has the connection's mutex but none of the library's own, and a fork must not wait for another
// process's lock.
bool pause_call(Nanos time) {
    Call* call = running;
    if (call == nullptr) {
        return false;
    }
    if (call->is_hurried) {
        return true;
    }
    leave_gate();
    threads->begin_pause();
    {
        std::unique_lock lock(call->mutex);
        call->changed.wait_for(lock, std::chrono::nanoseconds(time),
                               [&] { return call->given_up.load(); });
    }
    threads->end_pause();
    enter_gate();
    return true;
}

}  // namespace stampede::hooks::sqlite
