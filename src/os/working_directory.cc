#include "os/working_directory.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace stampede::os {

int hold_working_directory() { return ::open(".", O_PATH | O_DIRECTORY | O_CLOEXEC); }

bool enter_directory(int held) { return held >= 0 && ::fchdir(held) == 0; }

void release_directory(int held) {
    if (held >= 0) {
        ::close(held);
    }
}

// The kernel tells the mask only to a process that sets one.
unsigned file_mode_mask() {
    mode_t mask = ::umask(077);
    ::umask(mask);
    return mask;
}

void set_file_mode_mask(unsigned mask) { ::umask(static_cast<mode_t>(mask)); }

}  // namespace stampede::os
