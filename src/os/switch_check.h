// Tries functions that change stacks before anything depends on them: they belong to another
// program, whose calling convention is known but not promised. At start, one thread.
#pragma once

#include <cstddef>

namespace stampede::os {

struct StackSwitch {
    // What a jump hands over on arrival: where the stack that was left goes on, and its data.
    struct Arrival {
        void* handle;
        void* data;
    };
    Arrival (*jump)(void* handle, void* data);
    void* (*make)(void* stack_top, size_t bytes, void (*entry)(Arrival));
};

// Jumps to a new stack and back, twice. Null when all arrived as it should, else what went wrong.
// Faults on the way are caught; what never comes back is not.
const char* try_switch(const StackSwitch& functions);

}  // namespace stampede::os
