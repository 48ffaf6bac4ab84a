// Signals for code that waits for them now and then, beside their usual handlers: the
// handler notes the number, wakes a descriptor and calls the handler that was there before, but for
// PHP's own, which would carry out the default action. One per process. The loop's thread reads
// it; never parks.
#pragma once

#include <cstdint>

#include "base/error.h"

namespace stampede::os {

inline constexpr int kLastSignal = 64;

// The function that a signal calls now; null for the default action and for none.
const void* present_handler(int signal_number);

class SignalTap {
public:
    static SignalTap& get();

    // The wake-up descriptor; made when it is not there.
    Result<int> open();
    Error add(int signal_number);
    // Asked in add(): handlers that would only do what happens without one (end the process) are
    // not called behind ours.
    void set_is_default(bool (*is_default)(int signal_number, const void* handler)) {
        is_default_ = is_default;
    }
    // The action that was there before comes back, unless somebody has set another since.
    void remove(int signal_number);
    // The signals that arrived since the last call (bit n-1 = signal n).
    uint64_t drain();
    // In a forked child: all actions as before, a new descriptor with the next open().
    void reset();

private:
    int fd_ = -1;
    uint64_t tapped_ = 0;
    bool (*is_default_)(int, const void*) = nullptr;
};

}  // namespace stampede::os
