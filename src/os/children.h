// Children: commands through the shell, their ends, and which children this process forked itself.
// Thin calls, errno -> Error. The loop's thread; never parks.
#pragma once

#include <sys/types.h>

#include <vector>

#include "base/error.h"
#include "os/fd.h"
#include "os/process.h"

namespace stampede::os {

enum class Capture : uint8_t { kOutput, kOutputAndErrors };

struct Command {
    pid_t pid = 0;
    int output = -1;  // what it writes, non-blocking
};
// /bin/sh -c, with the usual signal actions and nothing inherited but standard input (and standard
// error, unless that is captured too).
Result<Command> run_shell(const char* command, Capture capture);

// Readable when the process has ended.
Result<int> open_pidfd(pid_t pid);
// What another process has as this descriptor, for this process as well. Refused by the kernel
// where this process may not trace the other.
Result<Fd> take_descriptor(int pidfd, int fd);
// Also of a process that its parent has not waited for yet. Any process may be asked about.
bool has_ended(pid_t pid);
// Takes the end of one child without waiting: pid 0 while it runs; ECHILD when it is no child of
// ours, or somebody else took its end.
Result<ChildExit> reap(pid_t pid);
// The same without taking it: somebody else will.
Result<ChildExit> look_at(pid_t pid);
pid_t group_of(pid_t pid);
// SIGKILL for a child of ours and what it has started, as far as that is still below it.
void kill_family(pid_t child);
// Takes the ends of all children that have ended. False: others still run.
bool reap_all();

// From now on every fork() of this process is noticed (not what posix_spawn and vfork make);
// on_fork is called in the parent after each.
void track_forks(void (*on_fork)());
// Those of them that may still be children.
std::vector<pid_t>& forked_children();

}  // namespace stampede::os
