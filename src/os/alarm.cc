#include "os/alarm.h"

#include <algorithm>
#include <ctime>
#include <memory>

#include "os/futex.h"
#include "os/thread.h"

namespace stampede::os {

namespace {

constexpr Nanos kLongest = 3600 * kSecond;  // of one wait, so that every number is a valid one

}  // namespace

Error Alarm::start() { return start_thread(run, this); }

// Either this thread sees until when the helper thread sleeps, or that one sees the new moment
// before it goes to sleep: both write first and read then, in one order for all threads.
void Alarm::set(Nanos when) {
    when_.store(when, std::memory_order_seq_cst);
    if (when < sleeps_until_.load(std::memory_order_seq_cst)) {
        earlier_.fetch_add(1);
        futex_wake(earlier_, 1);
    }
}

void* Alarm::run(void* self) {
    static_cast<Alarm*>(self)->run();
    return nullptr;
}

void Alarm::run() {
    for (;;) {
        uint32_t seen = earlier_.load();
        Nanos when = when_.load(std::memory_order_seq_cst);
        Nanos now = monotonic_now();
        if (when <= now) {
            sleeps_until_.store(0, std::memory_order_relaxed);
            ring_();
            timespec pause{static_cast<time_t>(pause_ / kSecond),
                           static_cast<long>(pause_ % kSecond)};
            nanosleep(&pause, nullptr);
            continue;
        }
        sleeps_until_.store(when, std::memory_order_seq_cst);
        if (when_.load(std::memory_order_seq_cst) == when) {
            futex_wait(earlier_, seen, std::min(when - now, kLongest));
        }
    }
}

// An alarm whose moment has always come.
Error start_ticker(Nanos period, void (*tick)()) {
    auto alarm = std::make_unique<Alarm>(tick, period);
    alarm->set(0);
    Error error = alarm->start();
    if (!error) {
        static_cast<void>(alarm.release());  // the thread's now
    }
    return error;
}

}  // namespace stampede::os
