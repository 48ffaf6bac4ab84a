// Processes: fork, reap, signal, limits, identity. Thin calls, errno -> Error. The supervisor's
// thread; never parks.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <string>

#include "base/clock.h"
#include "base/error.h"

namespace stampede::os {

enum class SignalsOfChild : uint8_t {
    kAsBefore,
    kBlocked,  // until the child calls unblock_all_signals()
};
Result<pid_t> fork_process(SignalsOfChild signals = SignalsOfChild::kAsBefore);
// Kept, since it is asked for with every lock and task.
pid_t own_pid();
// For code that puts memory of another process, in which the number is kept, into this one.
void forget_own_pid();
pid_t parent_pid();

struct ChildExit {
    pid_t pid = 0;   // 0: none has ended
    int code = 0;    // exit code
    int signal = 0;  // signal that ended it, 0 = none
};
// One ended child, without waiting. As PID 1 or as an adopter also orphans of others.
ChildExit reap_child();
// Blocks until this child has ended.
ChildExit block_until_ended(pid_t pid);
// From now on processes below this one whose parent ends become its children.
void adopt_orphans();

// As far as /proc tells; it does where Linux is.
bool has_one_thread();

bool send_signal(pid_t pid, int signal_number);
void stop_self();  // SIGSTOP: returns when continued
void signal_on_parent_death(int signal_number);
void die_by_signal(int signal_number);  // default action, raised
[[noreturn]] void exit_now(int code);   // no destructors, no flushing
// What the C library has buffered is written, handlers of atexit() are passed over.
[[noreturn]] void exit_flushed(int code);

// From now on this process waits, where all processors are busy, until one that runs has had its
// share. False when the kernel does not allow it, or this process has another policy than the usual
// one.
bool run_in_batches();

// Detaches from the terminal: the caller goes on in the background child, the foreground parent
// exits with 0.
Error daemonize();

// Two connected stream sockets, close-on-exec, non-blocking.
Error open_socket_pair(int (&ends)[2]);

struct Identity {
    std::string user;
    std::string group;
    std::string chroot;
};
// One sentence on failure, empty when all is done.
std::string assume_identity(const Identity& identity);

uint64_t descriptor_limit();
uint64_t open_descriptors();
// Raises the soft limit of open descriptors to the hard one.
void raise_descriptor_limit();
// When memory runs out, the kernel ends this process before the one that forked it.
void raise_oom_score();

// Reads the beginning of /proc/PID/NAME as a string; false, and an empty string, when there is no
// such process or no /proc.
bool read_process_file(pid_t pid, const char* name, std::span<char> text);

// How long the process has waited for a processor since it began; 0 where the kernel does not say.
Nanos processor_delay(pid_t pid);

// Bytes in memory, 0 when there is no such process. Does not wait for the process.
uint64_t resident_memory(pid_t pid);

std::string write_pid_file(const std::string& path, pid_t pid);  // one sentence on failure
void remove_file(const std::string& path);

}  // namespace stampede::os
