// The head parser as compiled for each instruction set; one is chosen when the program starts.
// Constants. Tests and benchmarks run each of them. Any thread, never parks.
#pragma once

#include "proto/http1/head_parser.h"

namespace stampede::proto::http1 {

struct ParserTable {
    ParseFunction padded;
    ParseFunction exact;
    const char* name;
};

const ParserTable& portable_parser();
#if defined(__x86_64__)
extern const ParserTable kSsse3Parser;
extern const ParserTable kAvx2Parser;
#endif

}  // namespace stampede::proto::http1
