// Temporary files whose names say which process keeps them, so that what a killed one leaves can be
// found and removed. Thin calls, errno left set. Any thread; may block on the disk.
#pragma once

#include <string>

namespace stampede::os {

// A new file "FOLDER/KIND.SPACE.PID.XXXXXX", mode 0600, close-on-exec; SPACE is the number of the
// process's PID namespace. -1 with errno.
int make_owned_temporary(const std::string& folder, const char* kind, std::string& path);
// Removes what a process of this space left behind. For its supervisor, when it is dead.
void remove_temporaries_of(const std::string& folder, const char* kind, int pid);
// Removes what processes left that have ended, whether they were waited for or not, also when
// another process has their number by now. Those of another space (the container before this one)
// cannot be asked for: their files go when they are a day old.
void remove_orphaned_temporaries(const std::string& folder, const char* kind);

}  // namespace stampede::os
