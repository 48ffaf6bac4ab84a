#include "runtime/preempt.h"

#include "os/alarm.h"
#include "runtime/runtime.h"

namespace stampede::runtime {
namespace {

constexpr Nanos kSlice = 5 * kMillisecond;

void (*previous)(zend_execute_data*);
bool enabled = false;
int64_t seen_cid = -1;

// On the helper thread. The only thing of the engine that another thread may write: the flag is
// atomic, and PHP without thread safety has its globals at a fixed address. The VM looks at it at
// jumps backwards and when a function is entered, compiled code too.
void raise_interrupt() { zend_atomic_bool_store_ex(&EG(vm_interrupt), true); }

// A coroutine found running at two ticks in a row has had its slice. One that has waited in between
// makes room once for nothing, which is cheaper than noting the time of every switch.
// Between two instructions of PHP code, so the frame is whole and a switch is as good as one in a
// function. Not with an exception under way, which belongs to the code that runs.
void on_interrupt(zend_execute_data* execute_data) {
    if (previous != nullptr) {
        previous(execute_data);
    }
    Runtime* runtime = Runtime::peek();
    Fiber* self = enabled && runtime != nullptr ? runtime->current() : nullptr;
    if (self == nullptr || EG(exception) != nullptr) {
        return;
    }
    if (self->cid != seen_cid) {
        seen_cid = self->cid;
    } else if (self->preemptible && runtime->can_park()) {
        seen_cid = -1;
        runtime->make_room();
    }
}

void start() { enabled = !os::start_ticker(kSlice, raise_interrupt); }

}  // namespace

void install_preemption() {
    previous = zend_interrupt_function;
    zend_interrupt_function = on_interrupt;
    // A child has the thread that forked alone: the ticker is started anew.
    Runtime::on_fork([] {
        if (enabled) {
            start();
        }
    });
}

void remove_preemption() {
    if (zend_interrupt_function == on_interrupt) {
        zend_interrupt_function = previous;
    }
}

void enable_preemption() {
    if (!enabled) {
        start();
    }
}

}  // namespace stampede::runtime
