// The standard headers come before the target is changed, so that nothing of theirs is compiled for
// it.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "proto/http/known_fields.h"
#include "proto/http/message.h"
#include "proto/http1/framing.h"
#include "proto/http1/request_parser.h"

#if defined(__x86_64__)

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("ssse3"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("ssse3")
#endif
#define STAMPEDE_SCAN_SSSE3 1

#include <immintrin.h>

#include "proto/http1/parser_table.h"

namespace stampede::proto::http1 {

const ParserTable kSsse3Parser = {
    &HeadParser<scan::Window<scan::Block16, scan::Padding::kPadded>>::parse,
    &HeadParser<scan::Window<scan::Block16, scan::Padding::kExact>>::parse,
    scan::Block16::kName,
};

}  // namespace stampede::proto::http1

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
