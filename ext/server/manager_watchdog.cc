#include "ext/server/manager_watchdog.h"

#include "os/service_manager.h"

namespace stampede::classes {

// Half of its patience, as the manager's documentation advises.
ManagerWatchdog::ManagerWatchdog(loop::Loop& loop)
    : loop_(loop), distance_(os::manager_patience() / 2) {
    timer_.owner = this;
    timer_.on_fire = [](loop::Timer& timer) { static_cast<Timer&>(timer).owner->notify(); };
    if (distance_ > 0) {
        notify();
    }
}

ManagerWatchdog::~ManagerWatchdog() {
    if (is_armed_) {
        loop_.disarm(timer_);
    }
}

void ManagerWatchdog::notify() {
    os::notify_manager("WATCHDOG=1");
    is_armed_ = true;
    loop_.arm(timer_, distance_);
}

}  // namespace stampede::classes
