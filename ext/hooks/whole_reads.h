// file() and shell_exec(), which make one large value of what they have read. PHP's own take as
// long as it is large for that, without a call in between that could let other coroutines go on;
// these do the same in pieces. PHP thread; they park.
#pragma once

namespace stampede::hooks {

// When the module starts and when it goes.
void take_turns_in_whole_reads();

}  // namespace stampede::hooks
