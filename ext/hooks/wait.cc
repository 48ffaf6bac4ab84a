// poll(), select() and the sleeps.
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>

#include "hooks/connection_use.h"
#include "hooks/curl_multi.h"
#include "hooks/hooks.h"
#include "hooks/kinds.h"
#include "hooks/readiness.h"
#include "hooks/sqlite/offload.h"
#include "hooks/stream_select.h"
#include "io/descriptor.h"
#include "runtime/runtime.h"

namespace stampede::hooks {

using runtime::Runtime;
using runtime::WakeReason;

namespace {

Nanos nanos_of(const timespec& time) { return span_of(time.tv_sec, time.tv_nsec); }

// The rest of a sleep when it ended early, 0 otherwise.
Nanos sleep_for(Nanos delay) {
    Nanos end = io::deadline_in(delay);
    if (Runtime::get().park_for(delay) == WakeReason::kTimeout) {
        return 0;
    }
    Nanos left = end - monotonic_now();
    return left > 0 ? left : 1;
}

// 1 when the wait has said what is ready, 0 when poll() must be asked, -1 with errno.
int wait_once(pollfd* fds, nfds_t count, Nanos deadline) {
    for (nfds_t i = 0; i < count; i++) {
        fds[i].revents = 0;
    }
    if (count == 1 && wait_in_place(*fds, deadline)) {
        return 1;
    }
    if (wait_for_any(fds, count, deadline) == Waited::kGivenUp) {
        errno = kGivenUp;
        return -1;
    }
    int ready = 0;
    for (nfds_t i = 0; i < count; i++) {
        ready += fds[i].revents != 0 ? 1 : 0;
    }
    return ready;
}

// poll() without waiting.
int look(pollfd* fds, nfds_t count) {
    int ready = ::poll(fds, count, 0);
    note_polled(fds, count);
    return ready;
}

// For a caller that does not wait (a timeout of 0). What was just said about a descriptor is not
// asked again.
// Drivers look like this before and after many of their calls; each shortcut must say what poll()
// would.
int glance(pollfd* fds, nfds_t count) {
    if (count == 1 && waits_on(fds->fd)) {
        if (was_told(*fds) || is_readable(*fds)) {
            return 1;
        }
        // A coroutine that runs alone may find it there: cheaper than going to sleep.
        if (!Runtime::get().loop().may_wait_beside() && response_is_awaited(*fds)) {
            fds->revents = 0;
            return 0;
        }
    }
    return look(fds, count);
}

// poll() has the last word: an event says that asking is worth it, and in between another coroutine
// may have read what it told of. A negative descriptor is passed over by poll() as it is here.
int wait_and_poll(pollfd* fds, nfds_t count, Nanos deadline) {
    if (count == 1 && is_readable(*fds)) {
        return 1;
    }
    bool is_known = nothing_is_there(fds, count);
    for (bool has_waited = false;; has_waited = true) {
        int ready = is_known ? 0 : look(fds, count);
        is_known = false;
        bool goes_on = deadline == kNever || monotonic_now() < deadline;
        if (ready != 0 || !goes_on || is_overtaken() || (has_waited && ends_in_vain())) {
            return ready;
        }
        ready = wait_once(fds, count, deadline);
        if (ready != 0) {
            return ready;
        }
    }
}

// One descriptor is waited for by its kind, several by any.
bool waits_for(const pollfd* fds, nfds_t count) {
    bool any = waits(kStreamSelect | kStdio | kProcess | kSockets);
    if (!any || count != 1) {
        return any;
    }
    return waits_on(fds->fd) || kind_of(fds->fd) != Kind::kSocket;
}

// One descriptor: its asker is about to use it.
// From the check to the end of the wait the descriptor belongs to this coroutine (ConnectionUse),
// also while it is queued: another one that comes meanwhile is refused.
int wait_and_use(pollfd& one, Nanos deadline) {
    bool reads = (one.events & (POLLIN | POLLRDNORM)) != 0;
    if (one.fd < 0 || (reads && !may_read(one.fd)) || (!reads && !may_write(one.fd))) {
        return one.fd < 0 ? wait_and_poll(&one, 1, deadline) : -1;
    }
    ConnectionUse use(one.fd, one.events);
    int ready = wait_and_poll(&one, 1, deadline);
    if (ready < 0 && errno == kGivenUp) {
        use.spoil();
    }
    return ready;
}

int hooked_poll(pollfd* fds, nfds_t count, int timeout) {
    if (!waits_for(fds, count)) {
        return ::poll(fds, count, timeout);
    }
    if (timeout == 0) {
        return glance(fds, count);
    }
    Nanos deadline = timeout < 0 ? kNever : monotonic_now() + timeout * kMillisecond;
    return count == 1 ? wait_and_use(*fds, deadline) : wait_and_poll(fds, count, deadline);
}

int hooked_poll_checked(pollfd* fds, nfds_t count, int timeout, size_t) {
    return hooked_poll(fds, count, timeout);
}

// What the kernel takes for a time limit; none at all is one, too.
bool is_time(const timespec* time) {
    return time == nullptr || (time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < kSecond);
}

int hooked_ppoll(pollfd* fds, nfds_t count, const timespec* timeout, const sigset_t* mask) {
    // A signal mask belongs to the thread: no other coroutine may run with it.
    if (mask != nullptr || !is_time(timeout) || !waits(kSockets | kStreamSelect)) {
        return ::ppoll(fds, count, timeout, mask);
    }
    return wait_and_poll(fds, count,
                         timeout == nullptr ? kNever : io::deadline_in(nanos_of(*timeout)));
}

void add_interest(pollfd* fds, int& count, const fd_set* set, int fd, short events) {
    if (set == nullptr || !FD_ISSET(fd, set)) {
        return;
    }
    if (count == 0 || fds[count - 1].fd != fd) {
        fds[count++] = {fd, 0, 0};
    }
    fds[count - 1].events = static_cast<short>(fds[count - 1].events | events);
}

// Copies of the caller's sets, where it has given them.
class Sets {
public:
    Sets(const fd_set* reading, const fd_set* writing, const fd_set* special) {
        const fd_set* given[] = {reading, writing, special};
        for (int i = 0; i < 3; i++) {
            has_[i] = given[i] != nullptr;
            if (has_[i]) {
                sets_[i] = *given[i];
            }
        }
    }

    // select() without waiting.
    int ask(int limit) {
        timeval none{};
        return ::select(limit, has_[0] ? &sets_[0] : nullptr, has_[1] ? &sets_[1] : nullptr,
                        has_[2] ? &sets_[2] : nullptr, &none);
    }

    void give(fd_set* reading, fd_set* writing, fd_set* special) const {
        fd_set* wanted[] = {reading, writing, special};
        for (int i = 0; i < 3; i++) {
            if (has_[i]) {
                *wanted[i] = sets_[i];
            }
        }
    }

private:
    fd_set sets_[3];
    bool has_[3];
};

// select() is made of poll(): the sets are read before the wait and written by a select() after it,
// so that what the caller sees comes from one moment. A set for more than FD_SETSIZE descriptors is
// the caller's own business, and libc's.
int hooked_select(int limit, fd_set* reading, fd_set* writing, fd_set* special, timeval* timeout) {
    // Without a wait, or with a time that select() refuses.
    bool at_once = timeout != nullptr && (timeout->tv_sec < 0 || timeout->tv_usec < 0 ||
                                          (timeout->tv_sec == 0 && timeout->tv_usec == 0));
    if (at_once || !waits(kSockets | kStreamSelect) || limit < 0 || limit > FD_SETSIZE) {
        return ::select(limit, reading, writing, special, timeout);
    }
    Nanos deadline =
        timeout == nullptr
            ? kNever
            : io::deadline_in(span_of(timeout->tv_sec, timeout->tv_usec * kMicrosecond));
    // 8 KiB of the coroutine's stack, which is why the size is fixed.
    pollfd fds[FD_SETSIZE];
    int count = 0;
    for (int fd = 0; fd < limit; fd++) {
        add_interest(fds, count, reading, fd, POLLIN);
        add_interest(fds, count, writing, fd, POLLOUT);
        add_interest(fds, count, special, fd, POLLPRI);
    }
    for (;;) {
        int ready = wait_and_poll(fds, static_cast<nfds_t>(count), deadline);
        if (ready < 0) {
            return ready;
        }
        // The sets say what is ready now as select() itself says it. Another coroutine may have
        // read what the wait was told of: then it goes on.
        Sets now = {reading, writing, special};
        int seen = now.ask(limit);
        if (seen != 0 || ready == 0 || ends_in_vain()) {
            now.give(reading, writing, special);
            return seen;
        }
    }
}

int hooked_pselect(int limit, fd_set* reading, fd_set* writing, fd_set* special,
                   const timespec* timeout, const sigset_t* mask) {
    // A signal mask belongs to the thread: no other coroutine may run with it.
    if (mask != nullptr || !is_time(timeout) || !waits(kSockets | kStreamSelect)) {
        return ::pselect(limit, reading, writing, special, timeout, mask);
    }
    timeval time{};
    if (timeout != nullptr) {
        time = {timeout->tv_sec, (timeout->tv_nsec + 999) / 1000};
    }
    return hooked_select(limit, reading, writing, special, timeout != nullptr ? &time : nullptr);
}

// A library's own set of descriptors is itself one that can be waited for.
int hooked_epoll_wait(int set, epoll_event* events, int most, int timeout) {
    if (timeout == 0 || !waits(kSockets | kStreamSelect | kStdio | kProcess)) {
        return ::epoll_wait(set, events, most, timeout);
    }
    Nanos deadline = timeout < 0 ? kNever : monotonic_now() + timeout * kMillisecond;
    for (;;) {
        int ready = ::epoll_wait(set, events, most, 0);
        if (ready != 0 || (deadline != kNever && monotonic_now() >= deadline)) {
            return ready;
        }
        pollfd one{set, POLLIN, 0};
        if (wait_for_any(&one, 1, deadline) == Waited::kGivenUp) {
            errno = kGivenUp;
            return -1;
        }
    }
}

int hooked_epoll_pwait(int set, epoll_event* events, int most, int timeout, const sigset_t* mask) {
    return mask != nullptr ? ::epoll_pwait(set, events, most, timeout, mask)
                           : hooked_epoll_wait(set, events, most, timeout);
}

// The three sleeps are also where SQLite's threads wait for a locked file: pause_call() is for
// those, does nothing on other threads, and lets a cancelled call end early.
unsigned hooked_sleep(unsigned seconds) {
    if (!waits(kSleep)) {
        return sqlite::pause_call(seconds * kSecond) ? 0 : ::sleep(seconds);
    }
    Nanos left = sleep_for(seconds * kSecond);
    return static_cast<unsigned>((left + kSecond - 1) / kSecond);
}

int slept(Nanos left, timespec* rest) {
    if (left == 0) {
        return 0;
    }
    if (rest != nullptr) {
        *rest = {static_cast<time_t>(left / kSecond), static_cast<long>(left % kSecond)};
    }
    return EINTR;
}

int hooked_usleep(useconds_t time) {
    if (!waits(kSleep)) {
        return sqlite::pause_call(static_cast<Nanos>(time) * kMicrosecond) ? 0 : ::usleep(time);
    }
    sleep_for(static_cast<Nanos>(time) * kMicrosecond);
    return 0;
}

// time_sleep_until() sleeps for the rest after EINTR, for whatever reason it was woken: a cancelled
// coroutine would not end before that time, and neither would a process whose coroutines are
// destroyed. time_nanosleep() returns the rest.
bool goes_on_sleeping() {
    const char* function = get_active_function_name();
    return function != nullptr && std::strcmp(function, "time_sleep_until") == 0;
}

int hooked_nanosleep(const timespec* time, timespec* rest) {
    if (!waits(kSleep) || time == nullptr || !is_time(time)) {
        bool paused = time != nullptr && sqlite::pause_call(nanos_of(*time));
        return paused ? 0 : ::nanosleep(time, rest);
    }
    int error = slept(sleep_for(nanos_of(*time)), rest);
    if (error != 0) {
        errno = goes_on_sleeping() ? kGivenUp : error;
        return -1;
    }
    return 0;
}

int hooked_clock_nanosleep(clockid_t clock, int how, const timespec* time, timespec* rest) {
    if (how != 0 || !waits(kSleep) || time == nullptr || !is_time(time)) {
        return ::clock_nanosleep(clock, how, time, rest);
    }
    return slept(sleep_for(nanos_of(*time)), rest);
}

}  // namespace

const Redirect kWaitRedirects[] = {
    redirect<hooked_poll>("poll"),
    redirect<hooked_poll_checked>("__poll_chk"),
    redirect<hooked_ppoll>("ppoll"),
    redirect<hooked_select>("select"),
    redirect<hooked_pselect>("pselect"),
    redirect<hooked_epoll_wait>("epoll_wait"),
    redirect<hooked_epoll_pwait>("epoll_pwait"),
    redirect<hooked_sleep>("sleep", Group::kSleep),
    redirect<hooked_usleep>("usleep", Group::kSleep),
    redirect<hooked_nanosleep>("nanosleep", Group::kSleep),
    redirect<hooked_clock_nanosleep>("clock_nanosleep", Group::kSleep),
};
const size_t kWaitRedirectCount = sizeof(kWaitRedirects) / sizeof(kWaitRedirects[0]);

}  // namespace stampede::hooks
