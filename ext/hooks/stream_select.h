// stream_select() on streams that coroutines share. A stream has a buffer: a coroutine that reads
// one line may take others from the descriptor, too, and leave them there, where no event tells
// another one that waits of them. PHP thread.
#pragma once

namespace stampede::hooks {

// The wait of the current coroutine was woken and found nothing: another one has read what came.
// True when the wait is to end for that, because stream_select() looks at the buffers again and
// waits on.
bool ends_in_vain();

// When the module starts and when it goes.
void guard_stream_select();
void forget_selects();  // of a script, or of the parent of a fork

}  // namespace stampede::hooks
