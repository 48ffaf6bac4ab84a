#include "hooks/readiness.h"

#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "hooks/connection_use.h"
#include "io/group_wait.h"
#include "zend/throw.h"

namespace stampede::hooks {

using io::Armed;
using io::Registration;
using io::Wait;
using runtime::Fiber;
using runtime::Runtime;
using runtime::WakeReason;

namespace {

uint32_t interest_of(short events) {
    return ((events & (POLLIN | POLLRDNORM | POLLRDHUP)) != 0 ? loop::kReadable : 0) |
           ((events & (POLLOUT | POLLWRNORM)) != 0 ? loop::kWritable : 0);
}

// Parks. If an exception is thrown into the coroutine meanwhile (a time limit), the wait is over.
Waited park_until(Nanos deadline) {
    bool was_pending = zend::exception_pending();
    WakeReason reason = Runtime::get().park(deadline);
    if (reason == WakeReason::kCancelled && is_ending_object()) {
        return Waited::kTryAgain;  // another coroutine has the connection, which would be cut
    }
    bool over = reason != WakeReason::kReady && reason != WakeReason::kTimeout;
    return over || (!was_pending && zend::exception_pending()) ? Waited::kGivenUp
                                                               : Waited::kTryAgain;
}

// How the kernel watches a descriptor (Registration), in what order a wait changes it:
//
//   kNot    first wait to read     kEdge, kAskFirst: the loop asks poll() before it registers it
//   kEdge   waits again            no call: what comes is told of. At most kTrust, then `doubted`
//           an event               drained = false, wakes the coroutine
//           to write as well       kOnce
//   kOnce   an event               silent; armed again by the next wait
//   any     close() seen           kNot, all forgotten
//           close() not seen       its wait ends in vain after kTrust, the next one registers
//
// What makes kEdge right: the kernel tells of each arrival once, even when nobody waits at that
// moment (`drained` is false from then on), and a coroutine waits only after it has found nothing
// to read.
//
// Read again after each wait: the state of the number is never freed, but may be another
// descriptor's.
// A wait that relies on an older registration does so for this long, then asks the kernel.
constexpr Nanos kTrust = 20 * kMillisecond;
constexpr nfds_t kMostArmed = 8;        // descriptors of one wait
constexpr size_t kWorthKnowing = 4096;  // a filled read of a large response

// Asked for once for each loop, since getpid() is a system call; the child of a fork that is about
// to be another program still runs the parent's code and must not touch the parent's set.
pid_t watcher = 0;  // the process whose loop it is

// The coroutine that was told last that a descriptor can be read, and has not read since.
struct Told {
    int fd = -1;
    const Fiber* fiber = nullptr;
    bool by_read = false;  // it has looked at what is there, or found the end
    bool is_sure = true;   // false: its read was filled, and the kernel is asked for more
};
Told told;

constexpr short kReads = POLLIN | POLLRDNORM;

// One for the process: a coroutine is told and looks at once, in the same stretch of its code,
// before another one can be told of anything. It is compared by address only, and by the
// descriptor.
void tell(int fd, bool by_read) { told = {fd, Runtime::get().current(), by_read, true}; }

void untell(int fd) {
    if (told.fd == fd) {
        told = Told();
    }
}

uint32_t watcher_generation = 0;

// In a dispatch of the loop: takes notes and queues, nothing more.
void on_state_ready(loop::Watch& watch, uint32_t events) {
    auto& self = static_cast<DescriptorState&>(watch);
    Registration& registration = self.registration;
    Wait& wait = self.wait;
    if ((events & loop::kAskFirst) != 0) {  // and needs no registration any more
        registration.armed = Armed::kNot;
        Runtime::peek()->loop().ignore_for_liveness(-1, 0);
    }
    wait.events |= events & ~loop::kAskFirst;
    // It lay in the loop's batch while this coroutine read what it tells of, and then waited for
    // more.
    wait.is_sure = wait.is_sure && wait.began_at != Runtime::peek()->loop().looks();
    registration.drained = false;
    registration.ended = registration.ended || (events & (loop::kEdge | loop::kHangup)) != 0;
    registration.failed = registration.failed || (events & loop::kHangup) != 0;
    if (wait.fiber != nullptr) {
        Runtime::peek()->wake(*wait.fiber, WakeReason::kReady);
    }
}

// Its registration was made in this process.
bool is_ours(const DescriptorState& self) {
    return self.registration.generation != 0 &&
           self.registration.generation == Runtime::loop_generation();
}

bool is_watched(const DescriptorState& self) {
    return self.registration.armed != Armed::kNot && is_ours(self);
}

// The kernel has it no more, or will not in a moment.
void forget(DescriptorState& self) {
    if (is_watched(self)) {
        loop::Loop& loop = Runtime::peek()->loop();
        loop.forget(self);
        loop.ignore_for_liveness(-1, 0);
    }
    self.registration = Registration();
}

// False when it cannot be: something else watches it, or it is nothing to wait for.
// epoll refuses what cannot be waited for (regular files: EPERM) and what is in the set already
// through another watch. A descriptor that was closed without our knowledge is gone from the set:
// rearm() fails, and it is added anew.
bool register_as(DescriptorState& self, uint32_t interest, Armed how) {
    loop::Loop& loop = Runtime::get().loop();
    self.interest = interest | (how == Armed::kEdge ? loop::kEdge : loop::kOnce);
    if (is_watched(self) && loop.rearm(self)) {
        forget(self);  // it was closed meanwhile
    }
    if (!is_watched(self)) {
        self.on_ready = on_state_ready;
        if (loop.watch(self)) {
            return false;
        }
        loop.ignore_for_liveness(1, 0);
        if (watcher_generation != Runtime::loop_generation()) {
            watcher_generation = Runtime::loop_generation();
            watcher = ::getpid();
        }
        self.registration.generation = watcher_generation;
    }
    self.registration.armed = how;
    self.registration.doubted = false;
    self.registration.checked = true;
    return true;
}

bool arm(DescriptorState& self, uint32_t interest) {
    if (interest != loop::kReadable) {
        return register_as(self, interest, Armed::kOnce);
    }
    if (self.registration.armed == Armed::kEdge && is_watched(self) && !self.registration.doubted) {
        self.registration.checked = false;
        return true;
    }
    // A connection that is made for one question is waited for once.
    bool is_first = !self.registration.asked && !is_watched(self);
    self.registration.asked = true;
    return register_as(self, interest | (is_first ? loop::kAskFirst : 0), Armed::kEdge);
}

// The kernel tells nothing of it until it is armed again.
bool silence(DescriptorState& self) {
    return self.registration.armed != Armed::kEdge || !is_watched(self) ||
           register_as(self, 0, Armed::kOnce);
}

// What poll() would say, when there is nothing to it but data, the end of it, or room.
// 0 for all else (errors, hang-ups, urgent data, both directions): only poll() can say what those
// are.
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

// Whether all of them can be waited for through their states; they are armed then.
// All or none: a wait that is made half by states and half otherwise would be woken twice. What has
// been armed when one of them fails stays armed, which costs an event for nothing at most.
bool arm_all(const pollfd* fds, nfds_t count) {
    if (count > kMostArmed) {
        return false;
    }
    Fiber* self = Runtime::get().current();
    nfds_t taken = 0;
    for (; taken < count; taken++) {
        if (fds[taken].fd < 0) {
            break;
        }
        DescriptorState& one = state_of(fds[taken].fd);
        if (one.wait.fiber != nullptr || !arm(one, interest_of(fds[taken].events))) {
            break;
        }
        one.wait = {self, 0, Runtime::get().loop().looks(), true};
    }
    if (taken == count) {
        return true;
    }
    for (nfds_t i = 0; i < taken; i++) {
        find_state(fds[i].fd)->wait.fiber = nullptr;
    }
    return false;
}

// Parks for what arm_all() has armed.
// While it waits, its descriptors count as work of the loop (ignore_for_liveness(-n) takes back
// that they are registered for good, which counts +n against): a script ends when nothing else is
// left to happen. The states are looked up again by number after the wait: the vector that holds
// them may have moved. `fds` is the caller's memory, on its stack. After a fork in between, the
// loop is another one, whose counts were never changed.
Waited wait_for_armed(pollfd* fds, nfds_t count, Nanos deadline) {
    Runtime& runtime = Runtime::get();
    uint32_t generation = Runtime::loop_generation();
    bool checked = true;
    for (nfds_t i = 0; i < count; i++) {
        checked = checked && find_state(fds[i].fd)->registration.checked;
    }
    Nanos trusted = checked ? kNever : runtime.loop().iteration_time() + kTrust;
    auto watches = static_cast<int>(count);
    runtime.loop().ignore_for_liveness(-watches, 0);
    Waited waited = park_until(std::min(deadline, trusted));
    bool same_loop = generation == Runtime::loop_generation();
    bool in_vain = true;
    for (nfds_t i = 0; i < count; i++) {
        DescriptorState& one = *find_state(fds[i].fd);
        one.wait.fiber = nullptr;
        fds[i].revents =
            one.wait.is_sure ? plain_revents(one.wait.events, fds[i].events) : short{0};
        // Others may read by calls that we do not see, as OpenSSL does for streams.
        if ((fds[i].revents & kReads) != 0 && is_curl(*runtime.current())) {
            tell(fds[i].fd, false);
        }
        in_vain = in_vain && one.wait.events == 0;
    }
    if (same_loop) {
        runtime.loop().ignore_for_liveness(watches, 0);
    }
    for (nfds_t i = 0; in_vain && i < count; i++) {
        find_state(fds[i].fd)->registration.doubted = true;
    }
    return waited;
}

}  // namespace

// Several coroutines may wait for one descriptor, and one wait may have more than kMostArmed: those
// go by a GroupWait, which registers for this wait alone.
Waited wait_for_any(pollfd* fds, nfds_t count, Nanos deadline) {
    told = Told();
    if (count == 0) {
        return park_until(deadline);
    }
    if (arm_all(fds, count)) {
        return wait_for_armed(fds, count, deadline);
    }
    io::GroupWait* group = io::GroupWait::begin(count);
    for (nfds_t i = 0; i < count; i++) {
        group->add(fds[i].fd, interest_of(fds[i].events));
    }
    Waited waited = group->ready_at_once() ? Waited::kTryAgain : park_until(deadline);
    group->end();
    return waited;
}

// No switch happens: the loop itself waits in poll() for the descriptor together with its own set,
// with this coroutine on the stack.
bool wait_in_place(pollfd& one, Nanos deadline) {
    Runtime& runtime = Runtime::get();
    if (one.fd < 0 || !runtime.is_run_by_loop() || !runtime.loop().may_wait_beside()) {
        return false;
    }
    // The loop's own set would tell of it, too.
    DescriptorState* found = find_state(one.fd);
    if (found != nullptr && (found->wait.fiber != nullptr || !silence(*found))) {
        return false;
    }
    short events = one.events;
    Nanos most = deadline == kNever ? kNever : deadline - monotonic_now();
    std::optional<runtime::MeasuredWait> measured;
    if (UNEXPECTED(runtime.measures_waits() && runtime.current() != nullptr)) {
        measured.emplace(*runtime.current());
    }
    if (most < 0 || runtime.loop().wait_beside(one.fd, events, most) != loop::Beside::kReady) {
        return false;
    }
    one.revents = events;
    return true;
}

// A shortcut for clients: after a request nothing can be there to be read before it has gone out,
// so the poll() before the first wait is left out. If the peer sends unasked, the registration
// tells of it.
void note_sent(int fd) {
    if (DescriptorState* self = find_state(fd)) {
        self->registration.sent = true;
    }
}

namespace {

// Another coroutine waits for this and other descriptors, and what it waits for is being taken: it
// looks again, for what has come may lie in the buffer of a stream now.
void wake_other(DescriptorState& state) {
    Fiber* fiber = state.wait.fiber;
    Runtime* runtime = fiber != nullptr ? Runtime::peek() : nullptr;
    if (UNEXPECTED(runtime != nullptr) && fiber != runtime->current()) {
        runtime->wake(*fiber, WakeReason::kReady);
    }
}

}  // namespace

void note_read(int fd, Read found, size_t count) {
    DescriptorState* state = find_state(fd);
    if (found == Read::kSeen) {
        if (state != nullptr) {
            state->registration.sent = false;
            state->registration.drained = false;
        }
        tell(fd, true);
        return;
    }
    untell(fd);
    if (state == nullptr) {
        return;
    }
    wake_other(*state);
    Registration& registration = state->registration;
    uint32_t left = std::exchange(registration.left, 0);
    if (found == Read::kFull && count >= kWorthKnowing && registration.is_stream.value_or(false)) {
        registration.left = left > count ? left - static_cast<uint32_t>(count) : 0;
        told = {fd, Runtime::get().current(), true, registration.left > 0};
    }
    if (found == Read::kEnd && registration.is_stream.value_or(false)) {
        tell(fd, true);
    }
    if (registration.armed != Armed::kEdge || found == Read::kSomething || found == Read::kFull) {
        return;
    }
    if (found == Read::kLess && !registration.is_stream) {
        int type = 0;
        socklen_t size = sizeof(type);
        ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size);
        registration.is_stream = type == SOCK_STREAM;
    }
    registration.drained = found != Read::kLess || registration.is_stream.value_or(false);
}

void note_delivered(int fd) {
    if (DescriptorState* state = find_state(fd)) {
        wake_other(*state);
    }
}

void note_polled(const pollfd* fds, nfds_t count) {
    for (nfds_t i = 0; i < count; i++) {
        DescriptorState* found = find_state(fds[i].fd);
        if (found != nullptr && found->registration.armed == Armed::kEdge && fds[i].revents == 0 &&
            (fds[i].events & POLLIN) != 0) {
            found->registration.drained = true;
        }
    }
}

namespace {

// The kernel tells of what comes, and nothing was left before.
// All five must hold; each is reset by what makes it untrue: a wait in vain (doubted), an event
// (drained, ended), a fork (is_watched).
bool is_drained(const DescriptorState& self) {
    const Registration& registration = self.registration;
    return registration.armed == Armed::kEdge && is_watched(self) && !registration.doubted &&
           registration.drained && !registration.ended;
}

bool only_reads(const pollfd& one) {
    return (one.events & POLLIN) != 0 && (one.events & (POLLOUT | POLLWRNORM)) == 0;
}

}  // namespace

// Wrongly true, it would cost a coroutine the event that has come already: hence only for
// descriptors that the kernel watches by edges, or right after something was sent.
bool nothing_is_there(const pollfd* fds, nfds_t count) {
    for (nfds_t i = 0; i < count; i++) {
        DescriptorState* found = find_state(fds[i].fd);
        if (found == nullptr || !only_reads(fds[i])) {
            return false;
        }
        bool first = found->registration.sent && found->registration.armed != Armed::kEdge;
        found->registration.sent = false;
        if (!first && !is_drained(*found)) {
            return false;
        }
    }
    return true;
}

bool response_is_awaited(const pollfd& one) {
    DescriptorState* found = find_state(one.fd);
    if (found == nullptr || !found->registration.sent || !only_reads(one) || !is_drained(*found)) {
        return false;
    }
    found->registration.sent = false;
    return true;
}

namespace {

// Asks how much is there, which spares the polls before the next reads of a large response.
bool has_more(int fd) {
    int count = 0;
    DescriptorState* state = find_state(fd);
    if (state == nullptr || ::ioctl(fd, FIONREAD, &count) != 0 || count <= 0) {
        return false;
    }
    state->registration.left = static_cast<uint32_t>(count);
    return true;
}

bool is_told(pollfd& one, bool by_read) {
    if (told.fd != one.fd || one.fd < 0 || told.by_read != by_read || !only_reads(one) ||
        told.fiber != Runtime::get().current()) {
        return false;
    }
    bool is_sure = told.is_sure;
    told = Told();
    if (!is_sure && !has_more(one.fd)) {
        return false;
    }
    one.revents = static_cast<short>(one.events & kReads);
    return true;
}

}  // namespace

bool was_told(pollfd& one) { return is_told(one, false); }

bool is_readable(pollfd& one) {
    if (is_told(one, true)) {
        return true;
    }
    DescriptorState* found = find_state(one.fd);
    if (found == nullptr || !is_ours(*found) || !only_reads(one)) {
        return false;
    }
    const Registration& registration = found->registration;
    if (!registration.ended || registration.failed || registration.doubted) {
        return false;
    }
    one.revents = static_cast<short>(one.events & (kReads | POLLRDHUP));
    return true;
}

void note_socket(int fd, int type) {
    if (fd >= 0) {
        DescriptorState& self = state_of(fd);
        self.registration.is_stream = type == SOCK_STREAM;
        self.registration.left = 0;
    }
}

// Another process may hold the same connection: then the kernel would go on telling of it, which
// the loop drops.
void note_closed(int fd) {
    untell(fd);
    DescriptorState* found = find_state(fd);
    if (found == nullptr) {
        return;
    }
    if (!is_watched(*found)) {
        found->registration = Registration();
    } else if (found->wait.fiber == nullptr || ::getpid() != watcher) {
        forget(*found);  // of a child before exec(): the set of the kernel is its parent's
    } else {
        found->interest = loop::kOnce;  // the waiting coroutine is told so, and finds it gone
        (void)Runtime::peek()->loop().rearm(*found);
        found->registration.doubted = true;
    }
}

bool stop_watching(int fd) {
    DescriptorState* found = find_state(fd);
    if (found == nullptr || !is_watched(*found)) {
        return true;
    }
    if (found->wait.fiber != nullptr) {
        return false;
    }
    loop::Loop& loop = Runtime::peek()->loop();
    loop.unwatch(*found);
    loop.ignore_for_liveness(-1, 0);
    found->registration = Registration();
    return true;
}

}  // namespace stampede::hooks
