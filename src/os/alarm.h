// A helper thread that calls a function when a moment has come, and sleeps until then. The function
// runs on that thread and may only set atomic flags and take locks of its own. Gone after fork:
// start it again in the child. The thread lasts as long as the process, and so must the alarm.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/clock.h"
#include "base/error.h"

namespace stampede::os {

class Alarm {
public:
    // It is called again after each pause, until the moment is another one.
    constexpr Alarm(void (*ring)(), Nanos pause) : ring_(ring), pause_(pause) {}
    Alarm(const Alarm&) = delete;
    Alarm& operator=(const Alarm&) = delete;

    Error start();
    // kNever: not at all. A later moment than the present one costs no system call.
    void set(Nanos when);
    Nanos when() const { return when_.load(std::memory_order_relaxed); }

private:
    static void* run(void* self);
    void run();

    void (*ring_)();
    Nanos pause_;
    std::atomic<Nanos> when_{kNever};
    std::atomic<Nanos> sleeps_until_{0};
    std::atomic<uint32_t> earlier_{0};
};

// The same at a steady pace, from now on until the process ends.
Error start_ticker(Nanos period, void (*tick)());

}  // namespace stampede::os
