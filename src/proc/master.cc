// The supervisor's life: signals, turns, reload and stop. The life of its processes is
// master_process.cc.
#include "proc/master.h"

#include <csignal>
#include <cstring>

#include "os/fd.h"
#include "os/log.h"
#include "os/signal.h"

namespace stampede::proc {

using os::Log;
using os::LogLevel;

Master::Master(loop::Loop& loop, shm::Scoreboard& board, const MasterSettings& settings,
               const MasterEvents& events)
    : loop_(loop), board_(board), settings_(settings), events_(events), slots_(settings.workers) {}

Master::~Master() {
    if (signals_.fd >= 0) {
        loop_.unwatch(signals_);
    }
}

Result<Role> Master::run() {
    if (Error error = take_signals()) {
        return error;
    }
    while (!finished()) {
        Result<Role> role = start_due();
        if (!role || *role == Role::kWorker) {
            return role;
        }
        events_.turn(events_.owner, next_wait());
        handle_pending();
        if (!served_ && all_serve()) {
            served_ = true;
            events_.serving(events_.owner);
        }
        enforce_deadlines();
        watch_turns();
    }
    return Role::kMaster;
}

bool Master::all_serve() const {
    for (const Slot& slot : slots_) {
        if (slot.present == nullptr || slot.present->stage != Stage::kServing) {
            return false;
        }
    }
    return true;
}

Error Master::take_signals() {
    os::SignalInbox& inbox = os::SignalInbox::get();
    if (Error error = inbox.open()) {
        return error;
    }
    for (int number :
         {SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2, SIGCHLD, SIGTSTP, SIGRTMIN}) {
        if (Error error = inbox.take(number)) {
            return error;
        }
    }
    inbox.ignore(SIGPIPE);
    signals_.fd = inbox.fd();
    signals_.interest = loop::kReadable;
    signals_.master = this;
    signals_.on_ready = [](loop::Watch& watch, uint32_t) {
        static_cast<SignalWatch&>(watch).master->on_signals();
    };
    return loop_.watch(signals_);
}

void Master::on_signals() {
    uint64_t arrived = os::SignalInbox::get().drain();
    auto has = [&](int number) { return (arrived >> (number - 1) & 1) != 0; };
    // A second request to stop is meant seriously.
    bool again = phase_ == Phase::kStopping;
    if (has(SIGTERM) || has(SIGHUP) || has(SIGQUIT)) {
        pending_ |= again ? kStopNow : kStopSoftly;
    }
    if (has(SIGINT)) {
        pending_ |= kStopNow;
    }
    if (has(SIGUSR1) || has(SIGUSR2)) {
        pending_ |= kReload;
    }
    if (has(SIGCHLD)) {
        pending_ |= kReap;
    }
    if (has(SIGTSTP)) {
        pending_ |= kSuspend;
    }
    if (has(SIGRTMIN)) {
        pending_ |= kReopenLog;
    }
}

void Master::handle_pending() {
    uint32_t pending = std::exchange(pending_, 0);
    if (pending & kReap) {
        reap();
    }
    if (pending & kStopNow) {
        begin_stop(SIGINT, kSecond / 2);
    } else if (pending & kStopSoftly) {
        begin_stop(SIGTERM, settings_.stop_time + kSecond);
    } else if ((pending & kReload) && phase_ == Phase::kRunning) {
        begin_reload();
    }
    if (pending & kReopenLog) {
        events_.reopen_log(events_.owner);
        for (auto& process : processes_) {
            os::send_signal(process->pid, SIGRTMIN);
        }
    }
    if (pending & kSuspend) {
        suspend();
    }
    if (reloading_) {
        continue_reload();
    }
}

// The whole family stops, and goes on when the supervisor is continued.
void Master::suspend() {
    for (auto& process : processes_) {
        os::send_signal(process->pid, SIGSTOP);
    }
    os::stop_self();
    for (auto& process : processes_) {
        os::send_signal(process->pid, SIGCONT);
    }
}

void Master::begin_stop(int signal_number, Nanos patience) {
    if (phase_ == Phase::kRunning) {
        phase_ = Phase::kStopping;
        reloading_ = false;
        for (Slot& slot : slots_) {
            slot.start_at = kNever;
        }
        events_.stopping(events_.owner);
    }
    for (auto& process : processes_) {
        process->stage = Stage::kLeaving;
        process->kill_at = monotonic_now() + patience;
        os::send_signal(process->pid, signal_number);
    }
}

void Master::begin_reload() {
    if (reloading_) {  // again, for those already replaced as well
        for (Slot& slot : slots_) {
            slot.reload = true;
        }
        return;
    }
    Log::get().write(LogLevel::kInfo, "reloading %u workers", settings_.workers);
    reloading_ = true;
    generation_++;
    for (Slot& slot : slots_) {
        slot.reload = true;
    }
    events_.before_reload(events_.owner);
}

void Master::continue_reload() {
    uint32_t busy = 0;
    uint32_t waiting = 0;
    for (Slot& slot : slots_) {
        busy += slot.next != nullptr || (slot.reload && slot.start_at != kNever) ? 1 : 0;
    }
    for (Slot& slot : slots_) {
        if (!slot.reload || slot.next != nullptr || slot.start_at != kNever) {
            continue;
        }
        waiting++;
        if (busy < settings_.reload_at_once) {
            slot.start_at = 0;
            busy++;
        }
    }
    if (busy == 0 && waiting == 0) {
        finish_reload();
    }
}

void Master::finish_reload() {
    reloading_ = false;
    Log::get().write(LogLevel::kInfo, "reload is complete");
    events_.after_reload(events_.owner);
}

// Ends what was told to end and did not.
void Master::enforce_deadlines() {
    Nanos now = monotonic_now();
    for (auto& process : processes_) {
        if (process->kill_at <= now) {
            Log::get().write(LogLevel::kWarning,
                             "worker %u (pid %d) did not end in time and is killed",
                             process->worker, process->pid);
            process->kill_at = now + kSecond;
            os::send_signal(process->pid, SIGKILL);
        }
    }
}

// A turn of a worker's loop that lasts too long is an endless loop or a blocking call: first the
// worker is asked to end it and to say where it was, then it is killed.
void Master::watch_turns() {
    if (settings_.watchdog == 0 || phase_ != Phase::kRunning) {
        return;
    }
    Nanos now = monotonic_now();
    for (auto& process : processes_) {
        Nanos since = static_cast<Nanos>(board_.line(process->line).turn_started.get());
        Nanos lasted = since == 0 ? 0 : now - since;
        if (lasted < settings_.watchdog) {
            process->warned = false;
        } else if (!process->warned) {
            process->warned = true;
            Log::get().write(
                LogLevel::kError,
                "worker %u (pid %d) has been busy with one turn for %lld s; it is told to end it",
                process->worker, process->pid, static_cast<long long>(lasted / kSecond));
            os::send_signal(process->pid, SIGXCPU);
        } else if (lasted > settings_.watchdog + 2 * kSecond) {
            os::send_signal(process->pid, SIGKILL);
        }
    }
}

Nanos Master::next_wait() const {
    Nanos due = kNever;
    for (const Slot& slot : slots_) {
        due = slot.start_at < due ? slot.start_at : due;
    }
    for (const auto& process : processes_) {
        due = process->kill_at < due ? process->kill_at : due;
    }
    if (pending_ != 0) {
        return 0;
    }
    Nanos now = monotonic_now();
    Nanos wait = due == kNever ? kNever : (due > now ? due - now : 0);
    if (settings_.watchdog != 0 && wait > kSecond) {
        wait = kSecond;
    }
    return wait;
}

}  // namespace stampede::proc
