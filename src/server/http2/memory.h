// Where nghttp2 gets its memory from: a request costs it a dozen small pieces, which are kept for
// the next one. Owned by the process; loop thread only; never parks.
#pragma once

#include <nghttp2/nghttp2.h>

namespace stampede::server {

nghttp2_mem* http2_memory();

}  // namespace stampede::server
