// epoll: thin calls, errno -> Error. Any thread, never parks.
#pragma once

#include <sys/epoll.h>

#include "base/clock.h"
#include "base/error.h"

namespace stampede::os {

Result<int> epoll_open();
Error epoll_update(int epoll_fd, int operation, int fd, epoll_event event);
// Number of events, 0 on a timeout or a signal.
int epoll_wait_for(int epoll_fd, epoll_event* events, int capacity, Nanos timeout);

}  // namespace stampede::os
