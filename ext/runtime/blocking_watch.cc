#include "runtime/blocking_watch.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <ctime>
#include <mutex>

#include "ini.h"
#include "os/alarm.h"
#include "os/log.h"
#include "runtime/runtime.h"
#include "zend/caller.h"

namespace stampede::runtime {
namespace {

// How a call that blocks is found without a cost for those that do not:
//
//   helper thread, every eighth of the threshold: the same coroutine, in the same turn of the loop,
//       as at the last tick?   for half the threshold: `suspected`, and the interrupt flag
//   PHP thread, when the call has returned: still the same?   then it lasted from `since` until now
//
// The coroutine is only compared by its address, never looked into: it may have ended, and another
// one may have the block by now. Then the call in question is over, and at worst a short one is
// suspected.
// What the PHP thread is at, as far as another thread can see it.
struct Stamp {
    const Fiber* fiber = nullptr;
    uint64_t turn_began = 0;

    bool idle() const { return fiber == nullptr && turn_began == 0; }
    bool operator==(const Stamp&) const = default;
};

// Between the two threads; only looked at when one of them ticks or suspects.
// The PHP thread takes the lock when it was interrupted, never in a switch.
struct Shared {
    std::mutex lock;
    Runtime* runtime = nullptr;  // null: not to be looked at
    Stamp stamp;
    Nanos since = 0;
    Nanos cpu_before = 0;
    bool suspected = false;
};

Shared shared;
std::atomic<uint64_t> own_busy_since;
clockid_t cpu_clock;
bool started = false;
void (*previous)(zend_execute_data*);
BlockingCalls found;

Nanos cpu_time() {
    timespec used{};
    clock_gettime(cpu_clock, &used);
    return static_cast<Nanos>(used.tv_sec) * kSecond + used.tv_nsec;
}

Nanos threshold() {
    return std::max<Nanos>(ext::settings().blocking_threshold, 1000) * kMicrosecond;
}

Stamp look(Runtime& runtime) {
    const std::atomic<uint64_t>* busy = runtime.loop().busy_since();
    return {runtime.current_from_afar(),
            busy != nullptr ? busy->load(std::memory_order_relaxed) : 0};
}

// On the helper thread.
void tick() {
    std::lock_guard<std::mutex> guard(shared.lock);
    if (shared.runtime == nullptr) {
        return;
    }
    Stamp stamp = look(*shared.runtime);
    Nanos now = monotonic_now();
    if (stamp.idle() || !(stamp == shared.stamp)) {
        shared.stamp = stamp;
        shared.since = now;
        shared.cpu_before = cpu_time();
        shared.suspected = false;
    } else if (!shared.suspected && now - shared.since >= threshold() / 2) {
        shared.suspected = true;
        zend_atomic_bool_store_ex(&EG(vm_interrupt), true);
    }
}

void report(Nanos lasted, zend_execute_data* frame) {
    char call[128];
    zend::name_last_call(frame, call, sizeof(call));
    zend::Line line = zend::line_of(frame);
    found.count++;
    found.total += lasted;
    found.longest = std::max(found.longest, lasted);
    snprintf(found.last, sizeof(found.last), "%s in %s:%u", call, line.file, line.number);
    os::Log::get().write(os::LogLevel::kWarning,
                         "%s in %s:%u blocked the process for %.3f s: no other coroutine could run "
                         "meanwhile",
                         call, line.file, line.number,
                         static_cast<double>(lasted) / static_cast<double>(kSecond));
}

// The engine is between two instructions, after the call that was suspected.
void on_interrupt(zend_execute_data* frame) {
    if (previous != nullptr) {
        previous(frame);
    }
    Nanos lasted = 0, computed = 0;
    {
        std::lock_guard<std::mutex> guard(shared.lock);
        if (!shared.suspected || shared.runtime == nullptr) {
            return;
        }
        if (look(*shared.runtime) == shared.stamp) {
            lasted = monotonic_now() - shared.since;
            computed = cpu_time() - shared.cpu_before;
        }
        shared.stamp = Stamp();
        shared.suspected = false;
    }
    // A coroutine that computes is the preemptive scheduler's matter.
    if (lasted >= threshold() && computed < lasted / 2) {
        report(lasted, frame);
    }
}

void start_ticking() {
    // The clock of the PHP thread, which this runs on; the helper thread reads it.
    pthread_getcpuclockid(pthread_self(), &cpu_clock);
    started = !os::start_ticker(std::max<Nanos>(threshold() / 8, kMillisecond), tick);
}

}  // namespace

void install_blocking_watch() {
    if (!ext::settings().blocking_detection) {
        return;
    }
    previous = zend_interrupt_function;
    zend_interrupt_function = on_interrupt;
    // The child's mutex may have been held by the helper thread, which the child does not have: it
    // is made anew over the old one, which is not destroyed (a locked mutex must not be).
    Runtime::on_fork([] {
        new (&shared) Shared();
        started = false;
    });
}

void remove_blocking_watch() {
    std::lock_guard<std::mutex> guard(shared.lock);
    shared.runtime = nullptr;
    if (zend_interrupt_function == on_interrupt) {
        zend_interrupt_function = previous;
    }
}

void start_blocking_watch() {
    if (!ext::settings().blocking_detection) {
        return;
    }
    Runtime& runtime = *Runtime::peek();
    if (runtime.loop().busy_since() == nullptr) {
        runtime.loop().publish_busy_since(&own_busy_since);
    }
    {
        std::lock_guard<std::mutex> guard(shared.lock);
        shared.runtime = &runtime;
    }
    if (!started) {
        start_ticking();
    }
}

const BlockingCalls& blocking_calls() { return found; }

}  // namespace stampede::runtime
