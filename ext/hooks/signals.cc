// Waiting for signals, and libraries that put SIGPIPE aside around each of their calls.
#include <signal.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "hooks/hooks.h"
#include "io/descriptor.h"
#include "runtime/runtime.h"

namespace stampede::hooks {

using runtime::Runtime;
using runtime::WakeReason;

namespace {

// What the process does at SIGPIPE, as it was in the iteration of the loop that first asked.
// libcurl asks and sets it nine times a transfer, nearly always to what it is: those need no system
// call. A change that bypasses these hooks is seen in the next iteration.
struct PipeAction {
    struct sigaction action;
    Nanos iteration = -1;  // when it was known
};
PipeAction known;

bool same(const struct sigaction& one, const struct sigaction& other) {
    return one.sa_handler == other.sa_handler && one.sa_flags == other.sa_flags &&
           std::memcmp(&one.sa_mask, &other.sa_mask, sizeof(one.sa_mask)) == 0;
}

// A handler that one coroutine sets holds for the whole process until the coroutine sets the old
// one back. libcurl ignores SIGPIPE in this way during each of its calls, so while a transfer waits
// in one, SIGPIPE is ignored for all coroutines. PHP itself ignores SIGPIPE, so nothing changes.
int hooked_sigaction(int number, const struct sigaction* next, struct sigaction* before) {
    if (number != SIGPIPE || !waits(kSockets)) {
        known.iteration = -1;
        return ::sigaction(number, next, before);
    }
    Nanos iteration = Runtime::get().loop().iteration_time();
    if (known.iteration != iteration) {
        if (::sigaction(SIGPIPE, nullptr, &known.action) != 0) {
            return -1;
        }
        known.iteration = iteration;
    }
    struct sigaction present = known.action;
    if (next != nullptr && !same(*next, present)) {
        if (::sigaction(SIGPIPE, next, nullptr) != 0) {
            return -1;
        }
        known.action = *next;
    }
    if (before != nullptr) {
        *before = present;
    }
    return 0;
}

constexpr int kSignals = 64;

// How many coroutines wait for each signal that the process itself does not block.
std::array<int, kSignals + 1> waiting_for;

void change_mask(int how, const sigset_t& set) { ::pthread_sigmask(how, &set, nullptr); }

// The kernel gives a signal that is not blocked to the thread that sleeps in sigtimedwait(), and
// not to its handler. A coroutine does not sleep there, so the signal stays blocked, and pending
// between two looks, for as long as one waits for it. Children that are started meanwhile begin
// with it blocked.
class BlockedMeanwhile {
public:
    explicit BlockedMeanwhile(const sigset_t& wanted) {
        sigset_t present;
        ::pthread_sigmask(SIG_BLOCK, nullptr, &present);
        ::sigemptyset(&own_);
        for (int number = 1; number <= kSignals; number++) {
            bool is_ours = waiting_for[number] > 0 || ::sigismember(&present, number) == 0;
            if (::sigismember(&wanted, number) == 1 && is_ours) {
                ::sigaddset(&own_, number);
                waiting_for[number]++;
            }
        }
        change_mask(SIG_BLOCK, own_);
    }

    ~BlockedMeanwhile() {
        for (int number = 1; number <= kSignals; number++) {
            bool is_last = ::sigismember(&own_, number) == 1 && --waiting_for[number] == 0;
            if (!is_last) {
                ::sigdelset(&own_, number);
            }
        }
        change_mask(SIG_UNBLOCK, own_);
    }

    BlockedMeanwhile(const BlockedMeanwhile&) = delete;
    BlockedMeanwhile& operator=(const BlockedMeanwhile&) = delete;

private:
    sigset_t own_;
};

int wait_for_signal(const sigset_t* set, siginfo_t* info, Nanos deadline) {
    constexpr Nanos kPause = 10 * kMillisecond;
    BlockedMeanwhile blocked(*set);
    timespec none{};
    for (;;) {
        int signal = ::sigtimedwait(set, info, &none);
        if (signal >= 0 || errno != EAGAIN) {
            return signal;
        }
        Nanos now = monotonic_now();
        if (now >= deadline) {
            errno = EAGAIN;
            return -1;
        }
        Nanos pause = deadline - now < kPause ? deadline - now : kPause;
        if (Runtime::get().park_for(pause) != WakeReason::kTimeout) {
            errno = kGivenUp;
            return -1;
        }
    }
}

int hooked_sigwaitinfo(const sigset_t* set, siginfo_t* info) {
    return waits(kProcess) ? wait_for_signal(set, info, kNever) : ::sigwaitinfo(set, info);
}

int hooked_sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* timeout) {
    bool is_time = timeout != nullptr && timeout->tv_sec >= 0 && timeout->tv_nsec >= 0;
    if (!is_time || !waits(kProcess)) {
        return ::sigtimedwait(set, info, timeout);
    }
    Nanos limit = span_of(timeout->tv_sec, timeout->tv_nsec);
    return wait_for_signal(set, info, io::deadline_in(limit));
}

}  // namespace

// In the child of a fork nobody waits any more.
void forget_signal_waits() {
    sigset_t left;
    ::sigemptyset(&left);
    for (int number = 1; number <= kSignals; number++) {
        if (waiting_for[number] > 0) {
            ::sigaddset(&left, number);
        }
    }
    waiting_for.fill(0);
    change_mask(SIG_UNBLOCK, left);
}

const Redirect kSignalRedirects[] = {
    redirect<hooked_sigwaitinfo>("sigwaitinfo"),
    redirect<hooked_sigtimedwait>("sigtimedwait"),
    redirect<hooked_sigaction>("sigaction"),
};
const size_t kSignalRedirectCount = sizeof(kSignalRedirects) / sizeof(kSignalRedirects[0]);

}  // namespace stampede::hooks
