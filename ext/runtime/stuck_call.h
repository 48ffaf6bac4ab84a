// A coroutine whose time is over in a call that does not come back: it computes or waits in C code
// and never comes to an interrupt of the VM. Looked at by signals from a helper thread, it is left
// in the middle of that call by a fatal error, as if the memory limit had been met there. Its
// neighbours go on, and the worker, in which what the call held stays so, is replaced.
// PHP thread but for look_for_stuck_call(); never parks.
#pragma once

namespace stampede::runtime {

void watch_stuck_calls();  // of the calling thread, from now on; again after a fork

// On the helper thread, again and again while a limit is over.
void look_for_stuck_call();

// Since it was asked last: the coroutine that just ended by a fatal error did so because of its
// time.
bool take_stuck_end();

}  // namespace stampede::runtime
