// Descriptors of this process that misbehave when two processes have them after a fork:
// connections, pipes, files with a position or a lock. Looks into /proc/self; any thread, never
// waits.
#pragma once

#include <string>
#include <vector>

namespace stampede::os {

struct OpenFile {
    int fd;
    std::string what;  // "a connection to 127.0.0.1:3306", "the file /tmp/a with a lock"
};

// Not what can be shared: standard input and output under any number, devices, files that are only
// appended to, source code, what the kernel made for an event loop.
std::vector<OpenFile> shareless_files();

}  // namespace stampede::os
