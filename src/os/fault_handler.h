// Tells a stack overflow from other memory faults and says so before the process dies of it.
// One per process, installed on the PHP thread; the description runs in a signal handler on a stack
// of its own.
#pragma once

#include <cstddef>

namespace stampede::os {

// Async-signal-safe: writes one line about address into out and returns its length, 0 when the
// fault is none of ours.
using DescribeFault = size_t (*)(const void* address, char* out, size_t capacity);

// Keeps the handler that was there for every other fault. Calling it again changes the description
// only.
void install_fault_handler(DescribeFault describe);

}  // namespace stampede::os
