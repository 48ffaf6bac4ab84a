// The stack on which the process has begun: the kernel makes it longer with use, up to a limit,
// and below that limit there is room to go on a little. The PHP thread and its signal handlers.
#pragma once

#include <cstddef>

namespace stampede::os {

struct MainStack {
    const char* end = nullptr;  // above its first byte; null where it is unknown
    size_t limit = 0;
};

// From now on raise_main_stack() can give so much more in all: what the kernel's hard limit lacks
// is taken from the soft one, and a stack without a limit gets one.
MainStack bound_main_stack(size_t room);
// Async-signal-safe. False when the kernel refuses it.
bool raise_main_stack(MainStack& stack, size_t more);

}  // namespace stampede::os
