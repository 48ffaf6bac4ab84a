#include "hooks/fairness.h"

#include <fcntl.h>

#include <cerrno>

#include "base/clock.h"
#include "hooks/connection_use.h"
#include "runtime/runtime.h"
#include "zend/throw.h"

namespace stampede::hooks::fairness {

namespace {

constexpr Nanos kAtOnce = 2 * kMillisecond;  // what an iteration of the loop may last before

// A library that made the descriptor non-blocking expects no switch in its calls: libcurl refuses
// to be called again before this one has returned.
bool may_switch(int fd) {
    int mode = ::fcntl(fd, F_GETFL);
    return mode >= 0 && (mode & O_NONBLOCK) == 0;
}

}  // namespace

size_t moved;

// The descriptor is noted as in use while the coroutine waits for its turn: what it has just read
// or written may be a part of a message, and no other coroutine may come in between. errno belongs
// to the call before.
void look(int fd, short events) {
    moved = 0;
    runtime::Runtime* runtime = runtime::Runtime::peek();
    if (runtime == nullptr || !runtime->can_park() || zend::exception_pending() ||
        monotonic_now() - runtime->loop().iteration_time() < kAtOnce) {
        return;
    }
    int error = errno;
    if (may_switch(fd)) {
        ConnectionUse use(fd, events);
        runtime->make_room();
    }
    errno = error;
}

}  // namespace stampede::hooks::fairness
