// file(), which makes one large value of what it has read. PHP's own takes as long as it is large
// for that, without a call in between that could let other coroutines go on; this one does the same
// in pieces. PHP thread; it parks.
#pragma once

namespace stampede::hooks {

// When the module starts.
void take_turns_in_whole_reads();

}  // namespace stampede::hooks
