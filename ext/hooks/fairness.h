// Reads and writes that never have to wait would keep the processor for one coroutine: after some
// milliseconds the others get theirs. PHP thread; parks.
#pragma once

#include <cstddef>
#include <sys/types.h>

namespace stampede::hooks {

namespace fairness {

constexpr size_t kBytesPerLook = 256 * 1024;
constexpr size_t kPerCall = 32 * 1024;  // a caller works on what it has read
extern size_t moved;                    // since the last look at the clock

void look(int fd, short events);

}  // namespace fairness

// After a call that has moved bytes through a descriptor that is waited for in coroutines. errno
// stays.
inline void make_room_after(int fd, short events, ssize_t count) {
    if (count <= 0) {
        return;
    }
    fairness::moved += static_cast<size_t>(count) + fairness::kPerCall;
    if (fairness::moved >= fairness::kBytesPerLook) {
        fairness::look(fd, events);
    }
}

}  // namespace stampede::hooks
