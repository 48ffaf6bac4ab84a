// Finds calls that hold the process: what could not be made to wait in its coroutine and lasted
// longer than swoole.blocking_threshold is logged with its place and counted. Off unless
// swoole.blocking_detection is on; costs the PHP thread nothing until something is suspected, since
// a helper thread looks. One per process.
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace stampede::runtime {

void install_blocking_watch();  // once per process
void remove_blocking_watch();
void start_blocking_watch();  // when a runtime exists

struct BlockingCalls {
    uint64_t count;
    Nanos total;
    Nanos longest;
    char last[512];  // place and call, empty when there was none
};
const BlockingCalls& blocking_calls();

}  // namespace stampede::runtime
