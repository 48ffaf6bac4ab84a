#include "os/thread_state.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace stampede::os {

Result<ThreadState> ThreadState::of_this_thread() {
    ThreadState state;
    state.status_ = Fd(::open("/proc/thread-self/stat", O_RDONLY | O_CLOEXEC));
    if (!state.status_) {
        return Error::system(errno);
    }
    int failure = pthread_getcpuclockid(pthread_self(), &state.clock_);
    if (failure != 0) {
        return Error::system(failure);
    }
    return state;
}

// "123 (name) R ...", where the name may have any characters and at most 15 of them.
bool ThreadState::is_runnable() const {
    char text[64];
    long size = ::pread(status_.get(), text, sizeof(text), 0);
    if (size <= 0) {
        return false;
    }
    std::string_view seen(text, static_cast<size_t>(size));
    size_t end = seen.rfind(") ");
    return end != std::string_view::npos && end + 2 < seen.size() && seen[end + 2] == 'R';
}

Nanos ThreadState::cpu_time() const {
    timespec used{};
    clock_gettime(clock_, &used);
    return static_cast<Nanos>(used.tv_sec) * kSecond + used.tv_nsec;
}

}  // namespace stampede::os
