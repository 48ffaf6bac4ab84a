#include "hooks/fairness.h"

#include <fcntl.h>
#include <poll.h>

#include <cerrno>

#include "base/clock.h"
#include "hooks/connection_use.h"
#include "hooks/readiness.h"
#include "runtime/runtime.h"
#include "zend/caller.h"
#include "zend/engine_version.h"
#include "zend/throw.h"

namespace stampede::hooks::fairness {

namespace {

// What an iteration of the loop may last before others get their turn. Those that sleep for a
// millisecond are due after two of these at most.
constexpr Nanos kAtOnce = kMillisecond;

// A library that made the descriptor non-blocking expects no switch in its calls: libcurl refuses
// to be called again before this one has returned.
bool may_switch(int fd) {
    int mode = ::fcntl(fd, F_GETFL);
    return mode >= 0 && (mode & O_NONBLOCK) == 0;
}

bool may_park() {
    runtime::Runtime* runtime = runtime::Runtime::peek();
    return runtime != nullptr && runtime->can_park() && !zend::exception_pending();
}

// Code that others take for loaded is not left half way only for fairness.
bool has_lasted() {
    return monotonic_now() - runtime::Runtime::get().loop().iteration_time() >= kAtOnce &&
           !zend::loads_class() && !zend::in_file_included_once();
}

// The descriptor is noted as in use while the coroutine waits for its turn: what it has just read
// or written may be a part of a message, no other coroutine may come in between, and one that
// closes it lets this one leave its call first.
void make_room_using(int fd, short events) {
    ConnectionUse use(fd, events);
    runtime::Runtime::get().make_room();
    if ((events & POLLIN) != 0) {
        note_delivered(fd);
    }
}

}  // namespace

size_t moved;

void look() {
    moved = 0;
    if (may_park() && has_lasted()) {
        int error = errno;
        runtime::Runtime::get().make_room();
        errno = error;
    }
}

// errno belongs to the call before.
void look_beside(int fd, short events) {
    moved = 0;
    if (may_park() && has_lasted()) {
        int error = errno;
        if (may_switch(fd)) {
            make_room_using(fd, events);
        }
        errno = error;
    }
}

// opendir() of the C library sets O_NONBLOCK, which tells nothing of what calls the folder.
void look_in_folder(int fd) {
    moved = 0;
    if (may_park() && has_lasted()) {
        int error = errno;
        make_room_using(fd, POLLIN);
        errno = error;
    }
}

}  // namespace stampede::hooks::fairness
