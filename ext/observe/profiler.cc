#include "ext/observe/profiler.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "ext/metrics/waits.h"
#include "ext/observe/stack_table.h"
#include "os/alarm.h"
#include "os/thread_state.h"
#include "runtime/runtime.h"
#include "zend/caller.h"

namespace stampede::observe {
namespace {

using runtime::Fiber;
using runtime::Runtime;

constexpr Nanos kPeriod = 10 * kMillisecond;
constexpr Nanos kLongest = 100 * kMillisecond;  // that one sample may stand for
constexpr Nanos kRound = 50 * kMillisecond;     // between two looks at coroutines that wait
constexpr Nanos kLease = 15 * kSecond;
constexpr size_t kMostOfRound = 512;  // coroutines; with more, each stands for several
// An interrupt that is served later than this was held up by a call of an extension.
constexpr Nanos kLate = 3 * kMillisecond;

// What the PHP thread is at, as far as another thread can see it: nothing may be looked into.
struct Stamp {
    const Fiber* fiber = nullptr;
    uint64_t turn_began = 0;

    bool idle() const { return fiber == nullptr && turn_began == 0; }
    bool operator==(const Stamp&) const = default;
};

// A look of the helper thread whose stack has not been taken yet.
struct Sample {
    Stamp stamp;
    Nanos at = 0;
    Weight weight;
};

// Between the two threads. The helper thread locks it when it looks, the PHP thread when it was
// interrupted and in each round.
struct Shared {
    static constexpr size_t kMostSamples = 32;

    std::mutex lock;
    Runtime* runtime = nullptr;  // null: not to be looked at
    os::ThreadState thread;
    Nanos last_look = 0;
    Nanos last_cpu = 0;
    Nanos last_delay = 0;
    Sample samples[kMostSamples];
    size_t count = 0;
    Weight outside;  // samples for which there was no place
};

Shared shared;

Stamp look(Runtime& runtime) {
    const std::atomic<uint64_t>* busy = runtime.loop().busy_since();
    return {runtime.current_from_afar(),
            busy != nullptr ? busy->load(std::memory_order_relaxed) : 0};
}

// How much of its time since the last look a thread that is runnable has had a processor: where
// processors are short, code that waits for one does not compute.
Nanos computed(Nanos passed) {
    Nanos cpu = shared.thread.cpu_time();
    Nanos delay = shared.thread.delay();
    auto used = static_cast<double>(cpu - std::exchange(shared.last_cpu, cpu));
    auto waited = static_cast<double>(delay - std::exchange(shared.last_delay, delay));
    if (!shared.thread.is_runnable() || used <= 0) {
        return 0;
    }
    return static_cast<Nanos>(static_cast<double>(passed) * used / (used + waited));
}

// On the helper thread. Code that is found running is interrupted; when it waits before it comes to
// an interrupt, its stack is taken where it waits.
void tick() {
    std::lock_guard<std::mutex> guard(shared.lock);
    if (shared.runtime == nullptr) {
        return;
    }
    Nanos now = monotonic_now();
    Nanos passed = std::min(now - std::exchange(shared.last_look, now), kLongest);
    Stamp stamp = look(*shared.runtime);
    if (stamp.idle()) {
        return;
    }
    Weight weight = {computed(passed), passed};
    if (shared.count > 0 && shared.samples[shared.count - 1].stamp == stamp) {
        shared.samples[shared.count - 1].weight += weight;
    } else if (shared.count < Shared::kMostSamples) {
        shared.samples[shared.count++] = {stamp, now, weight};
    } else {
        shared.outside += weight;
    }
    zend_atomic_bool_store_ex(&EG(vm_interrupt), true);
}

// ---- the PHP thread ----------------------------------------------------------------------------

struct Rounds : loop::Timer {
    Nanos last = 0;
    size_t next = 0;  // coroutine, when there are more than fit into one round
};

os::Alarm looks{tick, kPeriod};
bool has_thread = false;
bool is_on = false;
ProfileMode mode = ProfileMode::kOff;
int64_t session = 0;
Nanos lease_until = 0;
Nanos cpu_before = 0;
StackTable stacks;
Weight outside;  // the server's own work, and code that has ended before its stack could be taken
Rounds rounds;
void (*previous)(zend_execute_data*);

// The coroutine may have ended, and another one may have its block.
const Fiber* waiting_since(const Runtime& runtime, const Sample& sample) {
    const Fiber* found = nullptr;
    runtime.fibers().each([&](int64_t, const Fiber& fiber) {
        if (&fiber == sample.stamp.fiber && fiber.waiting() && fiber.started_at <= sample.at) {
            found = &fiber;
        }
    });
    return found;
}

void settle(const Sample& sample, const Stamp& here, const zend_execute_data* frame) {
    Runtime& runtime = *Runtime::peek();
    if (frame != nullptr && sample.stamp == here) {
        char call[128] = "";
        bool is_user = frame->func != nullptr && ZEND_USER_CODE(frame->func->type);
        if (is_user && monotonic_now() - sample.at > kLate) {
            zend::name_last_call(frame, call, sizeof(call));
        }
        bool is_call = call[0] != '\0' && std::string_view(call) != "this code";
        stacks.add(frame, is_call ? std::string_view(call) : std::string_view(), sample.weight);
        return;
    }
    const Fiber* fiber = sample.stamp.fiber != nullptr ? waiting_since(runtime, sample) : nullptr;
    if (fiber != nullptr) {
        stacks.add(fiber->execute_data, {}, sample.weight);
    } else {
        outside += sample.weight;
    }
}

// The frame of PHP code that runs, if there is any.
void settle_all(const zend_execute_data* frame) {
    Sample samples[Shared::kMostSamples];
    size_t count;
    Stamp here;
    {
        std::lock_guard<std::mutex> guard(shared.lock);
        count = std::exchange(shared.count, 0);
        std::copy_n(shared.samples, count, samples);
        outside += std::exchange(shared.outside, {});
        here = look(*Runtime::peek());
    }
    for (size_t i = 0; i < count; i++) {
        settle(samples[i], here, frame);
    }
}

// Before the handlers that were there first: one of them may let another coroutine run.
void on_interrupt(zend_execute_data* frame) {
    if (UNEXPECTED(is_on) && Runtime::peek() != nullptr) {
        settle_all(frame);
    }
    if (previous != nullptr) {
        previous(frame);
    }
}

std::string wait_name(const Fiber& fiber) {
    if (fiber.ready.linked()) {
        return "[waits: its turn]";  // what it has waited for is there, but the worker is busy
    }
    metrics::WaitKind kind =
        fiber.waits_since != 0 ? fiber.waits_for : metrics::kind_of_wait(fiber.execute_data);
    return std::string("[waits: ").append(metrics::name_of(kind)).append("]");
}

void sample_waits(const Runtime& runtime, Nanos passed) {
    std::vector<const Fiber*> waiting;
    runtime.fibers().each([&](int64_t, const Fiber& fiber) {
        if (fiber.waiting()) {
            waiting.push_back(&fiber);
        }
    });
    size_t count = std::min(waiting.size(), kMostOfRound);
    if (count == 0) {
        return;
    }
    Nanos each = passed * static_cast<Nanos>(waiting.size()) / static_cast<Nanos>(count);
    for (size_t i = 0; i < count; i++) {
        const Fiber& fiber = *waiting[(rounds.next + i) % waiting.size()];
        stacks.add(fiber.execute_data, wait_name(fiber), {0, each});
    }
    rounds.next = (rounds.next + count) % waiting.size();
}

void switch_off() {
    if (!is_on) {
        return;
    }
    is_on = false;
    looks.set(kNever);
    if (Runtime* runtime = Runtime::peek(); runtime != nullptr && rounds.armed()) {
        runtime->loop().disarm(rounds);
        runtime->loop().ignore_for_liveness(0, -1);
    }
    std::lock_guard<std::mutex> guard(shared.lock);
    shared.runtime = nullptr;
    shared.thread = {};
    shared.count = 0;
}

void on_round(loop::Timer&) {
    Runtime& runtime = Runtime::get();
    Nanos now = monotonic_now();
    runtime.loop().ignore_for_liveness(0, -1);
    if (now > lease_until) {  // its client has gone
        switch_off();
        stacks.clear();
        session = 0;
        return;
    }
    settle_all(nullptr);
    Nanos passed = std::min(now - std::exchange(rounds.last, now), kSecond);
    if (mode == ProfileMode::kWall) {
        sample_waits(runtime, passed);
    }
    runtime.loop().arm(rounds, kRound);
    runtime.loop().ignore_for_liveness(0, 1);
}

Error switch_on() {
    auto thread = os::ThreadState::of_this_thread();
    if (!thread) {
        return thread.error();
    }
    if (!has_thread) {
        if (Error error = looks.start()) {
            return error;
        }
        has_thread = true;
    }
    Runtime& runtime = Runtime::get();
    cpu_before = thread->cpu_time();
    {
        std::lock_guard<std::mutex> guard(shared.lock);
        shared.thread = std::move(*thread);
        shared.runtime = &runtime;
        shared.last_look = monotonic_now();
        shared.last_cpu = cpu_before;
        shared.last_delay = shared.thread.delay();
        shared.outside = {};
    }
    outside = {};
    stacks.clear();
    is_on = true;
    rounds.on_fire = on_round;
    rounds.last = monotonic_now();
    runtime.loop().arm(rounds, kRound);
    runtime.loop().ignore_for_liveness(0, 1);
    looks.set(0);
    return Error();
}

std::string result() {
    Nanos used = 0;
    {
        std::lock_guard<std::mutex> guard(shared.lock);
        Nanos now = shared.thread.cpu_time();
        used = now - std::exchange(cpu_before, now);
    }
    Weight beside = std::exchange(outside, {});
    std::string out = "{\"cpu\":" + std::to_string(used);
    out.append(",\"outside\":[").append(std::to_string(beside.cpu));
    out.append(",").append(std::to_string(beside.wall)).append("],");
    out.append(stacks.take_json()).append("}");
    return out;
}

}  // namespace

ProfileRequest profile_request_of(int64_t number) {
    int64_t asked = number & 3;
    return {asked == 1   ? ProfileMode::kCpu
            : asked == 2 ? ProfileMode::kWall
                         : ProfileMode::kOff,
            number >> 2};
}

std::string profile(const ProfileRequest& request) {
    if (is_on && request.session != session) {
        return "{\"error\":\"another profile is being taken\"}";
    }
    if (!is_on && request.mode == ProfileMode::kOff) {
        return "{\"error\":\"no profile is being taken\"}";
    }
    if (!is_on) {
        if (switch_on()) {
            return "{\"error\":\"there is no memory or no thread for a profiler\"}";
        }
        session = request.session;
    }
    lease_until = monotonic_now() + kLease;
    settle_all(nullptr);
    std::string out = result();
    if (request.mode == ProfileMode::kOff) {
        switch_off();
        session = 0;
    } else {
        mode = request.mode;
    }
    return out;
}

void install_profiler() {
    previous = zend_interrupt_function;
    zend_interrupt_function = on_interrupt;
    // The child's mutex may have been held by the helper thread, which the child does not have: it
    // is made anew over the old one, which is not destroyed (a locked mutex must not be).
    Runtime::on_fork([] {
        rounds.unlink();  // from a wheel that the child throws away
        if (is_on) {
            shared.thread = {};
            stacks.clear();
        }
        new (&shared) Shared();
        is_on = false;
        has_thread = false;
        session = 0;
        looks.set(kNever);
    });
}

void remove_profiler() {
    switch_off();
    if (zend_interrupt_function == on_interrupt) {
        zend_interrupt_function = previous;
    }
}

void end_profile() {
    switch_off();
    stacks.clear();
    session = 0;
}

}  // namespace stampede::observe
