// The time between the request to stop and the stop of a server: everything is served as before, so
// that balancers notice, and near its end connections are wound down. Owned by the supervisor;
// never parks.
#pragma once

#include <algorithm>

#include "base/clock.h"
#include "shm/scoreboard.h"

namespace stampede::proc {

class Drain {
public:
    bool active() const { return ends_at_ != kNever; }
    void begin(Nanos now, Nanos time) {
        ends_at_ = now + time;
        winds_down_at_ = ends_at_ - std::min(time / 2, kSecond);
    }
    void end() { ends_at_ = winds_down_at_ = kNever; }
    // Whether the time is over. Near its end each connection is made to end with its next response.
    bool goes_over(Nanos now, shm::Scoreboard& board) {
        if (winds_down_at_ <= now) {
            winds_down_at_ = kNever;
            board.set_winding_down();
        }
        return ends_at_ <= now;
    }
    Nanos next_due() const { return std::min(ends_at_, winds_down_at_); }

private:
    Nanos ends_at_ = kNever;
    Nanos winds_down_at_ = kNever;
};

}  // namespace stampede::proc
