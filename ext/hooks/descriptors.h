// Numbers of descriptors that come and go. What is known of a descriptor is known by its number, so
// it is forgotten when the number's descriptor is closed or replaced, and again when the number is
// given to a new one: a library outside of the hooks, or libc itself, may have closed the old one.
// PHP thread; forget_descriptor() may run a coroutine that waits for the descriptor.
#pragma once

#include <cstdio>

namespace stampede::hooks {

// The descriptor is about to be closed, or its number to be given to another one.
void forget_descriptor(int fd);

// The kernel has just made it: nothing of what is known under its number is true of it.
void note_opened(int fd);

// fclose() closes the descriptor within libc, where no hook sees it.
int close_file(FILE* file);

}  // namespace stampede::hooks
