#include "proc/boot_processes.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <string>
#include <utility>

#include "os/fd.h"
#include "os/log.h"
#include "os/packet_pair.h"

namespace stampede::proc {

using os::Log;
using os::LogLevel;

namespace {

// A boot whose code is not the newest any more may still come to its end.
constexpr Nanos kSupersededPatience = 2 * kSecond;
// Between the end of a connection and that of its process.
constexpr Nanos kEndPatience = 2 * kSecond;

std::string how_it_ended(const os::ChildExit& how) {
    if (how.signal != 0) {
        return "its process was ended by signal " + std::to_string(how.signal) + " (" +
               ::strsignal(how.signal) + ")";
    }
    return "its process ended with status " + std::to_string(how.code);
}

}  // namespace

BootProcesses::BootProcesses(loop::Loop& loop, Nanos patience, const BootEvents& events)
    : loop_(loop), patience_(patience), events_(events) {}

BootProcesses::~BootProcesses() {
    for (Owned* process : {&present_, &next_}) {
        if (*process != nullptr) {
            close(**process);
        }
    }
}

void BootProcesses::want(uint64_t generation, Nanos at) {
    wanted_ = generation;
    wanted_at_ = at;
    if (next_ != nullptr) {
        next_->superseded = true;
        next_->kill_at = std::min(next_->kill_at, monotonic_now() + kSupersededPatience);
    }
}

Result<Role> BootProcesses::start_due(Nanos now) {
    if (wanted_at_ > now || next_ != nullptr) {
        return Role::kMaster;
    }
    int ends[2];
    if (Error error = os::packet_pair(ends)) {
        return error;
    }
    Result<pid_t> pid = os::fork_process(os::SignalsOfChild::kBlocked);
    if (!pid) {
        os::close_fd(ends[0]);
        os::close_fd(ends[1]);
        return pid.error();
    }
    if (*pid == 0) {
        os::close_fd(ends[0]);
        child_channel_ = ends[1];
        abandon();
        return Role::kBoot;
    }
    os::close_fd(ends[1]);
    wanted_at_ = kNever;
    next_ = std::make_unique<Process>();
    next_->owner = this;
    next_->pid = *pid;
    next_->generation = wanted_;
    next_->kill_at = now + patience_;
    next_->fd = ends[0];
    next_->interest = loop::kReadable;
    next_->on_ready = [](loop::Watch& watch, uint32_t) {
        auto& process = static_cast<Process&>(watch);
        process.owner->on_packet(process);
    };
    if (Error error = loop_.watch(*next_)) {
        os::close_fd(std::exchange(next_->fd, -1));
        put_away(std::exchange(next_, nullptr));
        return error;
    }
    return Role::kMaster;
}

void BootProcesses::on_packet(Process& process) {
    char packet[sizeof(BootReport) + BootReport::kMostText];
    for (;;) {
        int64_t size = os::receive_packet(process.fd, packet, sizeof(packet));
        if (size < 0 && (errno == EAGAIN || errno == EINTR)) {
            return;
        }
        if (size < static_cast<int64_t>(sizeof(BootReport))) {
            // It is ending: how, its exit says. One that only closed its end is ended.
            close(process);
            process.kill_at = std::min(process.kill_at, monotonic_now() + kEndPatience);
            return;
        }
        BootReport report;
        std::memcpy(&report, packet, sizeof(report));
        std::string text(packet + sizeof(report), static_cast<size_t>(size) - sizeof(report));
        on_report(process, report, text);
        if (&process != present_.get() && &process != next_.get()) {
            return;
        }
    }
}

void BootProcesses::on_report(Process& process, const BootReport& report, std::string_view text) {
    switch (report.news) {
        case BootNews::kBooted:
            if (&process == next_.get()) {
                process.kill_at = kNever;
                if (present_ != nullptr) {
                    put_away(std::exchange(present_, nullptr));
                    events_.lost(events_.owner);
                }
                present_ = std::exchange(next_, nullptr);
                events_.ready(events_.owner, present_->generation);
            }
            return;
        case BootNews::kFailed:
            fail(process, text);
            return;
        case BootNews::kForked:
        case BootNews::kNotForked:
            events_.forked(events_.owner, report.line, report.pid, report.error);
            return;
    }
}

void BootProcesses::fail(Process& process, std::string_view why) {
    if (&process != next_.get()) {
        return;
    }
    uint64_t generation = process.generation;
    bool superseded = process.superseded;
    put_away(std::exchange(next_, nullptr));
    if (!superseded) {
        events_.failed(events_.owner, generation, why);
    }
}

bool BootProcesses::order(const ForkOrder& order, int channel) {
    std::string_view bytes(reinterpret_cast<const char*>(&order), sizeof(order));
    return present_ != nullptr && present_->fd >= 0 &&
           os::send_packet(present_->fd, {bytes}, channel);
}

void BootProcesses::give_up_present() {
    if (present_ != nullptr) {
        put_away(std::exchange(present_, nullptr));
        events_.lost(events_.owner);
    }
}

bool BootProcesses::take_exit(const os::ChildExit& how) {
    for (size_t i = 0; i < ending_.size(); i++) {
        if (ending_[i]->pid == how.pid) {
            ending_.erase(ending_.begin() + static_cast<long>(i));
            return true;
        }
    }
    if (next_ != nullptr && next_->pid == how.pid) {
        if (next_->fd >= 0) {
            on_packet(*next_);  // what it said last
        }
        if (next_ != nullptr && next_->pid == how.pid) {
            fail(*next_, how_it_ended(how));
        }
        return take_exit(how);  // it is among those that end now
    }
    if (present_ != nullptr && present_->pid == how.pid) {
        Log::get().write(LogLevel::kError,
                         "the boot process (pid %d) is gone: %s; another one loads the application",
                         how.pid, how_it_ended(how).c_str());
        if (present_->fd >= 0) {
            on_packet(*present_);
        }
        give_up_present();
        return take_exit(how);
    }
    return false;
}

void BootProcesses::enforce_deadlines(Nanos now) {
    if (next_ != nullptr && next_->kill_at <= now) {
        fail(*next_, "it did not come to its end within " + std::to_string(patience_ / kSecond) +
                         " seconds");
    }
    if (present_ != nullptr && present_->kill_at <= now) {
        give_up_present();
    }
}

Nanos BootProcesses::next_due() const {
    Nanos due = next_ == nullptr ? wanted_at_ : next_->kill_at;
    return present_ != nullptr ? std::min(due, present_->kill_at) : due;
}

void BootProcesses::signal(int number) {
    for (const Owned* process : {&present_, &next_}) {
        if (*process != nullptr) {
            os::send_signal((*process)->pid, number);
        }
    }
}

void BootProcesses::end() {
    wanted_at_ = kNever;
    for (Owned* process : {&present_, &next_}) {
        if (*process != nullptr) {
            put_away(std::move(*process));
        }
    }
}

void BootProcesses::abandon() {
    for (Owned* process : {&present_, &next_}) {
        if (*process != nullptr) {
            os::close_fd(std::exchange((*process)->fd, -1));
            process->reset();
        }
    }
    ending_.clear();
    wanted_at_ = kNever;
}

// It runs no code of the application at its end: the workers have copies of what that would remove.
void BootProcesses::put_away(Owned process) {
    close(*process);
    os::send_signal(process->pid, SIGKILL);
    ending_.push_back(std::move(process));
}

void BootProcesses::close(Process& process) {
    if (process.fd >= 0) {
        loop_.unwatch(process);
        os::close_fd(std::exchange(process.fd, -1));
    }
}

}  // namespace stampede::proc
