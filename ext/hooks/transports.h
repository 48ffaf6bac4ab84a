// Which of PHP's ways to open a stream has made a socket, where a flag names that way: below,
// "ssl://" and "tls://" are the same TCP. Part of the descriptor's state; PHP thread, never parks.
#pragma once

#include <cstdint>

namespace stampede::hooks {

// Stands in front of the transports that have a flag; again for what was registered since.
void watch_transports();
void restore_transports();

// A new socket: of the transport that is being opened, if one is.
void note_transport(int fd);
// A connection belongs to the transport of the socket that has accepted it.
void inherit_transport(int listener, int fd);
// An end of a pair.
void note_pair(int fd);
// Its flag, 0 where none is known.
uint32_t transport_of(int fd);

}  // namespace stampede::hooks
