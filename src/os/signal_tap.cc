#include "os/signal_tap.h"

#include <atomic>
#include <cerrno>
#include <csignal>

#include "os/fd.h"
#include "os/signal.h"

namespace stampede::os {

namespace {

using Action = struct sigaction;

std::atomic<uint64_t> arrived{0};
std::atomic<int> wake_fd{-1};
Action before[kLastSignal + 1];
bool calls_before[kLastSignal + 1];

uint64_t bit(int signal_number) { return 1ull << (signal_number - 1); }

void on_signal(int signal_number, siginfo_t* info, void* context) {
    int saved = errno;
    arrived.fetch_or(bit(signal_number));
    int fd = wake_fd.load(std::memory_order_relaxed);
    if (fd >= 0) {
        signal_eventfd(fd);
    }
    const Action& other = before[signal_number];
    if (!calls_before[signal_number]) {
        errno = saved;
        return;
    }
    if ((other.sa_flags & SA_SIGINFO) != 0) {
        other.sa_sigaction(signal_number, info, context);
    } else {
        other.sa_handler(signal_number);
    }
    errno = saved;
}

const void* function_of(const Action& action) {
    if ((action.sa_flags & SA_SIGINFO) != 0) {
        return reinterpret_cast<const void*>(action.sa_sigaction);
    }
    bool is_function = action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
    return is_function ? reinterpret_cast<const void*>(action.sa_handler) : nullptr;
}

}  // namespace

const void* present_handler(int signal_number) {
    Action present{};
    return ::sigaction(signal_number, nullptr, &present) == 0 ? function_of(present) : nullptr;
}

SignalTap& SignalTap::get() {
    static SignalTap tap;
    return tap;
}

Result<int> SignalTap::open() {
    if (fd_ < 0) {
        Result<int> fd = open_eventfd();
        if (!fd) {
            return fd;
        }
        fd_ = *fd;
        wake_fd.store(fd_);
    }
    return fd_;
}

Error SignalTap::add(int signal_number) {
    if (signal_number < 1 || signal_number > kLastSignal) {
        return Error::system(EINVAL);
    }
    if ((tapped_ & bit(signal_number)) != 0) {
        return Error();
    }
    Action action{};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_RESTART | SA_SIGINFO;
    sigfillset(&action.sa_mask);
    if (::sigaction(signal_number, nullptr, &before[signal_number]) != 0) {
        return Error::last_errno();
    }
    const void* handler = function_of(before[signal_number]);
    calls_before[signal_number] =
        handler != nullptr && (is_default_ == nullptr || !is_default_(signal_number, handler));
    if (::sigaction(signal_number, &action, nullptr) != 0) {
        return Error::last_errno();
    }
    tapped_ |= bit(signal_number);
    return Error();
}

void SignalTap::remove(int signal_number) {
    if ((tapped_ & bit(signal_number)) == 0) {
        return;
    }
    tapped_ &= ~bit(signal_number);
    Action present{};
    ::sigaction(signal_number, nullptr, &present);
    if ((present.sa_flags & SA_SIGINFO) != 0 && present.sa_sigaction == on_signal) {
        ::sigaction(signal_number, &before[signal_number], nullptr);
    }
}

uint64_t SignalTap::drain() {
    drain_eventfd(fd_);
    return arrived.exchange(0);
}

void SignalTap::reset() {
    for (int number = 1; number <= kLastSignal; number++) {
        remove(number);
    }
    wake_fd.store(-1);
    arrived.store(0);
    close_fd(fd_);
    fd_ = -1;
}

}  // namespace stampede::os
