// The way of a TLS session to its descriptor: OpenSSL's own one writes with write(), which raises
// SIGPIPE. Owned by the SSL it is given to; any one thread; never parks.
#pragma once

#include "base/buffer.h"

using BIO = struct bio_st;

namespace stampede::tls {

// Null when memory is short. Does not close the descriptor.
BIO* new_socket_bio(int fd);

// The last read took everything that was there.
bool socket_is_drained(BIO* bio);

// Records are gathered in the buffer from now on, up to 256 KiB; null: they go to the descriptor.
void divert_output(BIO* bio, Buffer* output);

}  // namespace stampede::tls
