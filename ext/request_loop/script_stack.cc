#include "request_loop/script_stack.h"

#include <cstdint>
#include <cstdio>

#include "os/fault_handler.h"
#include "os/main_stack.h"
#include "request_loop/sapi.h"
#include "zend/php.h"
#include "zend/throw.h"

namespace stampede::request_loop {
namespace {

constexpr size_t kForError = 64UL * 1024;
constexpr size_t kForFatalError = 128UL * 1024;  // shutdown functions run below what is left behind
constexpr size_t kRoom = 1UL << 20;  // for all Errors that one script catches, and the fatal error
// How far from its stack pointer a function may touch its frame first.
constexpr ptrdiff_t kMostFrame = 256 * 1024;

enum class Overflow {
    kNone,     // or the Error was thrown: the next one is another
    kToThrow,  // the C code that has filled the stack goes on until it comes to PHP code
    kIsFatal,
};

os::MainStack stack;
size_t room = kRoom;
Overflow overflow = Overflow::kNone;
void (*previous)(zend_execute_data*);

size_t stack_kib() { return (stack.limit + room - kRoom) / 1024; }

void end_by_fatal_error() {
    char message[160];
    snprintf(message, sizeof(message),
             "The C stack of %zu KiB is full: endless recursion, or values nested too deep",
             stack_kib());
    zend::leave_by_fatal_error(message);
}

void on_interrupt(zend_execute_data* frame) {
    if (previous != nullptr) {
        previous(frame);
    }
    if (overflow != Overflow::kToThrow || EG(exception) != nullptr) {
        return;
    }
    overflow = Overflow::kNone;
    zend_throw_error(nullptr,
                     "The C stack of %zu KiB is full: endless recursion, or values nested too deep",
                     stack_kib());
    zend::go_to_handlers(frame);
}

bool open(size_t more) {
    if (room < more || !os::raise_main_stack(stack, more)) {
        return false;
    }
    room -= more;
    end_after_request();
    return true;
}

bool is_close(const void* address, const void* top) {
    auto distance = static_cast<ptrdiff_t>(reinterpret_cast<uintptr_t>(address) -
                                           reinterpret_cast<uintptr_t>(top));
    return top != nullptr && distance > -kMostFrame && distance < kMostFrame;
}

// The kernel has refused to make the stack longer.
bool is_below_stack(const void* address) {
    auto depth = reinterpret_cast<uintptr_t>(stack.end) - reinterpret_cast<uintptr_t>(address);
    constexpr uintptr_t kPage = 4096;
    return stack.end != nullptr && depth > stack.limit - kPage &&
           depth < stack.limit + 2 * kMostFrame;
}

void end_process(const char* whose, os::FaultAnswer& answer) {
    const char* script = present_request().field("SCRIPT_FILENAME");
    int length = snprintf(answer.line, sizeof(answer.line),
                          "Stampede: %.160s has filled the C stack of %s.\n",
                          script != nullptr ? script : "A script", whose);
    answer.kind = os::FaultAnswer::Kind::kFatal;
    answer.length = length > 0 ? static_cast<size_t>(length) : 0;
}

// In the handler of SIGSEGV: nothing may allocate or lock.
void judge_fault(const void* address, const void* top, os::FaultAnswer& answer) {
    using Kind = os::FaultAnswer::Kind;
    if (!is_close(address, top)) {
        return;
    }
    if (!is_below_stack(address)) {
        if (EG(active_fiber) != nullptr) {  // has one page of guard, no room for an Error
            end_process("a Fiber (fiber.stack_size)", answer);
        }
    } else if (overflow == Overflow::kNone && room > kForError + kForFatalError &&
               open(kForError)) {
        overflow = Overflow::kToThrow;
        zend_atomic_bool_store_ex(&EG(vm_interrupt), true);
        answer.kind = Kind::kRetry;
    } else if (overflow != Overflow::kIsFatal && open(kForFatalError)) {
        overflow = Overflow::kIsFatal;
        answer.kind = Kind::kDivert;
        answer.divert = end_by_fatal_error;
    } else {
        end_process("its process", answer);
    }
}

}  // namespace

void install_stack_interrupt() {
    previous = zend_interrupt_function;
    zend_interrupt_function = on_interrupt;
}

void watch_stack() {
    stack = os::bound_main_stack(kRoom);
    os::install_fault_handler(judge_fault);
}

}  // namespace stampede::request_loop
