#include "hooks/readiness.h"

#include <cerrno>
#include <memory>
#include <new>
#include <vector>

#include "io/descriptor.h"
#include "os/fd.h"
#include "zend/throw.h"

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

// Parks; whoever is thrown at while it waits (a time limit) does not go on waiting.
Waited park_until(Nanos deadline) {
    bool was_pending = zend::exception_pending();
    WakeReason reason = Runtime::get().park(deadline);
    bool over = reason != WakeReason::kReady && reason != WakeReason::kTimeout;
    return over || (!was_pending && zend::exception_pending()) ? Waited::kGivenUp
                                                               : Waited::kTryAgain;
}

// One descriptor that was waited for alone. It stays in the kernel's set, silent until it is waited
// for again. The kernel forgets it when it is closed; the next wait finds that out by itself.
struct Known : loop::Watch {
    Fiber* fiber = nullptr;  // who waits
    uint32_t generation = 0;
};

std::vector<std::unique_ptr<Known>> known;  // by descriptor

void on_known_ready(loop::Watch& watch, uint32_t) {
    Known& self = static_cast<Known&>(watch);
    if (self.fiber != nullptr) {
        Runtime::peek()->wake(*self.fiber, WakeReason::kReady);
    }
}

Known& known_at(int fd) {
    auto index = static_cast<size_t>(fd);
    if (known.size() <= index) {
        known.resize(index + 64);
    }
    if (known[index] == nullptr) {
        known[index] = std::make_unique<Known>();
        known[index]->fd = fd;
        known[index]->on_ready = on_known_ready;
    }
    return *known[index];
}

// False when it cannot be: something else watches it, or it is nothing to wait for.
bool arm(Known& self, uint32_t interest) {
    loop::Loop& loop = Runtime::get().loop();
    self.interest = interest | loop::kOnce;
    if (self.generation == Runtime::loop_generation()) {
        Error error = loop.rearm(self);
        if (!error) {
            return true;
        }
        self.generation = 0;
        loop.forget(self);  // it was closed meanwhile
        loop.ignore_for_liveness(-1, 0);
    }
    if (loop.watch(self)) {
        return false;
    }
    loop.ignore_for_liveness(1, 0);
    self.generation = Runtime::loop_generation();
    return true;
}

Waited wait_for_one(Known& self, Nanos deadline) {
    Runtime& runtime = Runtime::get();
    uint32_t generation = self.generation;
    self.fiber = runtime.current();
    runtime.loop().ignore_for_liveness(-1, 0);
    Waited waited = park_until(deadline);
    if (generation == Runtime::loop_generation()) {
        runtime.loop().ignore_for_liveness(1, 0);
    }
    self.fiber = nullptr;
    return waited;
}

}  // namespace

Waited wait_for_any(const pollfd* fds, nfds_t count, Nanos deadline) {
    if (count == 0) {
        return park_until(deadline);
    }
    if (count == 1 && fds->fd >= 0) {
        Known& one = known_at(fds->fd);
        if (one.fiber == nullptr && arm(one, interest_of(fds->events))) {
            return wait_for_one(one, deadline);
        }
    }
    auto* group = static_cast<Group*>(safe_emalloc(count, sizeof(Part), sizeof(Group)));
    group->fiber = Runtime::get().current();
    group->generation = Runtime::loop_generation();
    group->count = count;
    group->ready_at_once = false;
    for (nfds_t i = 0; i < count; i++) {
        start(group->parts[i], fds[i], *group);
    }
    Waited waited = group->ready_at_once ? Waited::kTryAgain : park_until(deadline);
    stop(*group);
    efree(group);
    return waited;
}

void stop_watching(int fd) {
    if (fd < 0 || static_cast<size_t>(fd) >= known.size() || known[fd] == nullptr) {
        return;
    }
    Known& self = *known[fd];
    if (self.generation == Runtime::loop_generation() && self.fiber == nullptr) {
        Runtime::peek()->loop().unwatch(self);
        Runtime::peek()->loop().ignore_for_liveness(-1, 0);
        self.generation = 0;
    }
}

}  // namespace stampede::hooks
