// Coroutines on the loop: starting, waiting, waking, ending. DESIGN: one suspension primitive,
// park(); waking from the loop only queues; creating and resuming run the target at once, nested,
// and come back when it waits or ends. One per process, made on first use, PHP thread. park() and
// what is said to run coroutines at once must not be called from a loop callback.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "loop/loop.h"
#include "loop/memory_keeper.h"
#include "runtime/context_pool.h"
#include "runtime/direct_switch.h"
#include "runtime/fiber.h"
#include "runtime/id_map.h"
#include "zend/error_level.h"

// The states of a coroutine, and what leads from one to the next:
//
//      spawn()                        the task has ended
//   kFree ------------> kRunning ------------------------> kFree, in the pool again
//                        ^    |
//          resume_now()  |    |  park(), make_room(), yield()
//                        |    v
//                    kParked, kYielded     wake() links `ready` into the loop's list and notes the
//                                          reason; the state stays until resume_now()
//
// A coroutine that has resumed another one stays kRunning. Each `caller` leads one step back:
//
//   main context <--- A <--- B, which is current()
//
// When B waits, A goes on after its resume_now(); when A waits, the main context does. The loop
// runs on the main context alone: while one of its callbacks runs, no coroutine is on the way.
//
// What a switch does, in this order (resume_now() and wait()):
//
//   1. Side::leave()      the running side puts aside what only it may see
//   2. set_current(), switch_to()    the engine's own globals and the C stack change
//   3. Side::enter()      on the other side: its state is put back
//
// Between 1 and 3 the globals describe no side, so no PHP code may run and nothing may throw. After
// step 2 the code goes on where another coroutine has been running: each global, and each object
// that another coroutine may change, has to be read again.
namespace stampede::runtime {

enum class ServerRole : uint8_t { kNone, kServer };

struct Limits {
    size_t max_coroutines = 100000;
};

inline constexpr int64_t kErrorLimit = -1;   // spawn(): as many coroutines as are allowed
inline constexpr int64_t kErrorMemory = -2;  // spawn(): no memory for another stack

class Runtime {
public:
    static Runtime& get() {
        return EXPECTED(instance_ != nullptr && instance_->script_open_) ? *instance_ : create();
    }
    static Runtime* peek() { return instance_; }  // null before the first use
    bool script_is_open() const { return script_open_; }

    loop::Loop& loop() { return *loop_; }
    Fiber* current() const { return current_; }  // null outside coroutines
    // The same for another thread, which must not look into it: it may have ended by now.
    const Fiber* current_from_afar() {
        return std::atomic_ref<Fiber*>(current_).load(std::memory_order_relaxed);
    }
    int64_t current_cid() const { return current_ != nullptr ? current_->cid : -1; }

    // Starts the job in a coroutine of its own, now, and returns its number when it first waits or
    // ends. A negative error when it was not started.
    int64_t spawn(Job& job);
    // What an event asks for: in a coroutine of its own, or outside coroutines when
    // start_callbacks_in_coroutines(false) was said (the option enable_coroutine).
    int64_t start_callback(Job& job);
    void start_callbacks_in_coroutines(bool yes) { callbacks_in_coroutines_ = yes; }
    // Outside coroutines; returns when the job has ended, also by a fatal error.
    void run_here(Job& job);

    // The current coroutine waits until it is woken or the absolute time has come. With kDestroyed
    // an exception that unwinds the coroutine is under way: return at once. can_park() says whether
    // it may be called.
    WakeReason park(Nanos deadline);
    // The same with a time from now.
    WakeReason park_for(Nanos delay);
    // False outside coroutines and while one is being destroyed.
    bool can_park() const;
    // The loop itself runs the current coroutine: when it waits, the loop goes on, and no other
    // code.
    bool is_run_by_loop() const {
        return in_iteration_ && current_ != nullptr && current_->caller == EG(main_fiber_context);
    }
    // The current coroutine goes to the end of the queue.
    void make_room();
    // Coroutine::yield(): waits for Coroutine::resume() alone.
    WakeReason yield();

    // Queues a waiting coroutine for the ready phase; nothing when it is already queued or not
    // waiting.
    void wake(Fiber& fiber, WakeReason reason);
    // Runs a waiting coroutine at once; returns when it waits again or ends. From PHP code only.
    void resume_now(Fiber& fiber, WakeReason reason);
    // Queues a waiting coroutine so that its wait fails as cancelled. False when it is not waiting.
    bool cancel(Fiber& fiber);
    // The current one has been, although it had to wait on for the end of what it waits for.
    void count_as_cancelled() { current_->canceled = true; }

    Fiber* find(int64_t cid) const { return fibers_.find(cid); }
    size_t coroutine_count() const { return fibers_.size(); }
    size_t coroutine_peak() const { return peak_; }
    int64_t last_cid() const { return last_cid_; }
    const IdMap<Fiber>& fibers() const { return fibers_; }

    // Runs iterations on the main context until done(arg) or until nothing is left that could
    // happen.
    void run_until(bool (*done)(void*), void* arg);
    void run_iteration();               // one, without waiting for long
    void iterate_once(Nanos max_wait);  // one, on the main context, waiting at most so long
    bool running() const { return in_iteration_ || run_depth_ > 0; }
    void stop() { stop_requested_ = true; }  // the innermost run_until() returns after this turn
    bool was_stopped() const { return was_stopped_; }  // so the last run_until() ended

    // Called on the main context after a fatal error ended a coroutine. Without a hook the script
    // ends, as in PHP.
    using BailHook = void (*)(void*);
    void set_bail_hook(BailHook hook, void* arg) {
        bail_hook_ = hook;
        bail_arg_ = arg;
    }
    // Of the running coroutine, or of the main script.
    Side& current_side() { return current_ != nullptr ? current_->side : main_side_; }
    bool outlives_fatal_errors() const { return bail_hook_ != nullptr; }
    void set_server_role(ServerRole role) { role_ = role; }
    // From now on each wait is counted in the metrics of the process.
    void measure_waits() { measures_waits_ = true; }
    bool measures_waits() const { return measures_waits_; }
    ServerRole server_role() const { return role_; }
    // The last event of a server's process begins: its loop runs on, but is no reason any more to
    // refuse run(), with which applications end what they have in coroutines.
    void begin_last_event() {
        in_last_event_ = true;
        last_cid_before_it_ = last_cid_;
    }
    bool in_last_event() const { return in_last_event_; }
    // The newest coroutine of before.
    int64_t last_cid_before_last_event() const { return last_cid_before_it_; }

    Limits& limits() { return limits_; }
    ContextPool& contexts() { return contexts_; }
    loop::MemoryKeeper& memory() { return memory_; }
    // A fatal error is on its way to the main script: nothing else of it runs.
    bool ending() const { return bail_pending_ && bail_hook_ == nullptr; }

    // The end of a script: every waiting coroutine is unwound, unless PHP code must not run any
    // more.
    void end_of_script();
    // What is left of a script when the engine shuts it down.
    void forget_script();
    // In a forked child: forgets the parent's coroutines and loop. The next use makes a new
    // runtime.
    static void after_fork_in_child();
    // From now on children of this process go back to what it is now (os/checkpoint.h): the loop
    // that they find then is this one, with kernel objects of their own. Before that, once:
    // prepare_return(). Outside of coroutines.
    static void prepare_return();
    static void expect_return();
    // Changes with every fork: what the parent's loop watched, the child's does not. Never 0.
    // A coroutine that waits across a fork of its own compares it before and after: what is
    // registered with the loop of before is nothing to be taken out of the new one.
    static uint32_t loop_generation() { return loop_generation_; }
    // Called in the child before the old loop goes, to drop what waits on it. At start-up only.
    static void on_fork(void (*listener)());

    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;
    ~Runtime();

private:
    Runtime();
    static Runtime& create();
    static void fiber_main(zend_fiber_transfer* transfer);

    // This thread alone writes it, so that it reads it like any other member.
    void set_current(Fiber* fiber) {
        std::atomic_ref<Fiber*>(current_).store(fiber, std::memory_order_relaxed);
    }
    WakeReason wait(FiberState state);
    void switch_to(zend_fiber_context* target);
    void announced_switch(zend_fiber_transfer& transfer);
    void unqueue(Fiber& fiber);
    // Below PHP 8.4 the engine forbids Fibers to switch while a destructor runs. Coroutines may,
    // and others must not find it forbidden meanwhile: the count goes with the one that waits.
    // The count is a local of the function that switches, so it lies on the stack that is left.
    static uint32_t lift_blocks();
    static void restore_blocks(uint32_t count);
    static void throw_where_it_waited(Fiber& fiber);
    WakeReason refuse_to_park();
    WakeReason wait_measured();
    void begin_task(Fiber& fiber);
    void run_task(Fiber& fiber);
    Outcome run_guarded(Job& job);
    using Finished = void (*)(Job&, Outcome, zend_object*);
    zend_object* take_exception(Finished finished, Outcome& outcome);
    static void tell_finished(Job& job, Finished finished, Outcome outcome, zend_object* exception);
    static void settle_late_exception(Outcome& outcome);
    void finish_task(Fiber& fiber, Outcome outcome);
    void release(Fiber& fiber);
    void after_bailout(Fiber& fiber);
    void pass_on_bailout();
    void iterate(Nanos max_wait);
    void destroy_waiting();

    static Runtime* instance_;
    static uint32_t loop_generation_;

    std::unique_ptr<loop::Loop> loop_;
    loop::MemoryKeeper memory_;
    ContextPool contexts_;
    Fiber* current_ = nullptr;
    Side main_side_;
    IdMap<Fiber> fibers_;
    int64_t last_cid_ = 0;
    size_t peak_ = 0;
    uint64_t iterations_ = 0;
    Limits limits_;
    ServerRole role_ = ServerRole::kNone;
    bool in_last_event_ = false;
    int64_t last_cid_before_it_ = 0;
    BailHook bail_hook_ = nullptr;
    void* bail_arg_ = nullptr;
    // A coroutine has ended by a fatal error, and the main context has not heard of it yet. The
    // jump (longjmp) ends at the coroutine's entry, since it must not cross stacks; this carries it
    // on from one context to the next, see pass_on_bailout().
    bool bail_pending_ = false;
    bool measures_waits_ = false;
    bool callbacks_in_coroutines_ = true;
    bool in_iteration_ = false;
    bool stop_requested_ = false;
    bool was_stopped_ = false;
    bool script_open_ = false;
    int run_depth_ = 0;
};

// Everything between the engine's VM and its switch is in line: after a switch every return is
// mispredicted, so each function in between would cost as much as the work.
zend_always_inline void Runtime::switch_to(zend_fiber_context* target) {
    zend_fiber_transfer transfer;
    transfer.context = target;
    ZVAL_NULL(&transfer.value);
    transfer.flags = 0;
#ifdef __SANITIZE_ADDRESS__
    announced_switch(transfer);
#else
    if (EXPECTED(switch_functions.jump != nullptr)) {
        switch_directly(transfer);
    } else {
        zend_fiber_switch_context(&transfer);
    }
#endif
}

zend_always_inline void Runtime::resume_now(Fiber& fiber, WakeReason reason) {
    // The side of this coroutine, not of the one that is resumed: it lies in a control block that
    // stays as long as this function is on the stack, or in the Runtime.
    Side& mine = current_side();
    Fiber* resumer = current_;
    uint32_t blocks = zend_fiber_switch_blocked() ? lift_blocks() : 0;
    int error_level = zend::error_level;
    mine.leave();
    if (resumer != nullptr) {
        resumer->execute_data = EG(current_execute_data);
        if (UNEXPECTED(metrics::live_records != 0)) {
            metrics::charge(mine.inheritance.record);
        }
    }
    // A coroutine that is resumed directly may be queued, too, and would be resumed once more by
    // the loop: while it runs, or as the next task of its block.
    if (UNEXPECTED(fiber.ready.linked() | fiber.deadline.armed())) {
        unqueue(fiber);
    }
    fiber.reason = reason;
    fiber.state = FiberState::kRunning;
    // Not this coroutine's own context: a user Fiber inside of it may be what resumes.
    fiber.caller = EG(current_fiber_context);
    set_current(&fiber);
    switch_to(fiber.top);
    // The task may have ended: `fiber` is in the pool then, or runs another task already.
    set_current(resumer);
    if (UNEXPECTED(metrics::live_records != 0)) {
        metrics::charge(nullptr);  // it was charged when it stopped, if anybody was
    }
    zend::error_level = error_level;
    mine.enter();
    if (UNEXPECTED(blocks != 0)) {
        restore_blocks(blocks);
    }
    if (UNEXPECTED(bail_pending_)) {
        pass_on_bailout();
    }
}

zend_always_inline bool Runtime::can_park() const {
    return current_ != nullptr && !(current_->destroying | zend::changing_web_request);
}

zend_always_inline WakeReason Runtime::wait(FiberState state) {
    Fiber& self = *current_;
    self.state = state;
    self.canceled = false;
    // The context of a user Fiber when the coroutine waits inside of one: the switch goes past that
    // Fiber, which never learns of it, and comes back right to it.
    self.top = EG(current_fiber_context);
    self.execute_data = EG(current_execute_data);
    uint32_t blocks = zend_fiber_switch_blocked() ? lift_blocks() : 0;
    int error_level = zend::error_level;
    self.side.leave();
    switch_to(self.caller);
    // `self` is still this coroutine: its block is not given back before its task ends.
    zend::error_level = error_level;
    self.side.enter();
    if (UNEXPECTED(blocks != 0)) {
        restore_blocks(blocks);
    }
    if (UNEXPECTED((self.reason == WakeReason::kDestroyed) | (self.throw_on_resume != nullptr))) {
        throw_where_it_waited(self);
    }
    return self.reason;
}

zend_always_inline WakeReason Runtime::yield() {
    if (UNEXPECTED(!can_park())) {
        return refuse_to_park();
    }
    if (UNEXPECTED(metrics::live_records != 0)) {
        metrics::charge(current_->side.inheritance.record);
    }
    return wait(FiberState::kYielded);
}

zend_always_inline WakeReason Runtime::park_for(Nanos delay) {
    if (UNEXPECTED(!can_park())) {
        return refuse_to_park();
    }
    if (delay != kNever) {
        loop_->arm(current_->deadline, delay);
    }
    if (UNEXPECTED(measures_waits_)) {
        return wait_measured();
    }
    return wait(FiberState::kParked);
}

// A wait of the running coroutine, which counts in the metrics when this ends.
class MeasuredWait {
public:
    explicit MeasuredWait(Fiber& fiber);
    ~MeasuredWait();
    MeasuredWait(const MeasuredWait&) = delete;
    MeasuredWait& operator=(const MeasuredWait&) = delete;

private:
    Fiber& fiber_;
};

// Calls visit() as if the engine were where the coroutine waits (or is, for the current one), for
// traces. The frames of a waiting coroutine stay valid, and visit() must only read them: an
// exception would be sent to the handlers of the wrong frame.
template <typename Visit>
void with_execute_data_of(Fiber& fiber, Visit visit) {
    zend_execute_data* here = EG(current_execute_data);
    if (&fiber != Runtime::get().current()) {
        EG(current_execute_data) = fiber.execute_data;
    }
    visit();
    EG(current_execute_data) = here;
}

// The line of user code where a coroutine is; the text lives as long as that code.
struct Place {
    const char* file;
    uint32_t line;
};
Place place_of(const Fiber& fiber);

// Whether the main script has ended with an error already.
inline bool script_failed() { return EG(exit_status) == 255; }

// Bytes of the PHP stack a coroutine uses now.
size_t vm_stack_usage(const Fiber& fiber);

}  // namespace stampede::runtime
