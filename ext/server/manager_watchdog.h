// Signs of life for the service manager (WatchdogSec= of systemd), as long as the supervisor's loop
// goes round. Owned by the supervisor; never parks.
#pragma once

#include "loop/loop.h"

namespace stampede::classes {

class ManagerWatchdog {
public:
    // Does nothing when the manager does not wait for them.
    explicit ManagerWatchdog(loop::Loop& loop);
    ~ManagerWatchdog();
    ManagerWatchdog(const ManagerWatchdog&) = delete;
    ManagerWatchdog& operator=(const ManagerWatchdog&) = delete;

    // In a forked child, whose loop is its own.
    void abandon() { is_armed_ = false; }

private:
    struct Timer : loop::Timer {
        ManagerWatchdog* owner = nullptr;
    };

    void notify();

    loop::Loop& loop_;
    Nanos distance_;
    bool is_armed_ = false;
    Timer timer_;
};

}  // namespace stampede::classes
