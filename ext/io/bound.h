// The error of a coroutine that uses what another one is using already: a connection, a client, a
// handle. PHP thread, never parks.
#pragma once

#include "runtime/runtime.h"

namespace stampede::io {

struct Bound {
    const char* name = "The connection";
    const char* kind = "connection";
    const char* advice = "give each coroutine a connection of its own";
};

// Throws the API's error, which names both coroutines, their lines, and what they want: the holder
// is `doing`, and the current coroutine came for `wanting` ("reading", "writing", "waiting for a
// reply"). An exception that is pending stays the only one.
void throw_bound(Bound what, const runtime::Fiber& holder, const char* doing, const char* wanting);

// The same for a socket, "Socket#5"; "The socket" where it has no number yet.
void throw_bound_socket(int fd, const runtime::Fiber& holder, const char* doing,
                        const char* wanting, const char* advice = Bound{}.advice);

}  // namespace stampede::io
