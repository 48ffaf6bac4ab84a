// Libraries that put SIGPIPE aside around each of their calls.
#include <signal.h>

#include <cstring>

#include "hooks/hooks.h"
#include "runtime/runtime.h"

namespace stampede::hooks {

using runtime::Runtime;

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

}  // namespace

const Redirect kSignalRedirects[] = {
    redirect<hooked_sigaction>("sigaction"),
};
const size_t kSignalRedirectCount = sizeof(kSignalRedirects) / sizeof(kSignalRedirects[0]);

}  // namespace stampede::hooks
