#include "hooks/readiness.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "hooks/connection_use.h"
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

// Parks. If an exception is thrown into the coroutine meanwhile (a time limit), the wait is over.
Waited park_until(Nanos deadline) {
    bool was_pending = zend::exception_pending();
    WakeReason reason = Runtime::get().park(deadline);
    if (reason == WakeReason::kCancelled && is_ending_object()) {
        return Waited::kTryAgain;  // the connection is somebody else's, and would be cut
    }
    bool over = reason != WakeReason::kReady && reason != WakeReason::kTimeout;
    return over || (!was_pending && zend::exception_pending()) ? Waited::kGivenUp
                                                               : Waited::kTryAgain;
}

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
    std::optional<bool> is_stream;  // what is read short was all there was
};

// A descriptor that was waited for. It stays in the kernel's set: waiting again for something to
// read takes no call. That is enough because the waiting coroutine has found nothing to read just
// before; what comes later is new.
struct Known : loop::Watch, Registration {
    Fiber* fiber = nullptr;  // the waiting coroutine
    uint32_t events = 0;     // what has come while somebody waited
    uint64_t began_at = 0;   // Loop::looks() when the wait began
    bool is_sure = true;     // what has come was fetched after that
};

// A wait that relies on an older registration does so for this long, then asks the kernel.
constexpr Nanos kTrust = 100 * kMillisecond;
constexpr nfds_t kMostKnown = 8;  // descriptors of one wait

std::vector<std::unique_ptr<Known>> known;  // by descriptor
pid_t watcher = 0;                          // the process whose loop it is

// The coroutine that was told last that a descriptor can be read, and has not read since.
struct Told {
    int fd = -1;
    const Fiber* fiber = nullptr;
    bool by_read = false;  // it has looked at what is there, or found the end
};
Told told;

constexpr short kReads = POLLIN | POLLRDNORM;

void tell(int fd, bool by_read) { told = {fd, Runtime::get().current(), by_read}; }

void untell(int fd) {
    if (told.fd == fd) {
        told = Told();
    }
}

uint32_t watcher_generation = 0;

void on_known_ready(loop::Watch& watch, uint32_t events) {
    Known& self = static_cast<Known&>(watch);
    if ((events & loop::kAskFirst) != 0) {  // and needs no registration any more
        self.armed = Armed::kNot;
        Runtime::peek()->loop().ignore_for_liveness(-1, 0);
    }
    self.events |= events & ~loop::kAskFirst;
    // It lay in the loop's batch while this coroutine read what it tells of, and then waited for
    // more.
    self.is_sure = self.is_sure && self.began_at != Runtime::peek()->loop().looks();
    self.drained = false;
    self.ended = self.ended || (events & (loop::kEdge | loop::kHangup)) != 0;
    self.failed = self.failed || (events & loop::kHangup) != 0;
    if (self.fiber != nullptr) {
        Runtime::peek()->wake(*self.fiber, WakeReason::kReady);
    }
}

Known* find_known(int fd) {
    bool there = fd >= 0 && static_cast<size_t>(fd) < known.size();
    return there ? known[static_cast<size_t>(fd)].get() : nullptr;
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

// What is known of it was learnt in this process.
bool is_ours(const Known& self) {
    return self.generation != 0 && self.generation == Runtime::loop_generation();
}

bool is_watched(const Known& self) { return self.armed != Armed::kNot && is_ours(self); }

// The kernel has it no more, or will not in a moment.
void forget(Known& self) {
    if (is_watched(self)) {
        loop::Loop& loop = Runtime::peek()->loop();
        loop.forget(self);
        loop.ignore_for_liveness(-1, 0);
    }
    static_cast<Registration&>(self) = Registration();
}

// False when it cannot be: something else watches it, or it is nothing to wait for.
bool register_as(Known& self, uint32_t interest, Armed how) {
    loop::Loop& loop = Runtime::get().loop();
    self.interest = interest | (how == Armed::kEdge ? loop::kEdge : loop::kOnce);
    if (is_watched(self) && loop.rearm(self)) {
        forget(self);  // it was closed meanwhile
    }
    if (!is_watched(self)) {
        if (loop.watch(self)) {
            return false;
        }
        loop.ignore_for_liveness(1, 0);
        if (watcher_generation != Runtime::loop_generation()) {
            watcher_generation = Runtime::loop_generation();
            watcher = ::getpid();
        }
        self.generation = watcher_generation;
    }
    self.armed = how;
    self.doubted = false;
    self.checked = true;
    return true;
}

bool arm(Known& self, uint32_t interest) {
    if (interest != loop::kReadable) {
        return register_as(self, interest, Armed::kOnce);
    }
    if (self.armed == Armed::kEdge && is_watched(self) && !self.doubted) {
        self.checked = false;
        return true;
    }
    // A connection that is made for one question is waited for once.
    bool is_first = !self.asked && !is_watched(self);
    self.asked = true;
    return register_as(self, interest | (is_first ? loop::kAskFirst : 0), Armed::kEdge);
}

// The kernel tells nothing of it until it is armed again.
bool silence(Known& self) {
    return self.armed != Armed::kEdge || !is_watched(self) || register_as(self, 0, Armed::kOnce);
}

// What poll() would say, when there is nothing to it but data, the end of it, or room.
short plain_revents(uint32_t events, short wanted) {
    if (events == loop::kReadable) {
        return static_cast<short>(wanted & kReads);
    }
    if (events == (loop::kReadable | loop::kEdge)) {
        return static_cast<short>(wanted & (kReads | POLLRDHUP));
    }
    if (events == loop::kWritable) {
        return static_cast<short>(wanted & (POLLOUT | POLLWRNORM));
    }
    return 0;
}

// Whether all of them can be waited for as known ones; they are armed then.
bool arm_all(const pollfd* fds, nfds_t count) {
    if (count > kMostKnown) {
        return false;
    }
    Fiber* self = Runtime::get().current();
    nfds_t taken = 0;
    for (; taken < count; taken++) {
        if (fds[taken].fd < 0) {
            break;
        }
        Known& one = known_at(fds[taken].fd);
        if (one.fiber != nullptr || !arm(one, interest_of(fds[taken].events))) {
            break;
        }
        one.fiber = self;
        one.events = 0;
        one.began_at = Runtime::get().loop().looks();
        one.is_sure = true;
    }
    if (taken == count) {
        return true;
    }
    for (nfds_t i = 0; i < taken; i++) {
        find_known(fds[i].fd)->fiber = nullptr;
    }
    return false;
}

// Parks for what arm_all() has armed.
Waited wait_for_known(pollfd* fds, nfds_t count, Nanos deadline) {
    Runtime& runtime = Runtime::get();
    uint32_t generation = Runtime::loop_generation();
    bool checked = true;
    for (nfds_t i = 0; i < count; i++) {
        checked = checked && find_known(fds[i].fd)->checked;
    }
    Nanos trusted = checked ? kNever : runtime.loop().iteration_time() + kTrust;
    auto watches = static_cast<int>(count);
    runtime.loop().ignore_for_liveness(-watches, 0);
    Waited waited = park_until(std::min(deadline, trusted));
    bool same_loop = generation == Runtime::loop_generation();
    bool in_vain = true;
    for (nfds_t i = 0; i < count; i++) {
        Known& one = *find_known(fds[i].fd);
        one.fiber = nullptr;
        fds[i].revents = one.is_sure ? plain_revents(one.events, fds[i].events) : short{0};
        // Others may read by calls that we do not see, as OpenSSL does for streams.
        if ((fds[i].revents & kReads) != 0 && is_curl(*runtime.current())) {
            tell(fds[i].fd, false);
        }
        in_vain = in_vain && one.events == 0;
    }
    if (same_loop) {
        runtime.loop().ignore_for_liveness(watches, 0);
    }
    for (nfds_t i = 0; in_vain && i < count; i++) {
        find_known(fds[i].fd)->doubted = true;
    }
    return waited;
}

}  // namespace

Waited wait_for_any(pollfd* fds, nfds_t count, Nanos deadline) {
    told = Told();
    if (count == 0) {
        return park_until(deadline);
    }
    if (arm_all(fds, count)) {
        return wait_for_known(fds, count, deadline);
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

bool wait_in_place(pollfd& one, Nanos deadline) {
    Runtime& runtime = Runtime::get();
    if (one.fd < 0 || !runtime.is_run_by_loop() || !runtime.loop().may_wait_beside()) {
        return false;
    }
    // The loop's own set would tell of it, too.
    Known* found = find_known(one.fd);
    if (found != nullptr && (found->fiber != nullptr || !silence(*found))) {
        return false;
    }
    short events = one.events;
    Nanos most = deadline == kNever ? kNever : deadline - monotonic_now();
    if (most < 0 || runtime.loop().wait_beside(one.fd, events, most) != loop::Beside::kReady) {
        return false;
    }
    one.revents = events;
    return true;
}

void note_sent(int fd) {
    if (Known* self = find_known(fd)) {
        self->sent = true;
    }
}

void note_read(int fd, Read found) {
    Known* self = find_known(fd);
    if (found == Read::kSeen) {
        if (self != nullptr) {
            self->sent = false;
            self->drained = false;
        }
        tell(fd, true);
        return;
    }
    untell(fd);
    if (self != nullptr && found == Read::kEnd && self->is_stream.value_or(false)) {
        tell(fd, true);
    }
    if (self == nullptr || self->armed != Armed::kEdge || found == Read::kSomething) {
        return;
    }
    if (found == Read::kLess && !self->is_stream) {
        int type = 0;
        socklen_t size = sizeof(type);
        ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size);
        self->is_stream = type == SOCK_STREAM;
    }
    self->drained = found != Read::kLess || self->is_stream.value_or(false);
}

void note_polled(const pollfd* fds, nfds_t count) {
    for (nfds_t i = 0; i < count; i++) {
        Known* found = find_known(fds[i].fd);
        if (found != nullptr && found->armed == Armed::kEdge && fds[i].revents == 0 &&
            (fds[i].events & POLLIN) != 0) {
            found->drained = true;
        }
    }
}

namespace {

// The kernel tells of what comes, and nothing was left before.
bool is_drained(const Known& self) {
    return self.armed == Armed::kEdge && is_watched(self) && !self.doubted && self.drained &&
           !self.ended;
}

bool only_reads(const pollfd& one) {
    return (one.events & POLLIN) != 0 && (one.events & (POLLOUT | POLLWRNORM)) == 0;
}

}  // namespace

bool nothing_is_there(const pollfd* fds, nfds_t count) {
    for (nfds_t i = 0; i < count; i++) {
        Known* found = find_known(fds[i].fd);
        if (found == nullptr || !only_reads(fds[i])) {
            return false;
        }
        bool first = found->sent && found->armed != Armed::kEdge;
        found->sent = false;
        if (!first && !is_drained(*found)) {
            return false;
        }
    }
    return true;
}

bool response_is_awaited(const pollfd& one) {
    Known* found = find_known(one.fd);
    if (found == nullptr || !found->sent || !only_reads(one) || !is_drained(*found)) {
        return false;
    }
    found->sent = false;
    return true;
}

namespace {

bool is_told(pollfd& one, bool by_read) {
    if (told.fd != one.fd || one.fd < 0 || told.by_read != by_read || !only_reads(one) ||
        told.fiber != Runtime::get().current()) {
        return false;
    }
    told = Told();
    one.revents = static_cast<short>(one.events & kReads);
    return true;
}

}  // namespace

bool was_told(pollfd& one) { return is_told(one, false); }

bool is_readable(pollfd& one) {
    if (is_told(one, true)) {
        return true;
    }
    Known* found = find_known(one.fd);
    if (found == nullptr || !found->ended || found->failed || found->doubted || !is_ours(*found) ||
        !only_reads(one)) {
        return false;
    }
    one.revents = static_cast<short>(one.events & (kReads | POLLRDHUP));
    return true;
}

void note_socket(int fd, int type) {
    if (fd >= 0) {
        Known& self = known_at(fd);
        forget(self);  // a close() that escaped us
        self.is_stream = type == SOCK_STREAM;
    }
}

// Another process may hold the same connection: then the kernel would go on telling of it, in the
// name of whatever has the number next.
void note_closed(int fd) {
    untell(fd);
    Known* found = find_known(fd);
    if (found == nullptr) {
        return;
    }
    if (!is_watched(*found)) {
        static_cast<Registration&>(*found) = Registration();
    } else if (::getpid() != watcher) {
        forget(*found);  // a child before exec(): the set of the kernel is its parent's
    } else if (found->fiber == nullptr) {
        stop_watching(fd);
    } else {
        found->interest = loop::kOnce;  // the waiting coroutine is told so, and finds it gone
        (void)Runtime::peek()->loop().rearm(*found);
        found->doubted = true;
    }
}

void stop_watching(int fd) {
    Known* found = find_known(fd);
    if (found == nullptr || !is_watched(*found)) {
        return;
    }
    loop::Loop& loop = Runtime::peek()->loop();
    if (found->fiber != nullptr) {
        (void)loop.rearm(*found);  // the kernel has to know of it to refuse the other
        return;
    }
    loop.unwatch(*found);
    loop.ignore_for_liveness(-1, 0);
    static_cast<Registration&>(*found) = Registration();
}

}  // namespace stampede::hooks
