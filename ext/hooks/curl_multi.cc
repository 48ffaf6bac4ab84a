#include "hooks/curl_multi.h"

#include <dlfcn.h>
#include <sys/select.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "hooks/curl_fields.h"
#include "hooks/hooks.h"
#include "runtime/runtime.h"

namespace stampede::hooks {

using runtime::Fiber;
using runtime::Runtime;
using runtime::WakeReason;

namespace {

//   coroutine A   curl_multi_wait()      poll() of the sockets of A's and B's transfers
//   coroutine B   curl_multi_perform()   reads the end of A's response, too
//                 look_after()           A waits for what is not there any more: is woken
//   coroutine A   poll() gives 0         curl_multi_wait() returns, A finds its transfer's end
//
// Only a change wakes, or two coroutines would wake each other for ever: transfers that have ended,
// sockets or directions that are waited for, and an earlier time limit of libcurl's.
using Multi = void*;

struct Library {
    int (*wait)(Multi, void*, unsigned, int, int*);
    int (*poll)(Multi, void*, unsigned, int, int*);
    int (*perform)(Multi, int*);
    int (*add)(Multi, void*);
    int (*remove)(Multi, void*);
    int (*cleanup)(Multi);
    int (*fdset)(Multi, fd_set*, fd_set*, fd_set*, int*);
    int (*timeout)(Multi, long*);
};

Library curl;

// How many transfers a multi handle has, and how many of those run. Of one that is older than the
// hooks only differences are known, which is enough.
struct Transfers {
    int64_t added = 0;
    int64_t running = 0;
};
std::unordered_map<Multi, Transfers> transfers;

// What ext-curl does not import comes from the library that it is linked with.
bool can_look() {
    static bool asked = false;
    Dl_info where{};
    if (!asked && ::dladdr(reinterpret_cast<void*>(curl.perform), &where) != 0) {
        asked = true;
        if (void* library = ::dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD)) {
            curl.fdset =
                reinterpret_cast<decltype(curl.fdset)>(::dlsym(library, "curl_multi_fdset"));
            curl.timeout =
                reinterpret_cast<decltype(curl.timeout)>(::dlsym(library, "curl_multi_timeout"));
            ::dlclose(library);
        }
    }
    return curl.fdset != nullptr && curl.timeout != nullptr;
}

// What a wait depends on.
struct Picture {
    int64_t ended = 0;
    fd_set sockets[3];
};

// One for each coroutine that waits. By number: a fatal error meanwhile leaves the entry here.
struct Waiter {
    Multi multi;
    int64_t cid;
    Nanos deadline;
    bool overtaken = false;
    Picture picture;
};
std::vector<Waiter> waiters;

Picture picture_of(Multi multi) {
    Picture picture;
    for (fd_set& set : picture.sockets) {
        FD_ZERO(&set);
    }
    int highest = -1;
    fd_set(&sets)[3] = picture.sockets;
    curl.fdset(multi, &sets[0], &sets[1], &sets[2], &highest);
    auto found = transfers.find(multi);
    picture.ended =
        found != transfers.end() ? found->second.added - found->second.running : int64_t{0};
    return picture;
}

bool same(const Picture& one, const Picture& other) {
    return one.ended == other.ended &&
           std::memcmp(one.sockets, other.sockets, sizeof(one.sockets)) == 0;
}

// When libcurl wants to be called for its own sake.
Nanos deadline_of(Multi multi) {
    long milliseconds = -1;
    curl.timeout(multi, &milliseconds);
    return milliseconds < 0 ? kNever : monotonic_now() + milliseconds * kMillisecond;
}

bool is_in_coroutine() {
    Runtime* runtime = on_php_thread() ? Runtime::peek() : nullptr;
    return runtime != nullptr && runtime->current() != nullptr;
}

// After a call that may have moved on what others wait for.
void look_after(Multi multi) {
    auto is_here = [multi](const Waiter& waiter) { return waiter.multi == multi; };
    Runtime* runtime = on_php_thread() ? Runtime::peek() : nullptr;
    if (EXPECTED(waiters.empty()) || runtime == nullptr ||
        std::none_of(waiters.begin(), waiters.end(), is_here)) {
        return;
    }
    Picture now = picture_of(multi);
    Nanos deadline = deadline_of(multi);
    for (Waiter& waiter : waiters) {
        bool earlier = deadline != kNever && deadline + kMillisecond < waiter.deadline;
        if (!is_here(waiter) || waiter.overtaken || (same(now, waiter.picture) && !earlier)) {
            continue;
        }
        waiter.overtaken = true;
        if (Fiber* fiber = runtime->find(waiter.cid)) {
            runtime->wake(*fiber, WakeReason::kReady);
        }
    }
}

template <typename Wait>
int noted(Multi multi, int milliseconds, Wait wait) {
    if (milliseconds == 0 || !is_in_coroutine() || !can_look()) {
        return wait();
    }
    int64_t cid = Runtime::get().current_cid();
    Nanos limit = monotonic_now() + std::max(milliseconds, 0) * kMillisecond;
    waiters.push_back({multi, cid, std::min(deadline_of(multi), limit), false, picture_of(multi)});
    int code = wait();
    std::erase_if(waiters, [cid](const Waiter& waiter) { return waiter.cid == cid; });
    return code;
}

int hooked_wait(Multi multi, void* more, unsigned count, int milliseconds, int* ready) {
    return noted(multi, milliseconds,
                 [&] { return curl.wait(multi, more, count, milliseconds, ready); });
}

int hooked_poll(Multi multi, void* more, unsigned count, int milliseconds, int* ready) {
    return noted(multi, milliseconds,
                 [&] { return curl.poll(multi, more, count, milliseconds, ready); });
}

int hooked_perform(Multi multi, int* running) {
    int code = curl.perform(multi, running);
    if (code == 0 && running != nullptr && is_in_coroutine()) {
        transfers[multi].running = *running;
        look_after(multi);
    }
    return code;
}

// One more, or one less: libcurl may let another transfer begin that waited for a connection.
int hooked_add(Multi multi, void* easy) {
    if (follows_curl_handles()) {
        add_fields(easy);
    }
    int code = curl.add(multi, easy);
    if (code == 0 && on_php_thread()) {
        transfers[multi].added++;
        transfers[multi].running++;
        look_after(multi);
    }
    return code;
}

int hooked_remove(Multi multi, void* easy) {
    int code = curl.remove(multi, easy);
    if (code == 0 && follows_curl_handles()) {
        take_fields_back(easy);
    }
    if (code == 0 && on_php_thread()) {
        transfers[multi].added--;
        look_after(multi);
    }
    return code;
}

int hooked_cleanup(Multi multi) {
    if (on_php_thread()) {
        transfers.erase(multi);
    }
    return curl.cleanup(multi);
}

}  // namespace

bool is_overtaken() {
    if (EXPECTED(waiters.empty())) {
        return false;
    }
    int64_t cid = Runtime::get().current_cid();
    return std::any_of(waiters.begin(), waiters.end(), [cid](const Waiter& waiter) {
        return waiter.cid == cid && waiter.overtaken;
    });
}

void forget_multi_handles() {
    transfers.clear();
    waiters.clear();
}

const Redirect kMultiRedirects[] = {
    redirect_entry<hooked_wait>("curl_multi_wait", curl.wait),
    redirect_entry<hooked_poll>("curl_multi_poll", curl.poll),
    redirect_entry<hooked_perform>("curl_multi_perform", curl.perform),
    redirect_entry<hooked_add>("curl_multi_add_handle", curl.add),
    redirect_entry<hooked_remove>("curl_multi_remove_handle", curl.remove),
    redirect_entry<hooked_cleanup>("curl_multi_cleanup", curl.cleanup),
};
const size_t kMultiRedirectCount = sizeof(kMultiRedirects) / sizeof(kMultiRedirects[0]);

}  // namespace stampede::hooks
