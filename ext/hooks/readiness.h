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

// The caller has found nothing ready just before, or knows that nothing was left. Fills in revents
// when what came says all of it; leaves them 0 when poll() must be asked.
Waited wait_for_any(pollfd* fds, nfds_t count, Nanos deadline);

// One descriptor whose coroutine is all that the process has to do is waited for in place. True
// when it is ready, with revents; false when it has to be waited for as usual.
bool wait_in_place(pollfd& one, Nanos deadline);

// Something was sent through the descriptor: an answer is not there yet, so that asking for it
// before waiting is in vain.
void note_sent(int fd);
// There was nothing to read, or less than was asked for: what comes later is new.
void note_read(int fd, bool nothing);
bool answer_is_awaited(int fd);
// The kernel forgets it, and its number may be another's soon.
void note_closed(int fd);

// A descriptor that was waited for stays known to the kernel, so that the next wait takes one call.
// Who wants to watch it otherwise says so here.
void stop_watching(int fd);

}  // namespace stampede::hooks
