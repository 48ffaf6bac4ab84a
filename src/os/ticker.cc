#include "os/ticker.h"

#include <pthread.h>
#include <signal.h>

#include <ctime>

namespace stampede::os {
namespace {

Nanos tick_period;
void (*on_tick)();

void* run_ticker(void*) {
    timespec pause = {static_cast<time_t>(tick_period / kSecond),
                      static_cast<long>(tick_period % kSecond)};
    for (;;) {
        nanosleep(&pause, nullptr);
        on_tick();
    }
    return nullptr;
}

}  // namespace

Error start_ticker(Nanos period, void (*tick)()) {
    tick_period = period;
    on_tick = tick;
    // Signals stay with the thread that handles them.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    int failure = pthread_create(&thread, nullptr, run_ticker, nullptr);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (failure != 0) {
        return Error::system(failure);
    }
    pthread_detach(thread);
    return Error();
}

}  // namespace stampede::os
