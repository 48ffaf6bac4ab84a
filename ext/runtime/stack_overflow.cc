#include "runtime/stack_overflow.h"

#include <atomic>
#include <cstdint>
#include <cstdio>

#include "os/stack_slabs.h"
#include "runtime/context_pool.h"
#include "runtime/runtime.h"
#include "zend/throw.h"

namespace stampede::runtime {
namespace {

constexpr size_t kForError = 64 * 1024;
constexpr size_t kForFatalError = 48 * 1024;
static_assert(kForError + kForFatalError < os::kStackGuardBytes);
// A function whose frame begins above the guard touches it no further away than that; a stray
// pointer that happens to lead there is no overflow.
constexpr ptrdiff_t kMostFrame = 256 * 1024;
// Above the guard: a page of the stack that is watched while the reserve is open. Who writes to it
// has come back from below, or is on the way down once more.
constexpr size_t kWatchedAt = 32 * 1024;
// Below its stack pointer a function may keep what it needs while it calls no other.
constexpr size_t kRedZone = 128;

void (*previous)(zend_execute_data*);

void interrupt() { zend_atomic_bool_store_ex(&EG(vm_interrupt), true); }

size_t stack_kib(const Fiber& fiber) { return fiber.stack_size / 1024; }

// Entered by the signal handler's return, in the middle of whatever has filled the stack: it is as
// if the engine's allocator had met the memory limit there.
void end_by_fatal_error() {
    const Fiber& fiber = *Runtime::peek()->current();
    char message[192];
    snprintf(
        message, sizeof(message),
        "Coroutine #%ld has filled its C stack of %zu KiB: endless recursion, or values nested "
        "too deep; the option stack_size gives it more",
        static_cast<long>(fiber.cid), stack_kib(fiber));
    zend::leave_by_fatal_error(message);
}

void throw_stack_error(const Fiber& fiber, zend_execute_data* frame) {
    zend_throw_error(
        nullptr,
        "The C stack of %zu KiB is full: endless recursion, or values nested too deep; "
        "the option stack_size gives a coroutine more",
        stack_kib(fiber));
    zend::go_to_handlers(frame);
}

// Between two instructions.
void on_interrupt(zend_execute_data* frame) {
    if (previous != nullptr) {
        previous(frame);
    }
    Runtime* runtime = Runtime::peek();
    Fiber* self = runtime != nullptr ? runtime->current() : nullptr;
    if (EXPECTED(self == nullptr || self->reserve == StackReserve::kClosed)) {
        return;
    }
    if (self->reserve == StackReserve::kOpened && EG(exception) == nullptr) {
        self->reserve = StackReserve::kThrown;
        throw_stack_error(*self, frame);
    }
}

bool is_watched(const Fiber& fiber, const char* at) {
    const char* page = fiber.stack_base + kWatchedAt;
    return fiber.reserve != StackReserve::kClosed && at >= page && at < page + os::page_size();
}

void close_reserves(const Fiber& fiber) {
    (void)os::close_guard(fiber.stack_base - kForError - kForFatalError,
                          kForError + kForFatalError);
}

// Code that has caught the Error may fill the stack once more, and then has the same reserve.
void leave_reserve(Fiber& fiber, const char* stack) {
    (void)os::open_guard(fiber.stack_base + kWatchedAt, os::page_size());
    if (stack - kRedZone >= fiber.stack_base) {
        fiber.reserve = StackReserve::kClosed;
        close_reserves(fiber);
    }
}

bool enter_reserve(Fiber& fiber) {
    if (os::open_guard(fiber.stack_base - kForError, kForError)) {
        return false;
    }
    (void)os::forbid_writes(fiber.stack_base + kWatchedAt, os::page_size());
    fiber.reserve = StackReserve::kOpened;
    interrupt();
    return true;
}

bool enter_last_reserve(const Fiber& fiber) {
    return !os::open_guard(fiber.stack_base - kForError - kForFatalError, kForFatalError);
}

}  // namespace

// In the handler of SIGSEGV, on a stack of its own: it may only read what the thread that has
// faulted has written, and nothing may allocate or lock. snprintf() with these conversions does
// neither in glibc and musl, though no standard says so.
void judge_stack_fault(const void* address, const void* stack, os::FaultAnswer& answer) {
    using Kind = os::FaultAnswer::Kind;
    Runtime* runtime = Runtime::peek();
    Fiber* fiber = runtime != nullptr ? runtime->current() : nullptr;
    if (fiber == nullptr || fiber->stack_base == nullptr) {
        return;
    }
    auto* at = static_cast<const char*>(address);
    auto* top = static_cast<const char*>(stack);
    if (is_watched(*fiber, at)) {
        leave_reserve(*fiber, top);
        answer.kind = Kind::kRetry;
        return;
    }
    if (!ContextPool::in_guard(*fiber, at)) {
        return;
    }
    bool may_go_on = top != nullptr && at - top > -kMostFrame && at - top < kMostFrame;
    const char* first = fiber->stack_base - kForError;
    if (may_go_on && at >= first && enter_reserve(*fiber)) {
        answer.kind = Kind::kRetry;
        return;
    }
    if (may_go_on && at >= first - kForFatalError && enter_last_reserve(*fiber)) {
        answer.kind = Kind::kDivert;
        answer.divert = end_by_fatal_error;
        return;
    }
    int length = snprintf(answer.line, sizeof(answer.line),
                          "Stampede: coroutine #%ld overflowed its C stack of %zu KiB: look for "
                          "endless recursion, or raise the option stack_size.\n",
                          static_cast<long>(fiber->cid), stack_kib(*fiber));
    answer.kind = Kind::kFatal;
    answer.length = length > 0 ? static_cast<size_t>(length) : 0;
}

void close_stack_reserve(Fiber& fiber) {
    fiber.reserve = StackReserve::kClosed;
    (void)os::open_guard(fiber.stack_base + kWatchedAt, os::page_size());
    close_reserves(fiber);
}

void install_stack_overflow() {
    previous = zend_interrupt_function;
    zend_interrupt_function = on_interrupt;
}

void remove_stack_overflow() {
    if (zend_interrupt_function == on_interrupt) {
        zend_interrupt_function = previous;
    }
}

}  // namespace stampede::runtime
