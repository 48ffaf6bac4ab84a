#include "ext/server/send_turns.h"

#include <algorithm>

#include "runtime/runtime.h"

namespace stampede::classes {

using runtime::Runtime;
using runtime::WakeReason;
using Step = Delivery::Step;

Step SendTurns::wait(Delivery& delivery, Nanos deadline) {
    Runtime& runtime = Runtime::get();
    Turn turn;
    turn.fiber = runtime.current();
    waiting_.push_back(turn);
    Step step = Step::kFull;
    for (;;) {
        bool is_first = waiting_.front() == &turn;
        if (is_first) {
            step = delivery.go_on();
        }
        Nanos now = monotonic_now();
        if (step != Step::kFull || now >= deadline) {
            break;
        }
        Nanos until = is_first ? std::min(deadline, now + delivery.look_after()) : deadline;
        WakeReason reason = runtime.park(until);
        if (reason != WakeReason::kReady && reason != WakeReason::kTimeout) {
            break;
        }
    }
    turn.unlink();
    look_again();
    return step;
}

void SendTurns::look_again() {
    if (Turn* first = waiting_.front()) {
        Runtime::get().wake(*first->fiber, WakeReason::kReady);
    }
}

}  // namespace stampede::classes
