// The events of a process's life (workerStart, workerExit, workerStop): called with the server and
// the process's number, each in a coroutine, and after them the process goes on. PHP thread.
#pragma once

#include "ext/server/event_job.h"
#include "ext/server/state.h"

namespace stampede::classes {

template <typename Owner>
class LifeEventJob final : public EventJob {
public:
    using Ended = void (*)(Owner&, runtime::Outcome);

    LifeEventJob(ServerState& state, ServerEvent event, Owner& owner, Ended ended)
        : callback_(state.events.at(event)), owner_(owner), ended_(ended) {
        arguments.add_object(state.object);
        arguments.add_long(state.place.worker);
    }

private:
    void work() override { arguments.call(callback_); }
    void ended(runtime::Outcome outcome) override { ended_(owner_, outcome); }
    void not_started() override { ended_(owner_, runtime::Outcome::kThrew); }

    const zend::Callable& callback_;
    Owner& owner_;
    Ended ended_;
};

// Without a function for the event it has ended at once, well. The owner lives as long as the
// process.
template <typename Owner>
void start_life_event(ServerState& state, ServerEvent event, Owner& owner,
                      void (*ended)(Owner&, runtime::Outcome)) {
    if (!state.events.has(event)) {
        ended(owner, runtime::Outcome::kReturned);
        return;
    }
    (new LifeEventJob<Owner>(state, event, owner, ended))->start();
}

}  // namespace stampede::classes
