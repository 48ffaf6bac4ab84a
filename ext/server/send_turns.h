// Coroutines that write to a connection that takes no more at the moment. The one that came first
// writes first, and a coroutine that comes meanwhile waits for it, so that the peer reads
// everything in the order in which it was sent. Owned by what sends to the connection; PHP thread;
// wait() parks.
#pragma once

#include "base/clock.h"
#include "base/list.h"
#include "runtime/fiber.h"

namespace stampede::classes {

// Something that is to be written, in one step or in several.
class Delivery {
public:
    enum class Step : uint8_t {
        kDone,
        kFull,    // the rest needs room
        kFailed,  // the API's last error says why
    };
    // Writes as much as there is room for. Never parks.
    virtual Step go_on() = 0;
    // How long to wait at most before the next step, for connections that do not tell of room.
    virtual Nanos look_after() const = 0;

protected:
    ~Delivery() = default;
};

class SendTurns {
public:
    SendTurns() = default;
    SendTurns(const SendTurns&) = delete;
    SendTurns& operator=(const SendTurns&) = delete;

    bool empty() const { return waiting_.empty(); }
    // In a coroutine: until all of it is written. kFull: the time has come first, or the coroutine
    // was cancelled.
    Delivery::Step wait(Delivery& delivery, Nanos deadline);
    // There may be room, or the connection has gone: the first one looks.
    void look_again();

private:
    // On the stack of its coroutine. Not Fiber::wait, which leaves its list when the coroutine is
    // woken: others must not overtake it before it runs.
    struct Turn : ListNode {
        runtime::Fiber* fiber;
    };

    List<Turn> waiting_;
};

}  // namespace stampede::classes
