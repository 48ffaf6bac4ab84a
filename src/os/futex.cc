#include "os/futex.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>

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
    char path[32];
    char text[512];
    std::snprintf(path, sizeof(path), "/proc/%d/stat", static_cast<int>(pid));
    int fd = ::open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    ssize_t size = ::read(fd, text, sizeof(text) - 1);
    ::close(fd);
    text[size > 0 ? size : 0] = '\0';
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
