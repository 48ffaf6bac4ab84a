// Signals as events of a loop: the handler only notes the number and wakes a descriptor. One inbox
// per process. The loop's thread reads it; never parks.
#pragma once

#include <csignal>
#include <cstdint>

#include "base/error.h"

namespace stampede::os {

class SignalInbox {
public:
    static SignalInbox& get();

    // Opens the wake-up descriptor; again after fork, in the child (the old one is closed).
    Error open();
    int fd() const { return fd_; }
    // From now on this signal lands in the inbox.
    Error take(int signal_number);
    void restore(int signal_number);  // default action
    void ignore(int signal_number);
    // The signals that arrived since the last call, as a bit set (bit n-1 = signal n).
    uint64_t drain();

private:
    static void on_signal(int signal_number);
    int fd_ = -1;
};

// A handler of its own for a signal that cannot wait for the loop; interrupts blocking calls.
void on_signal_directly(int signal_number, void (*handler)(int));

// Lets everything through that the parent may have blocked.
void unblock_all_signals();

}  // namespace stampede::os
