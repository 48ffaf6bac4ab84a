// The ends of children, for coroutines: by pidfd, so that nobody's child is taken by mistake. PHP
// thread; the waits park.
#pragma once

#include <sys/types.h>

#include "base/clock.h"
#include "os/children.h"

namespace stampede::io {

// 0, or an errno value: ECHILD when it is no child (any more), ETIMEDOUT, ECANCELED.
int wait_child(pid_t pid, Nanos deadline, os::ChildExit& out);

// The first that ends of the children this process forked, also of those it forks meanwhile. The
// end of a child of proc_open() is told once and left to proc_close(). group: 0 for any, otherwise
// only of that process group.
int wait_forked(pid_t group, Nanos deadline, os::ChildExit& out);

// Takes the child's end when it comes; nobody waits for it any more.
void reap_later(pid_t pid);
// The wait for it was given up: a coroutine whose time is over leaves none behind. True when it was
// killed, with what it has started; the caller sees to its end.
bool kill_when_out_of_time(pid_t pid);
// The time limit of the running coroutine is over.
bool is_out_of_time();

}  // namespace stampede::io
