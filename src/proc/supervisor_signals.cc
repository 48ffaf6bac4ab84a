#include "proc/supervisor_signals.h"

#include <array>
#include <csignal>
#include <utility>

#include "os/signal.h"

namespace stampede::proc {

namespace {

// Not constant expressions: the C library picks the real-time signals when it starts.
auto taken_signals() {
    return std::to_array(
        {SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2, SIGCHLD, SIGTSTP, SIGRTMIN});
}

}  // namespace

SupervisorSignals::SupervisorSignals(loop::Loop& loop) : loop_(loop) {}

SupervisorSignals::~SupervisorSignals() {
    if (inbox_.fd >= 0) {
        loop_.unwatch(inbox_);
    }
}

Error SupervisorSignals::open() {
    os::SignalInbox& signals = os::SignalInbox::get();
    if (Error error = signals.open()) {
        return error;
    }
    for (int number : taken_signals()) {
        if (Error error = signals.take(number)) {
            return error;
        }
    }
    signals.ignore(SIGPIPE);
    inbox_.fd = signals.fd();
    inbox_.interest = loop::kReadable;
    inbox_.on_ready = [](loop::Watch& watch, uint32_t) {
        static_cast<Inbox&>(watch).arrived |= os::SignalInbox::get().drain();
    };
    return loop_.watch(inbox_);
}

SignalSet SupervisorSignals::take() { return SignalSet(std::exchange(inbox_.arrived, 0)); }

void SupervisorSignals::abandon() {
    inbox_.fd = -1;
    for (int number : taken_signals()) {
        os::SignalInbox::get().restore(number);
    }
}

}  // namespace stampede::proc
