// poll(), select() and the sleeps.
#include <poll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <new>

#include "hooks/hooks.h"
#include "hooks/readiness.h"
#include "runtime/runtime.h"

namespace stampede::hooks {

using runtime::Runtime;
using runtime::WakeReason;

namespace {

Nanos nanos_of(const timespec& time) {
    return static_cast<Nanos>(time.tv_sec) * kSecond + time.tv_nsec;
}

// The rest of a sleep when it ended early, 0 otherwise.
Nanos sleep_for(Nanos delay) {
    Nanos end = monotonic_now() + delay;
    if (Runtime::get().park_for(delay) == WakeReason::kTimeout) {
        return 0;
    }
    Nanos left = end - monotonic_now();
    return left > 0 ? left : 1;
}

int wait_and_poll(pollfd* fds, nfds_t count, Nanos deadline) {
    for (;;) {
        int ready = ::poll(fds, count, 0);
        if (ready != 0) {
            return ready;
        }
        if (deadline != kNever && monotonic_now() >= deadline) {
            return 0;
        }
        Waited waited = wait_for_any(fds, count, deadline);
        if (waited == Waited::kGivenUp) {
            errno = kGivenUp;
            return -1;
        }
    }
}

// One descriptor is waited for by its kind, several by any.
bool waits_for(const pollfd* fds, nfds_t count) {
    if (waits(kStreamSelect | kStdio | kProcess)) {
        return true;
    }
    return count == 1 ? waits_on(fds->fd) : waits(kSockets);
}

int hooked_poll(pollfd* fds, nfds_t count, int timeout) {
    if (timeout == 0 || !waits_for(fds, count)) {
        return ::poll(fds, count, timeout);
    }
    return wait_and_poll(fds, count,
                         timeout < 0 ? kNever : monotonic_now() + timeout * kMillisecond);
}

int hooked_poll_checked(pollfd* fds, nfds_t count, int timeout, size_t) {
    return hooked_poll(fds, count, timeout);
}

int hooked_ppoll(pollfd* fds, nfds_t count, const timespec* timeout, const sigset_t* mask) {
    // A mask belongs to the process: nobody else may run with it.
    if (mask != nullptr || !waits(kSockets | kStreamSelect)) {
        return ::ppoll(fds, count, timeout, mask);
    }
    return wait_and_poll(fds, count,
                         timeout == nullptr ? kNever : monotonic_now() + nanos_of(*timeout));
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

int hooked_select(int limit, fd_set* reading, fd_set* writing, fd_set* special, timeval* timeout) {
    bool at_once = timeout != nullptr && timeout->tv_sec == 0 && timeout->tv_usec == 0;
    if (at_once || !waits(kSockets | kStreamSelect) || limit < 0 || limit > FD_SETSIZE) {
        return ::select(limit, reading, writing, special, timeout);
    }
    Nanos deadline = timeout == nullptr ? kNever
                                        : monotonic_now() + timeout->tv_sec * kSecond +
                                              timeout->tv_usec * kMicrosecond;
    pollfd fds[FD_SETSIZE];
    int count = 0;
    for (int fd = 0; fd < limit; fd++) {
        add_interest(fds, count, reading, fd, POLLIN);
        add_interest(fds, count, writing, fd, POLLOUT);
        add_interest(fds, count, special, fd, POLLPRI);
    }
    int ready = wait_and_poll(fds, static_cast<nfds_t>(count), deadline);
    if (ready < 0) {
        return ready;
    }
    // The sets say what is ready now as select() itself says it.
    timeval none{};
    return ::select(limit, reading, writing, special, &none);
}

unsigned hooked_sleep(unsigned seconds) {
    if (!waits(kSleep)) {
        return ::sleep(seconds);
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
        return ::usleep(time);
    }
    sleep_for(static_cast<Nanos>(time) * kMicrosecond);
    return 0;
}

int hooked_nanosleep(const timespec* time, timespec* rest) {
    if (!waits(kSleep) || time == nullptr || time->tv_nsec < 0 || time->tv_nsec >= kSecond) {
        return ::nanosleep(time, rest);
    }
    int error = slept(sleep_for(nanos_of(*time)), rest);
    if (error != 0) {
        errno = error;
        return -1;
    }
    return 0;
}

int hooked_clock_nanosleep(clockid_t clock, int how, const timespec* time, timespec* rest) {
    if (how != 0 || !waits(kSleep) || time == nullptr || time->tv_nsec < 0 ||
        time->tv_nsec >= kSecond) {
        return ::clock_nanosleep(clock, how, time, rest);
    }
    return slept(sleep_for(nanos_of(*time)), rest);
}

}  // namespace

const Redirect kWaitRedirects[] = {
    {"poll", reinterpret_cast<void*>(hooked_poll)},
    {"__poll_chk", reinterpret_cast<void*>(hooked_poll_checked)},
    {"ppoll", reinterpret_cast<void*>(hooked_ppoll)},
    {"select", reinterpret_cast<void*>(hooked_select)},
    {"sleep", reinterpret_cast<void*>(hooked_sleep)},
    {"usleep", reinterpret_cast<void*>(hooked_usleep)},
    {"nanosleep", reinterpret_cast<void*>(hooked_nanosleep)},
    {"clock_nanosleep", reinterpret_cast<void*>(hooked_clock_nanosleep)},
};
const size_t kWaitRedirectCount = sizeof(kWaitRedirects) / sizeof(kWaitRedirects[0]);

}  // namespace stampede::hooks
