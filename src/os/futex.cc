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
