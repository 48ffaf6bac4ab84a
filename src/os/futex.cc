#include "os/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>

#include "os/process.h"

namespace stampede::os {

namespace {

long futex(std::atomic<uint32_t>& word, int operation, uint32_t value, const timespec* timeout) {
    return ::syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), operation, value, timeout,
                     nullptr, 0);
}

}  // namespace

void futex_wait(std::atomic<uint32_t>& word, uint32_t seen, Nanos longest) {
    timespec timeout{static_cast<time_t>(longest / kSecond), static_cast<long>(longest % kSecond)};
    futex(word, FUTEX_WAIT, seen, &timeout);
}

void futex_wake(std::atomic<uint32_t>& word, int waiters) {
    futex(word, FUTEX_WAKE, static_cast<uint32_t>(waiters), nullptr);
}

namespace {

// As in <linux/futex.h> from 5.16 on, which older distributions do not have.
struct WaitedWord {
    uint64_t value;
    uint64_t address;
    uint32_t flags;
    uint32_t reserved;
};
constexpr long kFutexWaitv = 449;  // the same number on all architectures
constexpr uint32_t kWordOf32Bits = 2;

long futex_waitv(const WaitedWord* words, size_t count) {
    return ::syscall(kFutexWaitv, words, count, 0, nullptr, CLOCK_MONOTONIC);
}

}  // namespace

bool can_wait_for_any() { return futex_waitv(nullptr, 0) < 0 && errno == EINVAL; }

void wait_for_any(const SeenWord* words, size_t count) {
    WaitedWord waited[kMostWords];
    for (size_t i = 0; i < count; i++) {
        waited[i] = {words[i].seen, reinterpret_cast<uint64_t>(words[i].word), kWordOf32Bits, 0};
    }
    futex_waitv(waited, count);
}

bool process_has_ended(pid_t pid) {
    if (::kill(pid, 0) != 0 && errno == ESRCH) {
        return true;
    }
    char text[512];
    if (!read_process_file(pid, "stat", text)) {
        return false;
    }
    const char* name_end = std::strrchr(text, ')');
    return name_end != nullptr && (name_end[2] == 'Z' || name_end[2] == 'X');
}

void RobustMutex::init() {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex_, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

bool RobustMutex::lock() {
    if (pthread_mutex_lock(&mutex_) != EOWNERDEAD) {
        return false;
    }
    pthread_mutex_consistent(&mutex_);
    return true;
}

}  // namespace stampede::os
