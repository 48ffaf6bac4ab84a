#include "runtime/task_end.h"

#include <utility>

#include "runtime/runtime.h"
#include "zend/throw.h"

namespace stampede::runtime {

// On the heap, since few coroutines have one; disarmed and freed before the block goes back to the
// pool: a timer that is left armed would end the next task.
struct TimeLimit : loop::Timer {
    Fiber* fiber;
};

void add_defer(Fiber& fiber, const zend::Callable& callable) {
    if (fiber.defer_count == fiber.defer_capacity) {
        uint32_t capacity = fiber.defer_capacity == 0 ? 4 : fiber.defer_capacity * 2;
        fiber.defers = static_cast<zend::Callable*>(
            safe_erealloc(fiber.defers, capacity, sizeof(zend::Callable), 0));
        fiber.defer_capacity = capacity;
    }
    fiber.defers[fiber.defer_count++] = callable;
}

// A destructor of a dropped callback may add another one: the loop looks at the count each time.
void drop_defers(Fiber& fiber) {
    while (fiber.defer_count > 0) {
        zend::Callable callable = fiber.defers[--fiber.defer_count];
        callable.release();
    }
    zval_ptr_dtor(&fiber.result);
    ZVAL_UNDEF(&fiber.result);
    if (fiber.defers != nullptr) {
        efree(fiber.defers);
        fiber.defers = nullptr;
        fiber.defer_capacity = 0;
    }
}

void keep_result(const zval& result) {
    Fiber* self = Runtime::get().current();  // null for a callback outside of coroutines
    if (UNEXPECTED(self != nullptr && self->defer_count > 0)) {
        zval_ptr_dtor(&self->result);
        ZVAL_COPY(&self->result, Z_ISREF(result) ? Z_REFVAL(result) : &result);
    }
}

// Also after an exception that nobody caught: locks and connections are given back by these calls.
// Not when the coroutine is being destroyed or the script left: no PHP code may run then, and
// drop_defers() releases them uncalled. A deferred call may wait and add others; the loop reads the
// list anew each time.
void run_defers(Fiber& fiber) {
    zend_object* uncaught = EG(exception);
    if (uncaught != nullptr && (zend_is_unwind_exit(uncaught) || zend_is_graceful_exit(uncaught))) {
        return;
    }
    zend::ExceptionsOfSteps exceptions;
    zval result;
    ZVAL_COPY_VALUE(&result, &fiber.result);
    ZVAL_UNDEF(&fiber.result);
    if (Z_TYPE(result) == IS_UNDEF) {
        ZVAL_NULL(&result);
    }
    while (fiber.defer_count > 0 && EG(exception) == nullptr) {
        zend::Callable callable = fiber.defers[--fiber.defer_count];
        zend::call(callable, 1, &result, nullptr);
        callable.release();
    }
    zval_ptr_dtor(&result);
}

namespace {

// A server's process lives on with the requests beside it, a script does not.
bool script_would_end() {
    Runtime* runtime = Runtime::peek();
    return runtime == nullptr || !runtime->outlives_fatal_errors();
}

Outcome end_script_or(Outcome outcome) { return script_would_end() ? Outcome::kBailed : outcome; }

// The engine's own call drops what the handler throws: it counts on the handler having no frame
// below it, where the engine reports an exception at once.
Outcome call_exception_handler() {
    zval exception;
    ZVAL_OBJ(&exception, std::exchange(EG(exception), nullptr));
    zend::Callable handler;
    if (!zend::Callable::hold(&EG(user_exception_handler), handler)) {
        EG(exception) = Z_OBJ(exception);
        return Outcome::kThrew;
    }
    zend::call(handler, 1, &exception, nullptr);
    handler.release();
    zval_ptr_dtor(&exception);
    return zend::outcome_of_exception();
}

// Without a frame, as PHP reports it at the end of a script: then what __toString() of the
// exception throws is reported in its place, and left by a jump, which ends here.
void print_uncaught() {
    zend::StackMark mark;
    EG(current_execute_data) = nullptr;
    zend_try { zend_exception_error(EG(exception), E_ERROR); }
    zend_end_try();
    mark.restore();
    EG(exception) = nullptr;
    EG(exit_status) = 255;
}

// exit() in a coroutine of a script: what it was given becomes the status of the process or is
// printed, when the script ends. Nothing else of the exception is shown. To print may run a handler
// of output, and a destructor may throw: that is under way afterwards.
void obey_exit(zend_object* exception) {
    if (zend::is_exit_exception(exception)) {
        zval place;
        zval* status = zend_read_property(exception->ce, exception, ZEND_STRL("status"), 1, &place);
        if (Z_TYPE_P(status) == IS_LONG) {
            EG(exit_status) = static_cast<int>(Z_LVAL_P(status));
        } else if (Z_TYPE_P(status) != IS_NULL) {
            zend_string* text = zval_get_string(status);
            php_output_write(ZSTR_VAL(text), ZSTR_LEN(text));
            zend_string_release(text);
        }
    }
    OBJ_RELEASE(exception);
}

// What unwinds but is no exit() of a coroutine ends a script: the engine's own, of assert.bail.
Outcome settle_exit() {
    zend_object* exception = std::exchange(EG(exception), nullptr);
    bool of_engine = zend_is_unwind_exit(exception);
    obey_exit(exception);
    return of_engine ? end_script_or(Outcome::kExited) : Outcome::kExited;
}

// The handler set by the script, or PHP's fatal error. As in PHP the script ends after the handler,
// too, with the status that it has then.
Outcome report_uncaught() {
    Outcome outcome = Outcome::kThrew;
    if (Z_TYPE(EG(user_exception_handler)) != IS_UNDEF) {
        outcome = call_exception_handler();
    }
    switch (outcome) {
        case Outcome::kReturned:
            return end_script_or(outcome);
        case Outcome::kThrew:
            print_uncaught();
            return Outcome::kBailed;
        case Outcome::kExited:
            return end_script_or(settle_exit());
        default:
            zend_clear_exception();
            return outcome;
    }
}

}  // namespace

Outcome settle(Outcome outcome) {
    switch (outcome) {
        case Outcome::kThrew:
            return report_uncaught();
        case Outcome::kExited:
            return settle_exit();
        default:
            zend_clear_exception();
            return outcome;
    }
}

void set_time_limit(Fiber& fiber, Nanos delay) {
    loop::Loop& loop = Runtime::get().loop();
    if (fiber.time_limit == nullptr) {
        fiber.time_limit = new TimeLimit();
        fiber.time_limit->fiber = &fiber;
        fiber.time_limit->on_fire = [](loop::Timer& timer) {
            Fiber& late = *static_cast<TimeLimit&>(timer).fiber;
            // Set even where wake() does nothing, because it is queued already: the limit is over
            // all the same.
            late.throw_on_resume = zend::error_classes.timeout_exception;
            Runtime::get().wake(late, WakeReason::kTimeout);
        };
    }
    loop.arm(*fiber.time_limit, delay);
}

void drop_time_limit(Fiber& fiber) {
    Runtime::get().loop().disarm(*fiber.time_limit);
    delete fiber.time_limit;
    fiber.time_limit = nullptr;
}

// The watches lie in frames of the waiting coroutines, which stay until each of them has unlinked
// its own: so waking only queues here, and the list is not used after it. `target` is cleared so
// that a waiter that is woken for another reason does not unlink itself from a fiber that is
// another's by then.
void wake_joiners(Fiber& fiber) {
    JoinWatch* watch = fiber.joiners;
    fiber.joiners = nullptr;
    while (watch != nullptr) {
        JoinWatch* next = watch->next;
        watch->target = nullptr;
        if (--watch->waiter->joined_remaining == 0) {
            Runtime::get().wake(*watch->waiter, WakeReason::kReady);
        }
        watch = next;
    }
}

void link_joiner(JoinWatch& watch) {
    watch.next = watch.target->joiners;
    watch.target->joiners = &watch;
}

void unlink_joiner(JoinWatch& watch) {
    if (watch.target == nullptr) {
        return;
    }
    JoinWatch** link = &watch.target->joiners;
    while (*link != &watch) {
        link = &(*link)->next;
    }
    *link = watch.next;
}

}  // namespace stampede::runtime
