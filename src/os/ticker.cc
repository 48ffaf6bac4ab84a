#include "os/ticker.h"

#include <pthread.h>
#include <signal.h>

#include <ctime>
#include <memory>

namespace stampede::os {
namespace {

struct Ticker {
    Nanos period;
    void (*tick)();
};

void* run_ticker(void* given) {
    std::unique_ptr<Ticker> self(static_cast<Ticker*>(given));
    timespec pause = {static_cast<time_t>(self->period / kSecond),
                      static_cast<long>(self->period % kSecond)};
    for (;;) {
        nanosleep(&pause, nullptr);
        self->tick();
    }
    return nullptr;
}

}  // namespace

Error start_ticker(Nanos period, void (*tick)()) {
    auto self = std::make_unique<Ticker>(Ticker{period, tick});
    // Signals stay with the thread that handles them.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    int failure = pthread_create(&thread, nullptr, run_ticker, self.get());
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (failure != 0) {
        return Error::system(failure);
    }
    static_cast<void>(self.release());  // the thread's now
    pthread_detach(thread);
    return Error();
}

}  // namespace stampede::os
