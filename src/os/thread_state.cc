#include "os/thread_state.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string_view>

namespace stampede::os {

namespace {

template <size_t N>
std::string_view read_start(const Fd& file, char (&text)[N]) {
    long size = file ? ::pread(file.get(), text, N, 0) : 0;
    return {text, size > 0 ? static_cast<size_t>(size) : 0};
}

}  // namespace

Result<ThreadState> ThreadState::of_this_thread() {
    ThreadState state;
    state.status_ = Fd(::open("/proc/thread-self/stat", O_RDONLY | O_CLOEXEC));
    if (!state.status_) {
        return Error::system(errno);
    }
    state.schedule_ = Fd(::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC));
    int failure = pthread_getcpuclockid(pthread_self(), &state.clock_);
    if (failure != 0) {
        return Error::system(failure);
    }
    return state;
}

// "123 (name) R ...", where the name may have any characters and at most 15 of them.
bool ThreadState::is_runnable() const {
    char text[64];
    std::string_view seen = read_start(status_, text);
    size_t end = seen.rfind(") ");
    return end != std::string_view::npos && end + 2 < seen.size() && seen[end + 2] == 'R';
}

// The second of three numbers, in nanoseconds.
Nanos ThreadState::delay() const {
    char text[64];
    std::string_view seen = read_start(schedule_, text);
    size_t begin = seen.find(' ');
    Nanos delay = 0;
    if (begin != std::string_view::npos) {
        std::from_chars(seen.data() + begin + 1, seen.data() + seen.size(), delay);
    }
    return delay;
}

Nanos ThreadState::cpu_time() const {
    timespec used{};
    clock_gettime(clock_, &used);
    return static_cast<Nanos>(used.tv_sec) * kSecond + used.tv_nsec;
}

}  // namespace stampede::os
