#include "os/signal.h"

#include <atomic>

#include "os/fd.h"

namespace stampede::os {

namespace {

std::atomic<uint64_t> arrived{0};
std::atomic<int> wake_fd{-1};

}  // namespace

SignalInbox& SignalInbox::get() {
    static SignalInbox inbox;
    return inbox;
}

Error SignalInbox::open() {
    Result<int> fd = open_eventfd();
    if (!fd) {
        return fd.error();
    }
    int old = fd_;
    fd_ = *fd;
    wake_fd.store(fd_);
    arrived.store(0);
    close_fd(old);
    return Error();
}

void SignalInbox::on_signal(int signal_number) {
    int saved = errno;
    arrived.fetch_or(1ull << (signal_number - 1));
    int fd = wake_fd.load(std::memory_order_relaxed);
    if (fd >= 0) {
        signal_eventfd(fd);
    }
    errno = saved;
}

Error SignalInbox::take(int signal_number) {
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigfillset(&action.sa_mask);
    return ::sigaction(signal_number, &action, nullptr) == 0 ? Error() : Error::last_errno();
}

void SignalInbox::restore(int signal_number) { ::signal(signal_number, SIG_DFL); }

void SignalInbox::ignore(int signal_number) { ::signal(signal_number, SIG_IGN); }

uint64_t SignalInbox::drain() {
    drain_eventfd(fd_);
    return arrived.exchange(0);
}

void on_signal_directly(int signal_number, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    ::sigaction(signal_number, &action, nullptr);
}

void unblock_all_signals() {
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace stampede::os
