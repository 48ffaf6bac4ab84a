// What a script does with processes of its own: pairs of pipes, waiting for children, standard
// streams, alarms, priorities, processors, replacing the program. Thin calls, errno -> Error. PHP
// thread; what is said to wait blocks it.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "os/process.h"

namespace stampede::os {

// Two connected unix sockets of the type (SOCK_STREAM, SOCK_DGRAM), close-on-exec, blocking.
Error open_unix_pair(int type, int (&ends)[2]);
// Makes it the process's standard input, and its standard output.
Error replace_standard_streams(int fd);

enum class Waiting : unsigned char { kBlock, kLook };
// Any child that has ended; the error is ECHILD when there is none.
Result<ChildExit> wait_for_child(Waiting waiting);

// A signal after so many microseconds and then again and again; negative stops it. which: 0 real
// time, 1 the process's own time, 2 that and the kernel's for it.
Error set_alarm(long microseconds, int which);
Error set_affinity(const std::vector<int>& processors);
Result<std::vector<int>> affinity();
Error set_priority(int which, int who, int priority);
Result<int> priority(int which, int who);
// Comes back only when it failed. The strings end with a null pointer.
Error replace_program(const char* path, char* const* arguments);

struct DaemonOptions {
    bool keep_directory = true;
    bool keep_streams = true;
    std::array<int, 3> streams{-1, -1, -1};  // instead of the standard ones, -1 = as it is
};
// The caller goes on in a background process of a session of its own.
Error become_daemon(const DaemonOptions& options);

}  // namespace stampede::os
