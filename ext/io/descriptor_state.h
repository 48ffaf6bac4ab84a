// What is known of a descriptor of the application, all of it in one place: which coroutines use
// it, what it is, which transport of PHP has opened it, and how the kernel watches it. By number;
// one table per process, PHP thread, never parks.
//
//   sockets of the API --> io::Descriptor         users, the second one's error --+
//   Swoole\Event       --> classes/event          its watch                       |
//   hooks of calls     --> hooks/connection_use   users, the second one's error   |-->
//   DescriptorState
//                          hooks/kinds            socket, pipe, file              |    of this
//                          number hooks/transports       tcp://, ssl://, ...             |
//                          hooks/readiness        waits, what was told and read --+
//
// Each of them may watch the descriptor; the loop hands all of them what it is told.
//
// The states are never freed: the loop holds their address, and a coroutine that wakes from its
// wait after the descriptor was closed still finds the state of the number. A close() ends what is
// known in one call, forget_descriptor() in hooks/descriptors.cc; one that escapes the hooks (a
// library that is not redirected) leaves it outdated, so each part says what it does with a result
// that does not fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "loop/loop.h"
#include "runtime/runtime.h"

namespace stampede::io {

enum class Direction : uint8_t { kRead, kWrite };

// The coroutines that wait for the descriptor, or are about to go on after such a wait.
struct Users {
    runtime::Fiber* reader = nullptr;
    runtime::Fiber* writer = nullptr;

    runtime::Fiber*& of(Direction direction) {
        return direction == Direction::kRead ? reader : writer;
    }
};

enum class DescriptorKind : uint8_t {
    kUnknown,
    kSocket,
    kPipe,                   // terminals, too
    kRegular,                // and directories: what lies on a disk
    kRegularWrittenBlindly,  // its file system cannot tell whether a write would wait
    kOther,
};

// How the kernel watches a descriptor.
enum class Armed : uint8_t {
    kNot,
    kOnce,  // silent after the next event
    kEdge,  // tells of everything new, for as long as the descriptor is open
};

// What is known of a descriptor as long as the kernel watches it.
struct Registration {
    uint32_t generation = 0;  // of the loop
    Armed armed = Armed::kNot;
    bool doubted = false;  // whether the kernel still has it: a close() may have escaped us
    bool checked = false;  // the kernel was asked for this wait
    bool sent = false;     // and nothing was asked for since
    bool drained = false;  // nothing was left to read, and nothing came since
    bool ended = false;    // its peer sends no more
    bool failed = false;   // or both directions are closed: poll() says more of it
    bool asked = false;    // by the loop, when it was waited for the first time
    uint32_t left = 0;     // bytes that are surely there still; may be more
    std::optional<bool> is_stream;  // what is read short was all there was
};

// The wait for its events. The descriptor stays in the kernel's set after it: waiting again for
// something to read takes no call. That is enough because the waiting coroutine has found nothing
// to read just before; what comes later is new.
struct Wait {
    runtime::Fiber* fiber = nullptr;
    uint32_t events = 0;    // what has come while the coroutine waited
    uint64_t began_at = 0;  // Loop::looks() when the wait began
    bool is_sure = true;    // what has come was fetched after that
};

struct DescriptorState : loop::Watch {
    Users users;
    DescriptorKind kind = DescriptorKind::kUnknown;
    uint8_t transport = 0;  // its flag, SWOOLE_HOOK_...
    Registration registration;
    Wait wait;
    loop::Watch* event = nullptr;  // of Swoole\Event
    uint64_t written = 0;          // bytes, to a plain file, since it was opened
};

extern std::vector<std::unique_ptr<DescriptorState>> descriptor_states;  // by descriptor

// Null when nothing is known.
inline DescriptorState* find_state(int fd) {
    auto index = static_cast<size_t>(fd);  // a negative one is larger than any
    return index < descriptor_states.size() ? descriptor_states[index].get() : nullptr;
}

// Of a descriptor that is not negative.
DescriptorState& state_of(int fd);

}  // namespace stampede::io
