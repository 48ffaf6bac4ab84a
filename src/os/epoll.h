// epoll: thin calls, errno -> Error. Any thread, never parks.
#pragma once

#include <poll.h>
#include <sys/epoll.h>

#include "base/clock.h"
#include "base/error.h"

namespace stampede::os {

Result<int> epoll_open();
Error epoll_update(int epoll_fd, int operation, int fd, epoll_event event);
// Number of events, 0 on a timeout or a signal.
int epoll_wait_for(int epoll_fd, epoll_event* events, int capacity, Nanos timeout);
// Waits until one descriptor has one of the events (of poll()), or another is readable. True for
// the first, with what has come in events.
bool poll_beside(int fd, short& events, int other_fd, Nanos timeout);
// poll() without waiting.
void poll_now(pollfd* fds, int count);

}  // namespace stampede::os
