// The supervisor's life: signals, iterations, reload and stop. The life of its processes is
// master_process.cc.
#include "proc/master.h"

#include <algorithm>
#include <csignal>
#include <utility>

#include "os/log.h"
#include "os/signal.h"
#include "proc/boot_processes.h"

namespace stampede::proc {

using os::Log;
using os::LogLevel;

Master::Master(loop::Loop& loop, shm::Scoreboard& board, const MasterSettings& settings,
               const MasterEvents& events)
    : loop_(loop),
      board_(board),
      settings_(settings),
      events_(events),
      signals_(loop),
      family_(loop, board, settings_),
      iterations_(board, {settings.watchdog, settings.task_time}),
      recycling_(settings_),
      reload_(family_, settings.reload_at_once) {}

Master::~Master() = default;

Result<Role> Master::run() {
    if (Error error = signals_.open()) {
        return error;
    }
    if (settings_.boots) {
        open_boots();
    }
    while (!finished()) {
        Result<Role> role = start_due();
        if (!role || *role != Role::kMaster) {
            return role;
        }
        events_.iterate(events_.owner, next_wait());
        obey(signals_.take());
        if (!served_ && family_.all_serve()) {
            served_ = true;
            events_.serving(events_.owner);
        }
        enforce_deadlines();
        watch_processes();
    }
    return Role::kMaster;
}

bool Master::finished() const {
    return phase_ == Phase::kStopping && family_.empty() && (boots_ == nullptr || boots_->empty());
}

void Master::obey(SignalSet signals) {
    if (std::exchange(reap_again_, false) || signals.has(SIGCHLD)) {
        reap();
    }
    // A second request to stop is meant seriously.
    bool stop = signals.has(SIGTERM) || signals.has(SIGHUP) || signals.has(SIGQUIT);
    // A server without task workers reloads what it has.
    bool all = signals.has(SIGUSR1) || (signals.has(SIGUSR2) && settings_.task_workers == 0);
    bool interrupted = signals.has(SIGINT) && (events_.takes_interrupt == nullptr ||
                                               !events_.takes_interrupt(events_.owner));
    if (interrupted || (stop && phase_ == Phase::kStopping)) {
        stop_now();
    } else if (stop && settings_.drain_time > 0 && family_.some_serve() && !drain_.active()) {
        begin_drain();
    } else if (stop) {
        begin_stop();
    } else if ((all || signals.has(SIGUSR2)) && phase_ == Phase::kRunning) {
        begin_reload(all);
    }
    if (signals.has(SIGRTMIN)) {
        events_.reopen_log(events_.owner);
        signal_all(SIGRTMIN);
    }
    if (signals.has(SIGTSTP)) {
        suspend();
    }
    if (std::exchange(tell_boot_failure_, false) && events_.boot_failed != nullptr) {
        events_.boot_failed(events_.owner, failure_);
    }
    if (reload_.active() && reload_.go_on(generation_)) {
        finish_reload();
    }
    if (drain_.active() && drain_.goes_over(monotonic_now(), board_)) {
        begin_stop();
    }
    // Last, since each event of above may have asked for it.
    if (end_asked_ && phase_ == Phase::kRunning) {
        begin_stop();
    }
    if (phase_ == Phase::kStopping) {
        continue_stop();
    }
}

// The whole family stops, and goes on when the supervisor is continued.
void Master::suspend() {
    signal_all(SIGSTOP);
    os::stop_self();
    signal_all(SIGCONT);
}

void Master::signal_all(int signal_number) {
    family_.signal_all(signal_number);
    if (boots_ != nullptr) {
        boots_->signal(signal_number);
    }
}

void Master::begin_drain() {
    drain_.begin(monotonic_now(), settings_.drain_time);
    Log::get().write(LogLevel::kInfo, "the server stops in %.1f s, and serves until then",
                     static_cast<double>(settings_.drain_time) / kSecond);
    events_.draining(events_.owner);
}

// The workers go first, then the task workers, then the user processes, so that what one kind still
// sends to the next is handled.
void Master::begin_stop() {
    phase_ = Phase::kStopping;
    drain_.end();
    board_.set_stopping();
    reload_.give_up();
    stopping_kind_ = 0;
    for (Slot& slot : family_.slots()) {
        slot.start_at = kNever;
    }
    events_.stopping(events_.owner);
    if (boots_ != nullptr) {
        boots_->end();
        drop_orders();
    }
    for (auto& process : family_.processes()) {
        if (process->kind == PlaceKind::kWorker) {
            family_.tell_to_stop(*process, SIGTERM, settings_.worker_stop_time + kSecond);
        }
    }
}

void Master::continue_stop() {
    while (stopping_kind_ + 1 < kPlaceKinds) {
        for (auto& process : family_.processes()) {
            if (static_cast<int>(process->kind) <= stopping_kind_) {
                return;
            }
        }
        stopping_kind_++;
        for (auto& process : family_.processes()) {
            if (static_cast<int>(process->kind) == stopping_kind_) {
                family_.tell_to_stop(*process, SIGTERM, settings_.stop_time + kSecond);
            }
        }
    }
}

void Master::stop_now() {
    if (phase_ == Phase::kRunning) {
        begin_stop();
    }
    stopping_kind_ = kPlaceKinds;
    for (auto& process : family_.processes()) {
        // A user process knows nothing of the server's signals.
        int number = process->kind == PlaceKind::kUserProcess ? SIGTERM : SIGINT;
        family_.tell_to_stop(*process, number, kSecond / 2);
    }
}

void Master::begin_reload(bool workers) {
    asked_++;
    if (boots_ != nullptr) {
        order_generation();
    } else {
        generation_ = asked_;
        failure_.clear();
        replace_all(workers);
    }
}

void Master::replace_all(bool workers) {
    if (!reload_.begin(workers)) {
        return;
    }
    Log::get().write(LogLevel::kInfo, "reloading %u workers and %u task workers",
                     workers ? family_.active_workers() : 0, settings_.task_workers);
    if (boots_ == nullptr) {
        events_.before_reload(events_.owner);
    }
}

void Master::finish_reload() {
    settled_ = std::max(settled_, generation_);
    Log::get().write(LogLevel::kInfo, "reload is complete");
    events_.after_reload(events_.owner);
}

// Ends what was told to end and did not.
void Master::enforce_deadlines() {
    Nanos now = monotonic_now();
    if (boots_ != nullptr) {
        boots_->enforce_deadlines(now);
    }
    for (auto& process : family_.processes()) {
        if (process->kill_at <= now && process->pid == 0) {
            // The boot process does not do what it is told: another one will.
            boots_->give_up_present();
            return;
        }
        if (process->kill_at <= now) {
            Log::get().write(LogLevel::kWarning, "%s %u (pid %d) did not end in time and is killed",
                             name_of(process->kind), process->worker, process->pid);
            process->kill_at = now + kSecond;
            family_.signal(*process, SIGKILL);
        }
    }
}

// What takes too long, has grown too large or too old.
void Master::watch_processes() {
    if (phase_ != Phase::kRunning) {
        return;
    }
    if (iterations_.active()) {
        iterations_.look_at(family_);
    }
    Nanos now = monotonic_now();
    if (!recycling_.is_due(now) || replacing()) {
        return;
    }
    Process* due = recycling_.next_due(family_, now);
    if (due != nullptr && due->kind == PlaceKind::kWorker) {
        family_.slots()[due->worker].start_at = 0;
    } else if (due != nullptr) {
        family_.retire(*due);  // its successor is started when it has ended
    }
}

// Some worker is being replaced, or one that was is still there.
bool Master::replacing() const {
    if (reload_.active()) {
        return true;
    }
    for (const Slot& slot : family_.slots()) {
        if (slot.next != nullptr || slot.start_at != kNever) {
            return true;
        }
    }
    for (const auto& process : family_.processes()) {
        if (process->stage != Stage::kServing && process->kind != PlaceKind::kUserProcess) {
            return true;
        }
    }
    return false;
}

bool Master::set_active_workers(uint32_t number) {
    if (phase_ != Phase::kRunning || number < 1 || number > settings_.workers) {
        return false;
    }
    if (number != family_.active_workers()) {
        Log::get().write(LogLevel::kInfo, "from now on there are %u workers, not %u", number,
                         family_.active_workers());
    }
    family_.set_active_workers(number);
    return true;
}

Nanos Master::next_wait() const {
    Nanos due = boots_ != nullptr ? boots_->next_due() : kNever;
    for (uint32_t i = 0; i < family_.slots().size(); i++) {
        due = waits_for_boot(i) ? due : std::min(due, family_.slots()[i].start_at);
    }
    due = std::min(due, drain_.next_due());
    for (const auto& process : family_.processes()) {
        due = process->kill_at < due ? process->kill_at : due;
    }
    if (reap_again_ || tell_boot_failure_) {
        return 0;
    }
    Nanos now = monotonic_now();
    Nanos wait = due == kNever ? kNever : (due > now ? due - now : 0);
    return std::min({wait, iterations_.active() ? kSecond : kNever,
                     recycling_.active() ? settings_.limits_period : kNever});
}

}  // namespace stampede::proc
