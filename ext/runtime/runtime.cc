#include "runtime/runtime.h"

#include <pthread.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <vector>

#include "ext/metrics/waits.h"
#include "ini.h"
#include "os/heap.h"
#include "runtime/autoload.h"
#include "runtime/exit_hook.h"
#include "runtime/blocking_watch.h"
#include "runtime/compute_limit.h"
#include "runtime/preempt.h"
#include "runtime/stack_overflow.h"
#include "runtime/starting_frame.h"
#include "runtime/task_end.h"
#include "subsystems.h"
#include "zend/process_end.h"
#include "zend/process_state.h"
#include "zend/throw.h"

namespace stampede::runtime {

Runtime* Runtime::instance_ = nullptr;
uint32_t Runtime::loop_generation_ = 1;

namespace {

// At the end of a script the loop runs by itself until nothing is left.
void register_end_of_script() {
    zval name, callable;
    ZVAL_STRING(&name, "register_shutdown_function");
    ZVAL_STRING(&callable, "Swoole\\Event::rshutdown");
    zval retval;
    ZVAL_UNDEF(&retval);
    call_user_function(nullptr, nullptr, &name, &retval, 1, &callable);
    zval_ptr_dtor(&retval);
    zval_ptr_dtor(&callable);
    zval_ptr_dtor(&name);
}

// How often the stacks that were not needed are looked for: a call of madvise() for each that is
// found, which a burst that comes back would pay with page faults.
constexpr uint64_t kIterationsPerTrim = 256;

// A burst of coroutines that wake lies in as many pages.
template <typename Node>
zend_always_inline void prefetch_around(const Node* upcoming) {
    if (upcoming != nullptr) {
        ContextPool::prefetch(block_around(upcoming));
    }
}

// In the ready phase of the loop, on the main context. After a fatal error of the script the others
// stay where they are: they are unwound, or dropped, with the script.
void on_ready(loop::Task& task) {
    Fiber& fiber = *static_cast<Fiber::ReadyTask&>(task).fiber;
    Runtime& runtime = *Runtime::peek();
    if (EXPECTED(!runtime.ending())) {
        prefetch_around(runtime.loop().upcoming());
        runtime.resume_now(fiber, fiber.reason);
    }
}

// In the timer phase, where no PHP code may run: the coroutine is only queued, and another event of
// the same iteration that came first keeps its reason (see wake()).
void on_deadline(loop::Timer& timer) {
    Runtime& runtime = *Runtime::peek();
    prefetch_around(runtime.loop().timers().upcoming());
    runtime.wake(*static_cast<Fiber::DeadlineTimer&>(timer).fiber, WakeReason::kTimeout);
}

// Of the C library's heap and of the engine's, which keeps chunks of 2 MiB.
loop::HeapView look_at_heap() {
    size_t kept = zend_memory_usage(true) - zend_memory_usage(false);
    return {os::heap_use().free + kept, os::page_faults()};
}

// A callback of a timer: no coroutine runs, so each stack in the pool ends at its saved pointer.
void give_memory_back() {
    zend_mm_gc(zend_mm_get_heap());
    Runtime::get().contexts().trim(ContextPool::kAllCold);
    os::give_back_free_memory();
}

}  // namespace

Runtime::Runtime() : memory_({look_at_heap, give_memory_back}), contexts_(fiber_main) {}

Runtime::~Runtime() = default;

Runtime& Runtime::create() {
    if (instance_ == nullptr) {
        auto loop = loop::Loop::create();
        if (!loop) {
            zend_error_noreturn(E_ERROR, "Stampede: the event loop cannot be created: %s.",
                                strerror(static_cast<int>(loop.error().code())));
        }
        instance_ = new Runtime();
        instance_->loop_ = std::move(*loop);
        os::keep_freed_memory();
        zend::exit_after_script();
        instance_->memory_.start(*instance_->loop_);
        os::install_fault_handler(judge_stack_fault);
        // A child that the script forks by itself must not touch the parent's kernel objects
        // either.
        // Not for a fork from within a coroutine or the loop: such a child either becomes another
        // program at once (proc_open()) or has after_fork_in_child() called by the code that forks.
        pthread_atfork(nullptr, nullptr, [] {
            if (instance_ != nullptr && instance_->current_ == nullptr && !instance_->running()) {
                after_fork_in_child();
            }
        });
    }
    instance_->script_open_ = true;
    start_blocking_watch();
    if (ext::settings().enable_preemptive_scheduler) {
        enable_preemption();
    }
    sides_start(instance_->main_side_);
    register_end_of_script();
    return *instance_;
}

// ---- switching
// -----------------------------------------------------------------------------------------------

void Runtime::unqueue(Fiber& fiber) {
    fiber.ready.unlink();
    if (fiber.deadline.armed()) {
        loop_->disarm(fiber.deadline);
    }
}

void Runtime::throw_where_it_waited(Fiber& fiber) {
    if (fiber.reason == WakeReason::kDestroyed) {
        zend_throw_graceful_exit();
        return;
    }
    zend_class_entry* ce = fiber.throw_on_resume;
    fiber.throw_on_resume = nullptr;
    if (EG(exception) != nullptr && EG(exception)->ce == ce) {
        return;  // cleaning up after the same: it would become the previous one of itself
    }
    bool timed_out = ce == zend::error_classes.timeout_exception;
    zend_throw_exception(ce, timed_out ? "coroutine time limit exceeded" : "operation canceled", 0);
}

// The engine counts how often switching has been forbidden (zend_fiber_switch_block()) and takes
// the count back itself when the destructor returns. So it must be as high then as it was.
uint32_t Runtime::lift_blocks() {
    uint32_t count = 0;
    while (zend_fiber_switch_blocked()) {
        zend_fiber_switch_unblock();
        count++;
    }
    return count;
}

void Runtime::restore_blocks(uint32_t count) {
    for (; count > 0; count--) {
        zend_fiber_switch_block();
    }
}

WakeReason Runtime::refuse_to_park() {
    if (current_ != nullptr) {
        zend_throw_graceful_exit();  // it is being destroyed
        return WakeReason::kDestroyed;
    }
    zend::throw_error(zend::error_classes.error, 10001, "API must be called in the coroutine");
    return WakeReason::kCancelled;
}

// The kind is taken before: what the coroutine wakes up to may have changed its frame's object.
MeasuredWait::MeasuredWait(Fiber& fiber) : fiber_(fiber) {
    if (UNEXPECTED(metrics::live_records != 0)) {
        metrics::charge(fiber.side.inheritance.record);
    }
    metrics::WaitKind kind = metrics::take_expected_wait();
    fiber.waits_for =
        kind != metrics::WaitKind::kCount ? kind : metrics::kind_of_wait(EG(current_execute_data));
    fiber.waits_since = monotonic_now();
}

MeasuredWait::~MeasuredWait() {
    Nanos duration = monotonic_now() - fiber_.waits_since;
    fiber_.waits_since = 0;
    metrics::count_wait(fiber_.waits_for, duration);
    if (UNEXPECTED(metrics::live_records != 0)) {
        metrics::charge(nullptr);  // what others have computed meanwhile
        if (fiber_.side.inheritance.record != nullptr) {
            fiber_.side.inheritance.record->add(fiber_.waits_for, duration);
        }
    }
}

WakeReason Runtime::wait_measured() {
    MeasuredWait measured(*current_);
    return wait(FiberState::kParked);
}

WakeReason Runtime::park(Nanos deadline) {
    return park_for(deadline == kNever ? kNever : deadline - monotonic_now());
}

// The state kParked comes after the task is queued: nothing can run in between, and wake() leaves a
// queued coroutine alone, so that nothing but the ready phase ends this wait.
void Runtime::make_room() {
    loop_->enqueue(current_->ready);
    current_->reason = WakeReason::kReady;
    if (UNEXPECTED(metrics::live_records != 0)) {
        metrics::charge(current_->side.inheritance.record);
    }
    wait(FiberState::kParked);
}

void Runtime::wake(Fiber& fiber, WakeReason reason) {
    if (!fiber.waiting() || fiber.ready.linked()) {
        return;
    }
    fiber.reason = reason;
    fiber.wait.unlink();
    loop_->enqueue(fiber.ready);
}

// False for one that is already queued, too: what it waited for has happened, and that is how its
// wait ends.
bool Runtime::cancel(Fiber& fiber) {
    if (!fiber.waiting() || fiber.ready.linked()) {
        return false;
    }
    fiber.canceled = true;
    wake(fiber, WakeReason::kCancelled);
    return true;
}

// ---- one task
// ------------------------------------------------------------------------------------------------

// What the job has thrown, for its own end; without one it is settled here.
zend_always_inline zend_object* Runtime::take_exception(Finished finished, Outcome& outcome) {
    zend_object* exception = EG(exception);
    if (EXPECTED(exception == nullptr)) {
        return nullptr;
    }
    if (finished == nullptr) {
        outcome = settle(outcome);
        return nullptr;
    }
    EG(exception) = nullptr;
    return exception;
}

zend_always_inline void Runtime::tell_finished(Job& job, Finished finished, Outcome outcome,
                                               zend_object* exception) {
    if (finished != nullptr) {
        finished(job, outcome, exception);
        if (exception != nullptr) {
            OBJ_RELEASE(exception);
        }
    }
}

// Thrown by what ends a task, after its own code. A fatal error of that code stays what it is.
zend_always_inline void Runtime::settle_late_exception(Outcome& outcome) {
    if (UNEXPECTED(EG(exception) != nullptr)) {
        Outcome late = settle(zend::outcome_of_exception());
        outcome = outcome == Outcome::kBailed ? outcome : late;
    }
}

int64_t Runtime::spawn(Job& job) {
    if (UNEXPECTED(fibers_.size() >= limits_.max_coroutines)) {
        return kErrorLimit;
    }
    Fiber* fiber = contexts_.take();
    if (UNEXPECTED(fiber == nullptr)) {
        return kErrorMemory;
    }
    int64_t cid = ++last_cid_;
    fiber->cid = cid;
    fiber->ready.run = on_ready;
    fiber->deadline.on_fire = on_deadline;
    fiber->parent_cid = current_cid();
    // Inside an iteration its time is near enough, and for nothing.
    fiber->started_at = in_iteration_ ? loop_->iteration_time() : monotonic_now();
    fiber->job = &job;
    fiber->top = &fiber->context;
    Inheritance& creators = current_side().inheritance;
    if (UNEXPECTED(!creators.is_empty())) {
        fiber->side.inheritance = creators.copy();
    }
    fibers_.insert(cid, fiber);
    if (fibers_.size() > peak_) {
        peak_ = fibers_.size();
    }
    if (UNEXPECTED(fiber->context.status == ZEND_FIBER_STATUS_INIT)) {
        StartingFrame frame;
        resume_now(*fiber, WakeReason::kReady);
    } else {
        resume_now(*fiber, WakeReason::kReady);
    }
    if (fiber->state != FiberState::kFree) {
        contexts_.prefetch_ahead();
    }
    return cid;
}

int64_t Runtime::start_callback(Job& job) {
    if (EXPECTED(callbacks_in_coroutines_) || current_ != nullptr) {
        return spawn(job);
    }
    run_here(job);
    return 0;
}

// After a fatal error the frames of the failed code are left where they are, and the engine's stack
// is as it was before: zend_bailout() jumps here without popping a frame and sets
// EG(current_execute_data) to null. Whatever of C++ was alive in job.run() is not destroyed.
// `outcome` is volatile because setjmp() returns twice: in a register it could have the value of
// before the jump.
Outcome Runtime::run_guarded(Job& job) {
    volatile Outcome outcome = Outcome::kBailed;
    zend::StackMark mark;
    zend_try {
        job.run(job);
        outcome = zend::outcome_of_exception();
    }
    zend_catch {
        mark.restore();
        EG(exception) = nullptr;
    }
    zend_end_try();
    return outcome;
}

void Runtime::run_here(Job& job) {
    auto* finished = job.finished;
    Outcome outcome = run_guarded(job);
    zend_object* exception = take_exception(finished, outcome);
    tell_finished(job, finished, outcome, exception);
    settle_late_exception(outcome);
    if (UNEXPECTED(outcome == Outcome::kBailed)) {
        forget_memory_limit();
        bail_pending_ = true;
        pass_on_bailout();
    }
}

// The engine's switch has left the creator's values in place; a new coroutine starts from its own.
// Each value that zend_fiber_switch_context() saves and restores must be set here: a context that
// begins has nothing to restore, and with one that is forgotten the coroutine goes on in the PHP
// stack, or below the stack limit, of whatever has created it. EG(bailout) is set by fiber_main().
void Runtime::begin_task(Fiber& fiber) {
    zend_vm_stack page = fiber.vm_page;
    auto* bottom = reinterpret_cast<zend_execute_data*>(ZEND_VM_STACK_ELEMENTS(page));
    EG(vm_stack) = page;
    EG(vm_stack_top) = reinterpret_cast<zval*>(bottom) + ZEND_CALL_FRAME_SLOT;
    EG(vm_stack_end) = page->end;
    EG(vm_stack_page_size) = kVmPageBytes;
    EG(current_execute_data) = bottom;
    // The creator's, but a coroutine made within "@" is not silent itself.
    EG(error_reporting) = zend::error_level;
    EG(jit_trace_num) = 0;
    EG(active_fiber) = nullptr;
#ifdef ZEND_CHECK_STACK_LIMIT
    if (fiber.stack_base != nullptr) {
        // The C stack begins below the control block and grows down.
        EG(stack_base) = reinterpret_cast<char*>(&fiber);
        EG(stack_limit) = fiber.stack_base + EG(reserved_stack_size);
    } else {  // a context of the engine's making
        EG(stack_base) = zend_fiber_stack_base(fiber.context.stack);
        EG(stack_limit) = zend_fiber_stack_limit(fiber.context.stack);
    }
#endif
    fiber.side.begin();
}

void Runtime::run_task(Fiber& fiber) {
    begin_task(fiber);
    Job& job = *fiber.job;
    // From here on `job` is only good for what its owner promises: with `finished` it stays until
    // that was called, without it (go()) it lay in the frame of the creator.
    fiber.finished = job.finished;  // the job of go() is gone when its code first waits
    job.run(job);
    Outcome outcome = zend::outcome_of_exception();
    bool may_run_code = outcome != Outcome::kBailed;
    zend_object* exception = take_exception(fiber.finished, outcome);
    if (UNEXPECTED(fiber.defer_count > 0) && may_run_code) {
        run_defers(fiber);
    }
    tell_finished(job, fiber.finished, outcome, exception);
    finish_task(fiber, outcome);
}

// The order: the context object first, since its destructor may still use handlers and buffers of
// the coroutine; then what it or a deferred call has thrown, since no handler of output is called
// while an exception is under way; then the side, which flushes the buffers; then what that has
// thrown. After release() nothing of the coroutine may be touched.
void Runtime::finish_task(Fiber& fiber, Outcome outcome) {
    if (UNEXPECTED(fiber.context_object != nullptr)) {
        zend_object* object = fiber.context_object;
        fiber.context_object = nullptr;
        OBJ_RELEASE(object);
    }
    if (UNEXPECTED(!fiber.side.inheritance.is_empty())) {
        fiber.side.inheritance.drop();
    }
    settle_late_exception(outcome);
    if (UNEXPECTED(outcome == Outcome::kBailed)) {
        main_side_.inherit_request(fiber.side);
        end_buffers_after_fatal_error();
    }
    fiber.side.end();
    settle_late_exception(outcome);
    if (UNEXPECTED(outcome == Outcome::kBailed)) {
        forget_memory_limit();
        bail_pending_ = true;
    }
    release(fiber);
}

// From here on the block can serve the next task; the caller switches away at once. It still stands
// on the stack of that block: nothing between here and the switch may start a coroutine, which
// could get this very block, or trim the pool. `caller` is read after it and so is not reset.
void Runtime::release(Fiber& fiber) {
    if (UNEXPECTED(fiber.defers != nullptr)) {
        drop_defers(fiber);
    }
    if (UNEXPECTED(fiber.joiners != nullptr)) {
        wake_joiners(fiber);
    }
    if (UNEXPECTED(fiber.time_limit != nullptr)) {
        drop_time_limit(fiber);
    }
    if (UNEXPECTED(fiber.reserve != StackReserve::kClosed)) {
        close_stack_reserve(fiber);
    }
    fibers_.erase(fiber.cid);
    fiber.state = FiberState::kFree;
    fiber.canceled = fiber.destroying = fiber.waits_in_calls = fiber.out_of_time =
        fiber.in_observer = false;
    fiber.preemptible = true;
    fiber.compute_until = 0;
    fiber.throw_on_resume = nullptr;
    contexts_.give(fiber);
}

// A fatal error has jumped out of the coroutine's code: none of it may run any more, handlers of
// its output aside. What the jump has left behind is put right here, for it passes over all
// destructors: the PHP stack (whose frames keep their references; the memory goes with the script),
// output buffers, the node of what the coroutine waited for, forbidden switches, classes that it
// was loading. zend_bailout() has also called gc_protect(): no cycles are collected in this process
// until the script ends, which for a worker is soon, since it is replaced.
void Runtime::after_bailout(Fiber& fiber) {
    EG(vm_stack) = fiber.vm_page;
    EG(current_execute_data) =
        reinterpret_cast<zend_execute_data*>(ZEND_VM_STACK_ELEMENTS(fiber.vm_page));
    EG(exception) = nullptr;
    fiber.wait.unlink();
    forget_compute_limit(fiber.cid);  // it would be told that its time is over, by an exception
    lift_blocks();
    end_buffers_after_fatal_error();
    forget_loads_of(fiber.cid);
    if (fiber.finished != nullptr) {
        zend_try { fiber.finished(*fiber.job, Outcome::kBailed, nullptr); }
        zend_end_try();
    }
    fiber.context_object = nullptr;  // its memory goes with the request's
    fiber.defer_count = 0;
    fiber.side.inheritance.abandon();
    main_side_.inherit_request(fiber.side);
    fiber.side.discard();
    forget_memory_limit();
    bail_pending_ = true;
    release(fiber);
    EG(exception) = nullptr;  // of a handler of output: the main context has nobody to catch it
}

// Carries a fatal error from the coroutine that met it to the main context, one stack at a time:
//
//   coroutine B fails     jump to its entry; bail_pending_; switch to its caller A
//   A, in resume_now()    script: zend_bailout(), so that A ends in the same way
//                         server: goes on, since its own code has not failed
//   main, in an iteration   the loop must return first: its lists are in the middle of a walk
//   main, after it          script: zend_bailout(), to PHP's own end of a script
//                           server: the hook, which replaces the worker in peace
void Runtime::pass_on_bailout() {
    if (current_ != nullptr) {
        if (bail_hook_ == nullptr) {
            zend_bailout();  // the coroutine that resumed the failed one ends with the script
        }
        return;
    }
    if (bail_hook_ != nullptr) {
        bail_pending_ = false;
        CG(unclean_shutdown) = 0;
        bail_hook_(bail_arg_);
        return;
    }
    if (!in_iteration_) {
        bail_pending_ = false;
        zend_bailout();
    }
}

// A context's whole life: one task after another, its stacks kept between them.
//
//   zend_first_try                sets EG(bailout) to the buffer in this frame
//     run_task()                  a fatal error in it jumps to zend_catch
//     switch_to(caller)           back with the next task of this context
//   zend_catch                    after_bailout(), and around once more: the buffer is used up
//
// It never returns: below this frame is only arrive(). The Fiber is taken from current_ each time,
// because after a jump the locals of this frame have no certain value.
void Runtime::fiber_main(zend_fiber_transfer*) {
    for (;;) {
        zend_first_try {
            for (;;) {
                Fiber& fiber = *instance_->current_;
                instance_->run_task(fiber);
                instance_->switch_to(fiber.caller);
            }
        }
        zend_catch {
            Fiber& fiber = *instance_->current_;
            instance_->after_bailout(fiber);
            instance_->switch_to(fiber.caller);
        }
        zend_end_try();
    }
}

// ---- the loop
// ------------------------------------------------------------------------------------------------

void Runtime::iterate(Nanos max_wait) {
    in_iteration_ = true;
    loop_->run_once(max_wait);
    in_iteration_ = false;
    if (UNEXPECTED(++iterations_ % kIterationsPerTrim == 0)) {
        contexts_.trim(ContextPool::kFewCold);
    }
    // Between two runs of PHP code nothing else looks at the flag: a signal that came while the
    // loop waited would have its handler called at the next function call of some coroutine. A time
    // limit is left to running code, which its error message names.
    if (UNEXPECTED(zend_atomic_bool_load_ex(&EG(vm_interrupt))) &&
        zend_interrupt_function != nullptr && EG(current_execute_data) != nullptr &&
        !zend_atomic_bool_load_ex(&EG(timed_out))) {
        zend_atomic_bool_store_ex(&EG(vm_interrupt), false);
        zend_interrupt_function(EG(current_execute_data));  // signal handlers of the script
    }
}

// After each iteration all that ends the loop is looked at again: any coroutine may have set it. An
// exception on the main context comes from a callback that runs outside coroutines.
void Runtime::run_until(bool (*done)(void*), void* arg) {
    run_depth_++;
    stop_requested_ = false;
    while (!bail_pending_ && !stop_requested_ && EG(exception) == nullptr && loop_->has_work() &&
           (done == nullptr || !done(arg))) {
        iterate(kNever);
    }
    was_stopped_ = stop_requested_;
    stop_requested_ = false;
    run_depth_--;
    if (UNEXPECTED(bail_pending_)) {
        pass_on_bailout();
    }
}

void Runtime::run_iteration() {
    run_depth_++;
    iterate(loop_->has_work() ? kNever : 0);
    run_depth_--;
    if (UNEXPECTED(bail_pending_)) {
        pass_on_bailout();
    }
}

void Runtime::iterate_once(Nanos max_wait) {
    run_depth_++;
    iterate(max_wait);
    run_depth_--;
    if (UNEXPECTED(bail_pending_)) {
        pass_on_bailout();
    }
}

// ---- the end of a script
// -------------------------------------------------------------------------------------

// By numbers, oldest first, and each looked up anew: a coroutine that is unwound may end others,
// and its finally blocks and destructors may start or wake some. `destroying` makes every further
// wait of it fail at once, so that this returns.
void Runtime::destroy_waiting() {
    // Code that is being unwound may start coroutines; those are unwound too, but not for ever.
    for (int round = 0; round < 16 && fibers_.size() > 0; round++) {
        std::vector<int64_t> waiting;
        fibers_.each([&](int64_t cid, Fiber& fiber) {
            if (fiber.waiting()) {
                waiting.push_back(cid);
            }
        });
        std::sort(waiting.begin(), waiting.end());
        for (int64_t cid : waiting) {
            Fiber* fiber = fibers_.find(cid);
            if (fiber != nullptr && fiber->waiting()) {
                fiber->wait.unlink();
                fiber->destroying = true;
                resume_now(*fiber, WakeReason::kDestroyed);
            }
        }
    }
}

// Before the engine destroys objects and variables, which the frames of waiting coroutines hold.
// After a fatal error (unclean_shutdown) no PHP code may run: their stacks are left as they are,
// and the engine frees the memory of the script as a whole.
void Runtime::end_of_script() {
    if (current_ == nullptr && !CG(unclean_shutdown) && fibers_.size() > 0) {
        in_iteration_ = true;  // a fatal error in here must not jump over the rest
        destroy_waiting();
        in_iteration_ = bail_pending_ = false;
    }
    if (!CG(unclean_shutdown)) {
        main_side_.inheritance.drop();
    }
}

// The blocks stay in the pool, with whatever their stacks held: emalloc()ed memory that only a
// stack pointed to goes with the script's heap. The loop stays, too: what the next script registers
// is new.
void Runtime::forget_script() {
    fibers_.each([](int64_t, Fiber& fiber) { fiber.side.inheritance.abandon(); });
    fibers_.clear();
    main_side_.inheritance.abandon();
    if (!CG(unclean_shutdown)) {
        sides_stop(main_side_);
    }
    contexts_.end_of_script();
    set_current(nullptr);
    bail_pending_ = in_iteration_ = false;
    bail_hook_ = nullptr;
    script_open_ = false;
}

Place place_of(const Fiber& fiber) {
    bool running = Runtime::get().current() == &fiber;
    for (zend_execute_data* frame = running ? EG(current_execute_data) : fiber.execute_data;
         frame != nullptr; frame = frame->prev_execute_data) {
        // The API's own classes in PHP are not its author's.
        if (frame->func != nullptr && ZEND_USER_CODE(frame->func->type) &&
            !zend_string_starts_with_literal(frame->func->op_array.filename, "stampede://")) {
            return {ZSTR_VAL(frame->func->op_array.filename), frame->opline->lineno};
        }
    }
    return {"[internal function]", 0};
}

size_t vm_stack_usage(const Fiber& fiber) {
    bool is_current = &fiber == Runtime::get().current();
    const char* top =
        is_current ? reinterpret_cast<const char*>(EG(vm_stack_top))
                   : reinterpret_cast<const char*>(fiber.execute_data) + sizeof(zend_execute_data);
    auto* page = reinterpret_cast<const char*>(fiber.vm_page);
    bool in_first_page = top >= page && top <= reinterpret_cast<const char*>(fiber.vm_page->end);
    return in_first_page ? static_cast<size_t>(top - page) : kVmPageBytes;
}

}  // namespace stampede::runtime

namespace stampede::ext {

using runtime::Runtime;

// The interrupt functions form a chain in which each first calls the one that was installed before
// it: the watchdog's fatal error, stacks that are full, limits of computing, preemption, the report
// of a blocking call. They are taken out in reverse order. All of them stand before opcache starts
// its JIT, which compiles the address of zend_interrupt_function (see process_state.h).
zend_result runtime_minit(int, int) {
    runtime::find_switch_functions();
    runtime::install_exit_hook();
    runtime::install_autoload_hook();
    zend::watch_error_level();
    zend::install_interrupt();
    runtime::install_stack_overflow();
    runtime::install_compute_limits();
    runtime::install_preemption();
    runtime::install_blocking_watch();
    return SUCCESS;
}

zend_result runtime_rinit(int, int) {
    zend::begin_error_level();
    return SUCCESS;
}

zend_result runtime_mshutdown(int, int) {
    runtime::remove_blocking_watch();
    runtime::remove_preemption();
    runtime::remove_compute_limits();
    runtime::remove_stack_overflow();
    zend::remove_interrupt();
    runtime::remove_autoload_hook();
    runtime::remove_exit_hook();
    return SUCCESS;
}

zend_result runtime_rshutdown(int, int) {
    if (Runtime* runtime = Runtime::peek(); runtime != nullptr && runtime->script_is_open()) {
        runtime->end_of_script();
        runtime->forget_script();
    }
    return SUCCESS;
}

}  // namespace stampede::ext
