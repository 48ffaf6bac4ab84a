#include "runtime/compute_limit.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "os/alarm.h"
#include "runtime/runtime.h"
#include "runtime/stuck_call.h"
#include "zend/throw.h"

namespace stampede::runtime {
namespace {

constexpr Nanos kPeriod = 50 * kMillisecond;  // until code is interrupted again

struct Limit {
    Nanos when;
    zend::Callable function;
};

// On the helper thread. Code that does not even come to the interrupt is looked at itself.
void interrupt() {
    zend_atomic_bool_store_ex(&EG(vm_interrupt), true);
    look_for_stuck_call();
}

void note(int64_t cid, Nanos when) {
    Runtime* runtime = Runtime::peek();
    Fiber* fiber = runtime != nullptr ? runtime->find(cid) : nullptr;
    if (fiber != nullptr) {
        fiber->compute_until = when;
    }
}

// All but the alarm belongs to the PHP thread. Its moment may be earlier than that of any limit:
// then code is interrupted once for nothing.
std::unordered_map<int64_t, Limit> limits;  // by the number of the coroutine
os::Alarm next_due{interrupt, kPeriod};
// Taken out of `limits` first, released after the walk: a destructor may set or forget limits.
std::vector<zend::Callable> dropped;
bool has_thread = false;
void (*previous)(zend_execute_data*);

// A coroutine that waits past its time is looked at again; what one has left that is gone is
// dropped.
void find_next_due(const Runtime& runtime, Nanos now) {
    Nanos next = kNever;
    for (auto each = limits.begin(); each != limits.end();) {
        if (each->second.when <= now && runtime.find(each->first) == nullptr) {
            dropped.push_back(each->second.function);
            each = limits.erase(each);
            continue;
        }
        next = std::min(next, std::max(each->second.when, now + kPeriod));
        ++each;
    }
    next_due.set(next);
    while (!dropped.empty()) {  // which may run code of the application
        zend::Callable function = dropped.back();
        dropped.pop_back();
        function.release();
    }
}

// The coroutine that was found at the last interrupts, without another one between them, and since
// when. While a limit is over all code is interrupted once in each period.
int64_t found_cid = 0;
Nanos found_since = 0;

void note_presence(const Fiber* self, Nanos now) {
    int64_t cid = self != nullptr ? self->cid : 0;
    if (cid != found_cid) {
        found_cid = cid;
        found_since = now;
    }
}

// The limit of the coroutine, or of the nearest one of those that have made it and are still there:
// what a request starts and computes in counts as its own work.
auto limit_of(const Runtime& runtime, const Fiber* self) {
    while (self != nullptr) {
        auto found = limits.find(self->cid);
        if (found != limits.end()) {
            return found;
        }
        self = runtime.find(self->parent_cid);
    }
    return limits.end();
}

void on_interrupt(zend_execute_data* frame) {
    if (previous != nullptr) {
        previous(frame);
    }
    Nanos now = monotonic_now();
    Runtime* runtime = Runtime::peek();
    note_presence(runtime != nullptr ? runtime->current() : nullptr, now);
    if (now < next_due.when() || runtime == nullptr || EG(exception) != nullptr) {
        return;
    }
    auto found = limit_of(*runtime, runtime->current());
    if (found == limits.end() || found->second.when > now) {
        find_next_due(*runtime, now);
        return;
    }
    // Out of the table before it is called: it may wait, and end in an exception.
    zend::Callable function = found->second.function;
    note(found->first, 0);
    limits.erase(found);
    find_next_due(*runtime, now);
    zend::call(function, 0, nullptr, nullptr);
    function.release();
    if (EG(exception) != nullptr) {
        zend::go_to_handlers(frame);
    }
}

}  // namespace

void install_compute_limits() {
    previous = zend_interrupt_function;
    zend_interrupt_function = on_interrupt;
    Runtime::on_fork([] { has_thread = false; });
}

void remove_compute_limits() {
    if (zend_interrupt_function == on_interrupt) {
        zend_interrupt_function = previous;
    }
}

Nanos computing_time(int64_t cid) { return cid == found_cid ? monotonic_now() - found_since : 0; }

void limit_computing(int64_t cid, Nanos when, const zend::Callable& function) {
    forget_compute_limit(cid);
    limits.emplace(cid, Limit{when, function});
    note(cid, when);
    if (when < next_due.when()) {
        next_due.set(when);
    }
    if (!has_thread) {
        watch_stuck_calls();
        has_thread = !next_due.start();
    }
}

void forget_compute_limit(int64_t cid) {
    auto found = limits.find(cid);
    if (found != limits.end()) {
        zend::Callable function = found->second.function;
        limits.erase(found);
        note(cid, 0);
        function.release();
    }
}

void forget_all_compute_limits() {
    while (!limits.empty()) {
        forget_compute_limit(limits.begin()->first);
    }
    next_due.set(kNever);
}

}  // namespace stampede::runtime
