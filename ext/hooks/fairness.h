// Calls that never have to wait would keep the processor for one coroutine: after some milliseconds
// the others get theirs. Reads, writes and look-ups that are done in place count what they cost,
// and now and then look at the clock. PHP thread; parks.
#pragma once

#include <cstddef>
#include <sys/types.h>

namespace stampede::hooks {

namespace fairness {

constexpr size_t kBytesPerLook = 256 * 1024;
constexpr size_t kPerCall = 32 * 1024;
extern size_t moved;  // since the last look at the clock

void look();
void look_beside(int fd, short events);
void look_in_folder(int fd);

}  // namespace fairness

// A call that is done in place moves at most this much before it makes room for others.
constexpr size_t kLargestPiece = 256 * 1024;

inline void make_room_beside(int fd, short events, size_t cost) {
    fairness::moved += cost;
    if (fairness::moved >= fairness::kBytesPerLook) {
        fairness::look_beside(fd, events);
    }
}

// After a call that has moved bytes through a descriptor that is waited for in coroutines. errno
// stays.
inline void make_room_after(int fd, short events, ssize_t count) {
    if (count <= 0) {
        return;
    }
    make_room_beside(fd, events, static_cast<size_t>(count) + fairness::kPerCall);
}

// The same for a file: what a caller does with its bytes takes longer than the read did.
inline void make_room_after_file(int fd, short events, ssize_t count) {
    constexpr size_t kWorkOnIt = 8;
    if (count > 0) {
        make_room_beside(fd, events, kWorkOnIt * static_cast<size_t>(count) + fairness::kPerCall);
    }
}

// The same for a folder of which a name is read: some 100 ns each.
inline void make_room_in_folder(int fd) {
    constexpr size_t kPerName = 1024;
    fairness::moved += kPerName;
    if (fairness::moved >= fairness::kBytesPerLook) {
        fairness::look_in_folder(fd);
    }
}

// The same after a call that has no descriptor, or one that nothing else may take from the caller.
inline void make_room_after_call(size_t cost) {
    fairness::moved += cost;
    if (fairness::moved >= fairness::kBytesPerLook) {
        fairness::look();
    }
}

}  // namespace stampede::hooks
