// Where nghttp2 gets its memory from: a request costs it a dozen small pieces, which are kept for
// the next one, a limited number of each size. Part of Session; nobody else includes it. Owned by
// the process; there is no lock, so that all sessions which take from it belong to one thread.
// Never parks.
#pragma once

#include <nghttp2/nghttp2.h>

namespace stampede::proto::http2 {

nghttp2_mem* pooled_memory();

}  // namespace stampede::proto::http2
