#include "io/signals.h"

#include <csignal>

#include "os/signal_tap.h"
#include "runtime/runtime.h"

namespace stampede::io {

using runtime::Runtime;

namespace {

constexpr int kSignals = os::kLastSignal;

List<SignalListener> listeners[kSignals + 1];
int count = 0;
loop::Watch watch;
uint32_t watched_generation = 0;

void tell(int number) {
    // A listener that is told may stop itself or another: each is told at most once.
    List<SignalListener> told;
    told.splice_back(listeners[number]);
    while (SignalListener* listener = told.pop_front()) {
        listeners[number].push_back(*listener);
        listener->on_signal(*listener);
    }
}

void on_ready(loop::Watch&, uint32_t) {
    uint64_t arrived = os::SignalTap::get().drain();
    for (int number = 1; number <= kSignals; number++) {
        if ((arrived >> (number - 1) & 1) != 0) {
            tell(number);
        }
    }
}

bool watched() { return watched_generation == Runtime::loop_generation(); }

Error start_watching() {
    Result<int> fd = os::SignalTap::get().open();
    if (!fd) {
        return fd.error();
    }
    watch.fd = *fd;
    watch.interest = loop::kReadable;
    watch.on_ready = on_ready;
    if (Error error = Runtime::get().loop().watch(watch)) {
        return error;
    }
    Runtime::get().loop().ignore_for_liveness(1, 0);
    watched_generation = Runtime::loop_generation();
    return Error();
}

// In a forked child: the parent's listeners are not its own.
void forget_all() {
    os::SignalTap::get().reset();
    for (List<SignalListener>& list : listeners) {
        while (list.pop_front() != nullptr) {
        }
    }
    count = 0;
    watched_generation = 0;
}

}  // namespace

Error listen_to_signal(int number, SignalListener& listener) {
    static bool forgets_after_fork = false;
    if (!forgets_after_fork) {
        Runtime::on_fork(forget_all);
        forgets_after_fork = true;
    }
    if (number < 1 || number > kSignals || number == SIGKILL || number == SIGSTOP) {
        return Error::system(EINVAL);
    }
    if (!watched()) {
        if (Error error = start_watching()) {
            return error;
        }
    }
    if (Error error = os::SignalTap::get().add(number)) {
        return error;
    }
    listener.number = number;
    listeners[number].push_back(listener);
    count++;
    Runtime::get().loop().announce_jobs(listener.keeps_loop ? 1 : 0);
    return Error();
}

void stop_listening(SignalListener& listener) {
    if (!listener.linked()) {
        return;
    }
    listener.unlink();
    count--;
    Runtime::peek()->loop().announce_jobs(listener.keeps_loop ? -1 : 0);
    if (listeners[listener.number].empty()) {
        os::SignalTap::get().remove(listener.number);
    }
    if (count == 0 && watched()) {
        Runtime::peek()->loop().unwatch(watch);
        Runtime::peek()->loop().ignore_for_liveness(-1, 0);
        watched_generation = 0;
    }
}

void keep_loop(SignalListener& listener, bool keeps) {
    if (listener.linked() && listener.keeps_loop != keeps) {
        Runtime::peek()->loop().announce_jobs(keeps ? 1 : -1);
    }
    listener.keeps_loop = keeps;
}

bool is_listened_to(int number) { return !listeners[number].empty(); }

int signal_listeners() { return count; }

}  // namespace stampede::io
