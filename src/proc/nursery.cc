#include "proc/nursery.h"

#include <csignal>
#include <cstring>

#include "os/packet_pair.h"
#include "os/process.h"
#include "os/signal.h"

namespace stampede::proc {

void Nursery::report(const BootReport& report, std::string_view text) {
    std::string_view head(reinterpret_cast<const char*>(&report), sizeof(report));
    while (!os::send_packet(channel_.get(), {head, text.substr(0, BootReport::kMostText)}, -1)) {
        if (errno != EAGAIN && errno != EINTR) {
            os::exit_now(0);  // the supervisor is gone
        }
        os::block_until_writable(channel_.get());
    }
}

void Nursery::report_booted() { report({.news = BootNews::kBooted}); }

void Nursery::report_failure(std::string_view why) { report({.news = BootNews::kFailed}, why); }

WorkerPlace Nursery::serve(const Events& events) {
    if (os::open_pipe(births_)) {
        report_failure("the boot process has no descriptor left (ulimit -n)");
        os::exit_now(1);
    }
    WorkerPlace place;
    for (;;) {
        os::block_until_readable(channel_.get(), os::SignalInbox::get().fd());
        take_signals(events);
        if (take_order(place) == Side::kWorker) {
            return place;
        }
    }
}

void Nursery::take_signals(const Events& events) {
    uint64_t arrived = os::SignalInbox::get().drain();
    if ((arrived >> (SIGRTMIN - 1) & 1) != 0) {
        events.reopen_log(events.owner);
    }
}

Nursery::Side Nursery::take_order(WorkerPlace& place) {
    ForkOrder order;
    for (;;) {
        os::Fd channel;
        int64_t size = os::receive_packet(channel_.get(), reinterpret_cast<char*>(&order),
                                          sizeof(order), channel);
        if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) {
            os::exit_now(0);  // the supervisor is gone
        }
        if (size < 0) {
            return Side::kBootProcess;
        }
        if (!channel) {
            report({.news = BootNews::kNotForked, .line = order.line, .error = EMFILE});
        } else if (fork_worker(order, std::move(channel), place) == Side::kWorker) {
            return Side::kWorker;
        }
    }
}

// The process between ends before its number is told to anybody, so the worker's parent is the
// supervisor by then.
Nursery::Side Nursery::fork_worker(const ForkOrder& order, os::Fd channel, WorkerPlace& place) {
    Result<pid_t> between = os::fork_process(os::SignalsOfChild::kBlocked);
    if (!between) {
        auto error = static_cast<int32_t>(between.error().code());
        report({.news = BootNews::kNotForked, .line = order.line, .error = error});
        return Side::kBootProcess;
    }
    if (*between == 0) {
        Result<pid_t> worker = os::fork_process(os::SignalsOfChild::kBlocked);
        if (worker && *worker == 0) {
            os::close_fd(births_[0]);
            os::close_fd(births_[1]);
            channel_.reset();
            place = {order.kind, order.worker, order.line, order.generation, channel.release()};
            become_worker(place);
            return Side::kWorker;
        }
        int32_t born = worker ? *worker : -static_cast<int32_t>(worker.error().code());
        (void)os::write_some(births_[1], reinterpret_cast<const char*>(&born), sizeof(born));
        os::exit_now(0);
    }
    (void)os::block_until_ended(*between);
    int32_t born = 0;
    long size = os::read_some(births_[0], reinterpret_cast<char*>(&born), sizeof(born));
    if (size != static_cast<long>(sizeof(born)) || born <= 0) {  // EAGAIN: it was killed
        report(
            {.news = BootNews::kNotForked, .line = order.line, .error = born < 0 ? -born : EAGAIN});
    } else {
        report({.news = BootNews::kForked, .line = order.line, .pid = born});
    }
    return Side::kBootProcess;
}

// The supervisor says go when it knows this process; when it has given the order up, it closes the
// channel instead.
void Nursery::become_worker(const WorkerPlace& place) {
    char byte = 0;
    long size = -1;
    do {
        os::block_until_readable(place.channel);
        size = os::read_some(place.channel, &byte, 1);
    } while (size < 0 && errno == EAGAIN);
    if (size != 1 || byte != kTellGo) {
        os::exit_now(0);
    }
    for (int number : {SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2, SIGRTMIN}) {
        os::SignalInbox::get().restore(number);
    }
    os::signal_on_parent_death(SIGTERM);
}

}  // namespace stampede::proc
