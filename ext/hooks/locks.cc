// Locks of files, and locks that libraries hold while their calls wait.
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <unordered_map>
#include <cstdarg>

#include "hooks/hooks.h"
#include "hooks/kinds.h"
#include "runtime/runtime.h"

namespace stampede::hooks {

using runtime::Runtime;
using runtime::WakeReason;

namespace {

constexpr Nanos kFirstPause = kMillisecond;
constexpr Nanos kLongestPause = 20 * kMillisecond;

// attempt() until it does not say that the lock is taken. EACCES is what some systems say for
// EAGAIN.
template <typename Attempt>
int until_locked(Attempt attempt) {
    for (Nanos pause = kFirstPause;; pause = pause < kLongestPause ? pause * 2 : pause) {
        int status = attempt();
        if (status >= 0 || (errno != EAGAIN && errno != EACCES)) {
            return status;
        }
        if (Runtime::get().park_for(pause) != WakeReason::kTimeout) {
            errno = kGivenUp;
            return -1;
        }
    }
}

int hooked_flock(int fd, int operation) {
    if ((operation & LOCK_NB) != 0 || !waits(kFile)) {
        return ::flock(fd, operation);
    }
    // Not on a helper thread: as many waiting coroutines as there are threads would leave none for
    // the write after which the lock becomes free.
    return until_locked([=] { return ::flock(fd, operation | LOCK_NB); });
}

// These locks belong to the process, which loses them with any number of the file that it closes:
// no thread waits on a second one.
int hooked_fcntl(int fd, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    void* argument = va_arg(arguments, void*);
    va_end(arguments);
    if (command == F_SETFL && on_php_thread()) {
        note_mode(fd, static_cast<int>(reinterpret_cast<intptr_t>(argument)));
    }
    bool for_process = command == F_SETLKW;
    if ((!for_process && command != F_OFD_SETLKW) || !waits(kFile)) {
        return ::fcntl(fd, command, argument);
    }
    int attempt = for_process ? F_SETLK : F_OFD_SETLK;
    return until_locked([=] { return ::fcntl(fd, attempt, argument); });
}

int hooked_lockf(int fd, int command, off_t size) {
    if (command != F_LOCK || !waits(kFile)) {
        return ::lockf(fd, command, size);
    }
    return until_locked([=] { return ::lockf(fd, F_TLOCK, size); });
}

// Which coroutine has locked a recursive mutex. To the C library all of them are one thread, which
// may lock it again: a second coroutine would enter the library in the middle of a call of the
// first (libmaodbc frees a statement while its connection waits for a response).
std::unordered_map<const pthread_mutex_t*, int64_t>& holders() {
    static auto* all = new std::unordered_map<const pthread_mutex_t*, int64_t>();
    return *all;
}

// glibc keeps kind and depth of a mutex in these fields; they are named in its headers, but not
// promised. Read while the thread has the mutex, so they do not change. Elsewhere recursive mutexes
// are left as they are: coroutines of one thread then get in together.
#ifdef __GLIBC__

bool is_recursive(const pthread_mutex_t* mutex) {
    constexpr int kTypeBits = 3;
    return (mutex->__data.__kind & kTypeBits) == PTHREAD_MUTEX_RECURSIVE_NP;
}

unsigned depth_of(const pthread_mutex_t* mutex) { return mutex->__data.__count; }

#else

bool is_recursive(const pthread_mutex_t*) { return false; }
unsigned depth_of(const pthread_mutex_t*) { return 0; }

#endif

// EBUSY when another coroutine has it, although this thread may lock it.
int try_lock(pthread_mutex_t* mutex) {
    int status = ::pthread_mutex_trylock(mutex);
    if (EXPECTED(status != 0 || !is_recursive(mutex)) || !on_php_thread()) {
        return status;
    }
    Runtime* runtime = Runtime::peek();
    if (runtime == nullptr || runtime->current() == nullptr) {
        return status;
    }
    // trylock() has just let the thread in: the first time, or once more.
    if (depth_of(mutex) == 1) {
        holders()[mutex] = runtime->current_cid();
        return 0;
    }
    auto holder = holders().find(mutex);
    bool is_others = holder != holders().end() && holder->second != runtime->current_cid() &&
                     runtime->find(holder->second) != nullptr;
    if (is_others && runtime->can_park()) {
        ::pthread_mutex_unlock(mutex);
        return EBUSY;
    }
    return 0;
}

// The note goes before the mutex is free: after that, another thread may take it. A mutex that its
// library destroys while it is locked leaves a note of a coroutine that will have ended.
int hooked_mutex_unlock(pthread_mutex_t* mutex) {
    if (UNEXPECTED(is_recursive(mutex)) && depth_of(mutex) == 1 && on_php_thread()) {
        holders().erase(mutex);
    }
    return ::pthread_mutex_unlock(mutex);
}

// A library that is asked again, by another coroutine of the same thread, for what it holds a lock
// on would wait for itself for ever:
//
//   coroutine A   pthread_mutex_lock(m)   recv() parks, with m locked by this thread
//   coroutine B   pthread_mutex_lock(m)   libc: the thread waits for itself, and A never runs
//                                         here: B parks, A goes on and unlocks m, B has it
//
// Between threads nothing changes: pthread_mutex_lock() of libc is called outside of coroutines. A
// coroutine that waits here polls the mutex, since no event tells that it has become free.
int hooked_mutex_lock(pthread_mutex_t* mutex) {
    int status = try_lock(mutex);
    if (status != EBUSY) {
        return status;
    }
    if (!waits(kEverything)) {
        return ::pthread_mutex_lock(mutex);
    }
    for (Nanos pause = kFirstPause; status == EBUSY;
         pause = pause < kLongestPause ? pause * 2 : pause) {
        // A cancelled coroutine waits on: locking cannot fail. One that is being destroyed cannot
        // wait.
        if (!Runtime::get().can_park()) {
            return EDEADLK;
        }
        Runtime::get().park_for(pause);
        status = try_lock(mutex);
    }
    return status;
}

}  // namespace

const Redirect kLockRedirects[] = {
    redirect<hooked_flock>("flock"),
    as_it_is("fcntl", reinterpret_cast<void*>(hooked_fcntl), Group::kCall),
    as_it_is("fcntl64", reinterpret_cast<void*>(hooked_fcntl), Group::kCall),
    redirect<hooked_lockf>("lockf"),
    redirect<hooked_lockf>("lockf64"),
    redirect<hooked_mutex_lock>("pthread_mutex_lock"),
    redirect<hooked_mutex_unlock>("pthread_mutex_unlock"),
};
const size_t kLockRedirectCount = sizeof(kLockRedirects) / sizeof(kLockRedirects[0]);

}  // namespace stampede::hooks
