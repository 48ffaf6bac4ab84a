// The control block of a coroutine: its context, which one resumed it, what it waits for, what it
// owns. Pooled: a block and its stacks serve one task after another. Owned by the Runtime, which
// alone writes the fields marked so. PHP thread; everything the loop can see of a waiting coroutine
// (task, timer, wait node) is in here.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/clock.h"
#include "base/list.h"
#include "loop/loop.h"
#include "metrics/waits.h"
#include "runtime/side.h"
#include "zend/call.h"
#include "zend/php.h"

namespace stampede::runtime {

class Fiber;
struct TimeLimit;

// How a wait has ended. kClosed: what was waited for is being closed, and the coroutine runs inside
// of the closing call. kDestroyed: an exception that cannot be caught (the engine's graceful exit)
// has been thrown into the coroutine, and each further wait fails in the same way.
enum class WakeReason : uint8_t { kReady, kTimeout, kCancelled, kClosed, kDestroyed };

// What a coroutine runs when it was not started by PHP's go(); embedded in its owner.
struct Job {
    // Inside the coroutine; may park; a PHP exception is left in EG(exception).
    void (*run)(Job&) = nullptr;
    // Same coroutine, after its defers. The exception stays the runtime's. When the outcome is
    // kBailed no PHP code may run. When null the usual treatment: an uncaught exception ends the
    // script.
    void (*finished)(Job&, Outcome, zend_object* exception) = nullptr;
};

enum class FiberState : uint8_t {
    kFree,     // in the pool
    kRunning,  // on the processor, or waiting for a coroutine that it resumed
    kYielded,  // waits for Coroutine::resume()
    kParked,   // waits for the loop or another coroutine
};

// The part of the guard below its C stack that a coroutine has used (see stack_overflow.h).
enum class StackReserve : uint8_t {
    kClosed,
    kOpened,  // an Error is due
    kThrown,
};

// A coroutine waits for the end of another one (Coroutine::join()).
struct JoinWatch {
    JoinWatch* next;
    Fiber* target;  // null once it has ended
    Fiber* waiter;
};

// Lies at the upper end of its C stack (see context_pool.cc). Others hold pointers to it only while
// its task cannot end: in what the coroutine waits for, whose node waking unlinks, and in the
// frames of coroutines that it has resumed. Code that must remember a coroutine for longer keeps
// its number and asks Runtime::find(): numbers are never used again, blocks are.
class Fiber {
public:
    struct ReadyTask : loop::Task {
        Fiber* fiber;
    };
    struct DeadlineTimer : loop::Timer {
        Fiber* fiber;
    };
    // In the list of whatever the coroutine waits for; its owner links it, waking unlinks it.
    struct WaitNode : ListNode {
        Fiber* fiber;
        zval* slot;  // where the coroutine that waits for a value wants it
    };

    bool waiting() const { return state == FiberState::kYielded || state == FiberState::kParked; }

    // Written by the Runtime only. What every switch touches comes first, in as few cache lines as
    // possible.
    zend_fiber_context* top =
        nullptr;  // where to go on: the own context, or that of a user Fiber inside
    zend_fiber_context* caller = nullptr;  // where to go when it waits or ends
    FiberState state = FiberState::kFree;
    WakeReason reason = WakeReason::kReady;
    bool destroying = false;
    bool canceled = false;
    bool preemptible = true;
    bool trimmed = false;         // by the pool
    bool waits_in_calls = false;  // blocking calls wait, whatever the hook flags are
    bool out_of_time = false;     // a time limit ends its waits, and the children it waits for
    bool in_observer = false;     // of calls: what it calls itself is not observed
    StackReserve reserve = StackReserve::kClosed;
    int64_t cid = 0;
    void (*finished)(Job&, Outcome, zend_object* exception) = nullptr;
    // Of the suspended code, for traces and to see which extension a coroutine waits in. The switch
    // itself does not need it: VmState has its own copy on the stack.
    zend_execute_data* execute_data = nullptr;
    Side side;
    ReadyTask ready;
    WaitNode wait;
    DeadlineTimer deadline;
    // The first page of the PHP stack. Deep calls add further ones (emalloc()ed), which are freed
    // as the calls return; each task begins with this one alone.
    zend_vm_stack vm_page = nullptr;
    Job* job = nullptr;
    zend_fiber_context context = {};
    int64_t parent_cid = -1;
    Nanos started_at = 0;
    Nanos compute_until = 0;  // of limit_computing(); 0 = no limit
    // Where waits are measured: 0 while it does not wait.
    Nanos waits_since = 0;
    metrics::WaitKind waits_for = metrics::WaitKind::kOther;
    char* stack_base = nullptr;  // lowest byte of the C stack
    size_t stack_size = 0;

    // Of the coroutine itself.
    zend_object* context_object = nullptr;
    zend::Callable* defers = nullptr;
    zval result = {};  // of the function, for the deferred calls; undefined when there are none
    uint32_t defer_count = 0;
    uint32_t defer_capacity = 0;
    // Not an object: making one takes a trace, which must be that of the code that waits.
    zend_class_entry* throw_on_resume = nullptr;  // thrown where the coroutine waits
    TimeLimit* time_limit = nullptr;
    JoinWatch* joiners = nullptr;
    uint32_t joined_remaining = 0;
};

// The block that a task or timer would lie in, without reading it. Not every task of the loop is a
// coroutine's: only for prefetches, which may be given any address.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
inline const Fiber* block_around(const loop::Task* task) {
    return reinterpret_cast<const Fiber*>(reinterpret_cast<uintptr_t>(task) -
                                          offsetof(Fiber, ready));
}
inline const Fiber* block_around(const loop::Timer* timer) {
    return reinterpret_cast<const Fiber*>(reinterpret_cast<uintptr_t>(timer) -
                                          offsetof(Fiber, deadline));
}
// This one is for contexts whose `kind` has said that they are a coroutine's.
inline const Fiber* block_around(const zend_fiber_context* context) {
    return reinterpret_cast<const Fiber*>(reinterpret_cast<uintptr_t>(context) -
                                          offsetof(Fiber, context));
}
#pragma GCC diagnostic pop

}  // namespace stampede::runtime
