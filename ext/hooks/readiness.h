// Waiting for descriptors that belong to somebody else: one or several, as poll() takes them. PHP
// thread, in a coroutine that may park.
#pragma once

#include <poll.h>

#include "base/clock.h"

namespace stampede::hooks {

enum class Waited : unsigned char {
    kTryAgain,  // something may be ready, or the time is over
    kGivenUp,   // cancelled, or the coroutine is being destroyed
};

Waited wait_for_any(const pollfd* fds, nfds_t count, Nanos deadline);

// A descriptor that was waited for stays known to the kernel, so that the next wait takes one call.
// Who wants to watch it otherwise says so here.
void stop_watching(int fd);

}  // namespace stampede::hooks
