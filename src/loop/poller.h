// What a loop needs from the operating system: readiness of descriptors. One of the seams:
// epoll, io_uring, scripted. Owned by one Loop, used on its thread only. Never parks; wait() blocks
// the thread for at most its timeout.
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "base/error.h"

namespace stampede::loop {

inline constexpr uint32_t kReadable = 1;
inline constexpr uint32_t kWritable = 2;
// Interest: report changes only, so that the kernel need not look at the descriptor again in the
// next iteration. A caller that asks for it reads until there is no more. Event: the peer sends
// nothing after what is readable now.
inline constexpr uint32_t kEdge = 16;
inline constexpr uint32_t kHangup = 4;  // error or both directions closed; always reported
inline constexpr uint32_t kExclusive =
    8;  // interest only: wake one of the processes that watch the descriptor

inline constexpr uint32_t kOnce =
    32;  // interest: nothing more after the next event, until modified
// Interest and event: a mark of urgent data lies in what is readable. A read ends at it, with more
// after it.
inline constexpr uint32_t kUrgent = 64;
// Interest: to be asked once before the poller is told. For a descriptor that is likely to be
// waited for no second time. Event: it is not watched any more; it was ready, or has no readiness
// (no other bit is set).
inline constexpr uint32_t kAskFirst = 128;

// Something that wants to know about a descriptor. The owner embeds it; it must stay where it is
// while watched.
struct Watch {
    using Callback = void (*)(Watch&, uint32_t events);

    int fd = -1;
    uint32_t interest = 0;
    Callback on_ready = nullptr;
};

struct Ready {
    Watch* watch;
    uint32_t events;
};

class Poller {
public:
    virtual ~Poller() = default;
    virtual Error add(Watch& watch) = 0;
    virtual Error modify(Watch& watch) = 0;
    virtual void remove(Watch& watch) = 0;
    // The same for a watch whose descriptor has been closed: the kernel need not be told.
    virtual void forget(Watch& watch) { (void)watch; }
    // Fills out with at most capacity entries; returns how many. A timeout of kNever waits for the
    // next event.
    virtual int wait(Ready* out, int capacity, Nanos timeout) = 0;
    // Readable while wait() has something to report; -1 when it cannot be told.
    virtual int descriptor() const { return -1; }
    // After fork, in the child: forget everything without touching what the parent still uses.
    virtual void abandon() = 0;
    // After fork, in a child that goes on with what is watched: a set of the kernel of its own.
    virtual Error part() { return Error::system(ENOTSUP); }
};

}  // namespace stampede::loop
