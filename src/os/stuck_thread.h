// Looks, in a signal handler on the thread itself, whether code that does not come back can be left
// in the instruction that it is at, and leaves it there. One per process.
#pragma once

#include <pthread.h>

namespace stampede::os {

// `leave` is asked on the thread, in the signal handler: a function that runs on its stack from
// there and never returns, or null. Async-signal-safe. `allocator` is an address range of the
// program whose code must never be left half-way, libc's own is known.
struct AddressRange {
    const void* begin = nullptr;
    const void* end = nullptr;
};
using JudgeStuckThread = void (*(*)())();
void install_stuck_thread_handler(JudgeStuckThread leave, AddressRange allocator);

// From any thread.
void look_at_thread(pthread_t thread);

}  // namespace stampede::os
