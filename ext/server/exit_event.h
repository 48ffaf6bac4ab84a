// The event workerExit: tells the application of a process that is to end what it has left, at once
// and again every 100 ms, so that it can clear the timers and close the connections that keep the
// process. Owned by the worker or task worker; PHP thread.
#pragma once

#include "ext/server/life_events.h"
#include "loop/loop.h"
#include "runtime/pending_work.h"

namespace stampede::classes {

class ExitEvent {
public:
    explicit ExitEvent(ServerState& state) : state_(state) { timer_.owner = this; }

    // The process drains. Anything: of coroutines and connections; what the application has left
    // with the loop is looked at here.
    enum class Left : uint8_t { kNothing, kSomething };
    void begin(Left left) {
        if (left == Left::kSomething || runtime::pending_work.any()) {
            due_ = true;
            timer_.on_fire = [](loop::Timer& timer) {
                static_cast<ExitTimer&>(timer).owner->tell();
            };
            runtime::Runtime::get().loop().arm(timer_, 0);
        }
    }
    void end() {
        due_ = false;
        runtime::Runtime::get().loop().disarm(timer_);
    }
    // It has not been told once yet: the process may not end before.
    bool is_due() const { return due_; }

private:
    static constexpr Nanos kPeriod = 100 * kMillisecond;
    struct ExitTimer : loop::Timer {
        ExitEvent* owner;
    };

    void tell() {
        due_ = false;
        if (!running_) {
            running_ = true;
            start_life_event(
                state_, ServerEvent::kWorkerExit, *this,
                +[](ExitEvent& self, runtime::Outcome) { self.running_ = false; });
        }
        runtime::Runtime::get().loop().arm(timer_, kPeriod);
    }

    ServerState& state_;
    ExitTimer timer_;
    bool due_ = false;
    bool running_ = false;
};

}  // namespace stampede::classes
