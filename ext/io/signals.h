// Signals that a script asks for: Process::signal() and coroutines that wait for one. A listener is
// told on the loop, once for all signals of its number that came since. Owned by the code that
// listens; PHP thread; never parks. As long as somebody listens the loop has something to wait for,
// unless the listener says otherwise.
#pragma once

#include "base/error.h"
#include "base/list.h"

namespace stampede::io {

struct SignalListener : ListNode {
    int number = 0;
    // A loop callback: it may only queue. The listener may be removed in it.
    void (*on_signal)(SignalListener&) = nullptr;
    bool keeps_loop = true;  // once it listens: keep_loop()
};

// The previous handler of the signal goes on, too, beside the listeners. The error is EINVAL for
// what cannot be caught.
Error listen_to_signal(int number, SignalListener& listener);
// After the last listener has gone everything is as it was.
void stop_listening(SignalListener& listener);
void keep_loop(SignalListener& listener, bool keeps);
int signal_listeners();
bool is_listened_to(int number);

}  // namespace stampede::io
