#include "os/ticker.h"

#include <ctime>
#include <memory>

#include "os/thread.h"

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
    Error error = start_thread(run_ticker, self.get());
    if (!error) {
        static_cast<void>(self.release());  // the thread's now
    }
    return error;
}

}  // namespace stampede::os
