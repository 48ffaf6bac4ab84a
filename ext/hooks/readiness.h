// Waiting for descriptors that the application or a library has opened: one or several, as poll()
// takes them. PHP thread, in a coroutine that may park.
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

// Something was sent through the descriptor: a reply is not there yet, so that asking for it
// before waiting is in vain.
void note_sent(int fd);
// What a read has found.
enum class Read : unsigned char {
    kSomething,  // there may be more
    kFull,       // as much as was asked for
    kLess,       // less than was asked for: all of it, where there are no messages
    kNothing,    // what comes later is new
    kEnd,        // and there will be no more
    kSeen,       // something that stays there
};
void note_read(int fd, Read found, size_t count = 0);
// The caller of a read gets its bytes only now, after others have run: a coroutine that waits for
// this descriptor and others looks again, since they go into the buffer of a stream.
void note_delivered(int fd);
// poll() without waiting said that none of those with revents 0 can be read.
void note_polled(const pollfd* fds, nfds_t count);
// Whether nothing can be there yet, so that poll() need not be asked before waiting.
bool nothing_is_there(const pollfd* fds, nfds_t count);
// The same for a look at one descriptor that does not wait: once after each send.
bool response_is_awaited(const pollfd& one);
// The last wait of this coroutine, in curl, has said that this one can be read, and nothing was
// read since. Said once. Fills in revents.
bool was_told(pollfd& one);
// The same for what the last read of this coroutine has left or found, and, each time, where the
// peer sends no more.
bool is_readable(pollfd& one);
// A new one that has this number now.
void note_socket(int fd, int type);
// The kernel forgets it, and its number may be another's soon.
void note_closed(int fd);

// A descriptor that was waited for stays known to the kernel, so that the next wait takes one call.
// Code that wants to watch it by itself from now on says so here; false while a coroutine waits.
bool stop_watching(int fd);

}  // namespace stampede::hooks
