// Programs that coroutines have started by proc_open(): one that has run out of time ends with
// them, although nothing may wait for them any more. Remembered of coroutines with a time limit
// alone, until they end. PHP thread; never parks.
#pragma once

#include <cstdint>

namespace stampede::hooks {

// Once, before code is compiled.
void note_started_programs();
// Those that run are killed, with all that they have started.
void end_programs_of(int64_t coroutine);
void forget_programs_of(int64_t coroutine);
// In a child of this process, whose programs they are not.
void forget_started_programs();

}  // namespace stampede::hooks
