// A field in the form of nghttp2, whose own type cannot be declared without its header. Part of
// HeadFields and Session; nobody else includes it.
#pragma once

#include <nghttp2/nghttp2.h>

namespace stampede::proto::http2 {

struct NativeField : nghttp2_nv {};

// A run of them is one of nghttp2's.
static_assert(sizeof(NativeField) == sizeof(nghttp2_nv));

}  // namespace stampede::proto::http2
