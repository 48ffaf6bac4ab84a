#include "hooks/readiness.h"

#include <cerrno>
#include <new>

#include "io/descriptor.h"
#include "os/fd.h"
#include "zend/php.h"

namespace stampede::hooks {

using runtime::Fiber;
using runtime::Runtime;
using runtime::WakeReason;

namespace {

struct Group;

struct Part : loop::Watch {
    Group* group;
    bool watched = false;
    bool duplicated = false;
};

// On the heap: what the loop sees does not lie on a coroutine's stack.
struct Group {
    Fiber* fiber;
    uint32_t generation;
    nfds_t count;
    bool ready_at_once = false;
    Part parts[1];
};

uint32_t interest_of(short events) {
    return ((events & (POLLIN | POLLRDNORM | POLLRDHUP)) != 0 ? loop::kReadable : 0) |
           ((events & (POLLOUT | POLLWRNORM)) != 0 ? loop::kWritable : 0);
}

void on_ready(loop::Watch& watch, uint32_t) {
    Group& group = *static_cast<Part&>(watch).group;
    Runtime::peek()->wake(*group.fiber, WakeReason::kReady);
}

void start(Part& part, const pollfd& wanted, Group& group) {
    loop::Loop& loop = Runtime::get().loop();
    new (&part) Part();
    part.group = &group;
    part.fd = wanted.fd;
    part.interest = interest_of(wanted.events);
    part.on_ready = on_ready;
    if (wanted.fd < 0) {
        return;
    }
    Error error = loop.watch(part);
    if (error.is_system(EEXIST)) {
        if (Result<int> second = os::duplicate(wanted.fd)) {
            part.fd = *second;
            part.duplicated = true;
            error = loop.watch(part);
        }
    }
    part.watched = !error;
    // What cannot be watched (a regular file) is always ready, what is no descriptor says so.
    group.ready_at_once = group.ready_at_once || error;
}

void stop(Group& group) {
    bool same_loop = group.generation == Runtime::loop_generation();
    for (nfds_t i = 0; i < group.count; i++) {
        Part& part = group.parts[i];
        if (part.watched && same_loop) {
            Runtime::get().loop().unwatch(part);
        }
        if (part.duplicated) {
            os::close_fd(part.fd);
        }
    }
}

Waited outcome_of(WakeReason reason) {
    return reason == WakeReason::kReady || reason == WakeReason::kTimeout ? Waited::kTryAgain
                                                                          : Waited::kGivenUp;
}

}  // namespace

Waited wait_for_any(const pollfd* fds, nfds_t count, Nanos deadline) {
    if (count == 0) {
        return outcome_of(Runtime::get().park(deadline));
    }
    auto* group = static_cast<Group*>(safe_emalloc(count, sizeof(Part), sizeof(Group)));
    group->fiber = Runtime::get().current();
    group->generation = Runtime::loop_generation();
    group->count = count;
    group->ready_at_once = false;
    for (nfds_t i = 0; i < count; i++) {
        start(group->parts[i], fds[i], *group);
    }
    WakeReason reason = group->ready_at_once ? WakeReason::kReady : Runtime::get().park(deadline);
    stop(*group);
    efree(group);
    return outcome_of(reason);
}

}  // namespace stampede::hooks
