// The supervisor's life: signals, iterations, reload and stop. The life of its processes is
// master_process.cc.
#include "proc/master.h"

#include <algorithm>
#include <csignal>
#include <cstring>

#include "os/fd.h"
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
      slots_(places(settings)),
      active_workers_(settings.workers_at_start > 0
                          ? std::min(settings.workers_at_start, settings.workers)
                          : settings.workers) {
    board_.set_active_workers(active_workers_);
    for (uint32_t worker = active_workers_; worker < settings.workers; worker++) {
        slots_[worker].start_at = kNever;
    }
}

const char* name_of(PlaceKind kind) {
    return kind == PlaceKind::kWorker       ? "worker"
           : kind == PlaceKind::kTaskWorker ? "task worker"
                                            : "user process";
}

PlaceKind Master::kind_of(uint32_t worker) const {
    return worker < settings_.workers                            ? PlaceKind::kWorker
           : worker < settings_.workers + settings_.task_workers ? PlaceKind::kTaskWorker
                                                                 : PlaceKind::kUserProcess;
}

Master::~Master() {
    if (signals_.fd >= 0) {
        loop_.unwatch(signals_);
    }
}

Result<Role> Master::run() {
    if (Error error = take_signals()) {
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
        handle_pending();
        if (!served_ && all_serve()) {
            served_ = true;
            events_.serving(events_.owner);
        }
        enforce_deadlines();
        watch_iterations();
        watch_limits();
    }
    return Role::kMaster;
}

bool Master::finished() const {
    return phase_ == Phase::kStopping && processes_.empty() &&
           (boots_ == nullptr || boots_->empty());
}

bool Master::all_serve() const {
    for (uint32_t i = 0; i < slots_.size(); i++) {
        const Process* present = slots_[i].present;
        if (!is_off(i) && (present == nullptr || present->stage != Stage::kServing)) {
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
    if (has(SIGUSR1)) {
        pending_ |= kReload;
    }
    if (has(SIGUSR2)) {  // a server without task workers reloads what it has
        pending_ |= settings_.task_workers > 0 ? kReloadTasks : kReload;
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
        stop_now();
    } else if (pending & kStopSoftly) {
        begin_stop();
    } else if ((pending & (kReload | kReloadTasks)) && phase_ == Phase::kRunning) {
        begin_reload((pending & kReload) != 0);
    }
    if (phase_ == Phase::kStopping) {
        continue_stop();
    }
    if (pending & kReopenLog) {
        events_.reopen_log(events_.owner);
        signal_all(SIGRTMIN);
    }
    if (pending & kSuspend) {
        suspend();
    }
    if ((pending & kTellBootFailure) && events_.boot_failed != nullptr) {
        events_.boot_failed(events_.owner, failure_);
    }
    if (reloading_) {
        continue_reload();
    }
}

// The whole family stops, and goes on when the supervisor is continued.
void Master::suspend() {
    signal_all(SIGSTOP);
    os::stop_self();
    signal_all(SIGCONT);
}

void Master::signal_all(int signal_number) {
    for (auto& process : processes_) {
        send(*process, signal_number);
    }
    if (boots_ != nullptr) {
        boots_->signal(signal_number);
    }
}

// The number of a process that was ordered is not known yet; 0 would be this whole group.
void Master::send(Process& process, int signal_number) {
    if (process.pid != 0) {
        os::send_signal(process.pid, signal_number);
    } else if (signal_number != SIGSTOP && signal_number != SIGCONT) {
        process.owed_signal = signal_number;
    }
}

void Master::tell_to_stop(Process& process, int signal_number, Nanos patience) {
    process.stage = Stage::kLeaving;
    process.kill_at = monotonic_now() + patience;
    if (process.kind == PlaceKind::kTaskWorker && process.fd >= 0) {
        (void)os::write_some(process.fd, &kTellFinish, 1);
    }
    send(process, signal_number);
}

// The workers go first, then the task workers, then the user processes, so that what one kind still
// sends to the next is handled.
void Master::begin_stop() {
    phase_ = Phase::kStopping;
    board_.set_stopping();
    reloading_ = false;
    stopping_kind_ = 0;
    for (Slot& slot : slots_) {
        slot.start_at = kNever;
    }
    events_.stopping(events_.owner);
    if (boots_ != nullptr) {
        boots_->end();
        drop_orders();
    }
    for (auto& process : processes_) {
        if (process->kind == PlaceKind::kWorker) {
            tell_to_stop(*process, SIGTERM, settings_.stop_time + kSecond);
        }
    }
}

void Master::continue_stop() {
    while (stopping_kind_ + 1 < kPlaceKinds) {
        for (auto& process : processes_) {
            if (static_cast<int>(process->kind) <= stopping_kind_) {
                return;
            }
        }
        stopping_kind_++;
        for (auto& process : processes_) {
            if (static_cast<int>(process->kind) == stopping_kind_) {
                tell_to_stop(*process, SIGTERM, settings_.stop_time + kSecond);
            }
        }
    }
}

void Master::stop_now() {
    if (phase_ == Phase::kRunning) {
        begin_stop();
    }
    stopping_kind_ = kPlaceKinds;
    for (auto& process : processes_) {
        // A user process knows nothing of the server's signals.
        int number = process->kind == PlaceKind::kUserProcess ? SIGTERM : SIGINT;
        tell_to_stop(*process, number, kSecond / 2);
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
    for (uint32_t i = 0; i < slots_.size(); i++) {
        PlaceKind kind = kind_of(i);
        // In a reload that is under way, those already replaced as well.
        slots_[i].reload |=
            kind == PlaceKind::kTaskWorker || (workers && kind == PlaceKind::kWorker && !is_off(i));
    }
    if (reloading_) {
        return;
    }
    Log::get().write(LogLevel::kInfo, "reloading %u workers and %u task workers",
                     workers ? active_workers_ : 0, settings_.task_workers);
    reloading_ = true;
    if (boots_ == nullptr) {
        events_.before_reload(events_.owner);
    }
}

// The task workers come after the workers: what runs in a task is at least as new as what asks for
// it.
void Master::continue_reload() {
    uint32_t busy = 0;
    uint32_t waiting = 0;
    bool workers_left = false;
    for (uint32_t i = 0; i < slots_.size(); i++) {
        busy += slots_[i].reload && under_way(slots_[i], kind_of(i)) ? 1 : 0;
        workers_left |= slots_[i].reload && kind_of(i) == PlaceKind::kWorker;
    }
    for (uint32_t i = 0; i < slots_.size(); i++) {
        Slot& slot = slots_[i];
        PlaceKind kind = kind_of(i);
        if (!slot.reload || under_way(slot, kind)) {
            continue;
        }
        waiting++;
        if (busy >= settings_.reload_at_once || (kind != PlaceKind::kWorker && workers_left)) {
            continue;
        }
        busy++;
        if (kind == PlaceKind::kWorker || slot.present == nullptr) {
            slot.start_at = 0;
        } else {
            retire(*slot.present);  // its successor is started when it has ended
        }
    }
    if (busy == 0 && waiting == 0) {
        finish_reload();
    }
}

// Its replacement has begun.
bool Master::under_way(const Slot& slot, PlaceKind kind) const {
    if (slot.next != nullptr || slot.start_at != kNever) {
        return true;
    }
    if (kind == PlaceKind::kWorker || slot.present == nullptr) {
        return false;
    }
    return slot.present->stage == Stage::kLeaving ||
           (slot.present->stage == Stage::kStarting && slot.present->generation == generation_);
}

void Master::finish_reload() {
    reloading_ = false;
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
    for (auto& process : processes_) {
        if (process->kill_at <= now && process->pid == 0) {
            // The boot process does not do what it is told: another one will.
            boots_->give_up_present();
            return;
        }
        if (process->kill_at <= now) {
            Log::get().write(LogLevel::kWarning, "%s %u (pid %d) did not end in time and is killed",
                             name_of(process->kind), process->worker, process->pid);
            process->kill_at = now + kSecond;
            send(*process, SIGKILL);
        }
    }
}

// How long the worker has been busy with its present iteration. The time in which it waited for a
// processor that others used does not count: a machine with too much work ends nobody.
Nanos Master::busy_time(Process& process, Nanos now) {
    Nanos since = static_cast<Nanos>(board_.line(process.line).iteration_started.get());
    if (since != process.seen_iteration) {
        process.seen_iteration = since;
        process.delay_before = process.delay;
    }
    process.delay = os::processor_delay(process.pid);
    return since == 0 ? 0 : now - since - (process.delay - process.delay_before);
}

// An iteration of a worker's loop that lasts too long is an endless loop or a blocking call: first
// the worker is asked to end it and to say where it was, then it is killed.
void Master::watch_iterations() {
    if (settings_.watchdog == 0 || phase_ != Phase::kRunning) {
        return;
    }
    Nanos now = monotonic_now();
    for (auto& process : processes_) {
        Nanos lasted = busy_time(*process, now);
        if (lasted < settings_.watchdog) {
            process->warned = false;
        } else if (!process->warned) {
            process->warned = true;
            Log::get().write(LogLevel::kError,
                             "worker %u (pid %d) has been busy with one iteration for %lld s; it "
                             "is told to end it",
                             process->worker, process->pid,
                             static_cast<long long>(lasted / kSecond));
            send(*process, SIGXCPU);
        } else if (lasted > settings_.watchdog + 2 * kSecond) {
            send(*process, SIGKILL);
        }
    }
}

Nanos Master::next_wait() const {
    Nanos due = boots_ != nullptr ? boots_->next_due() : kNever;
    for (uint32_t i = 0; i < slots_.size(); i++) {
        due = waits_for_boot(i) ? due : std::min(due, slots_[i].start_at);
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
    if (settings_.most_memory != 0 || settings_.most_age != 0) {
        wait = std::min(wait, settings_.limits_period);
    }
    return wait;
}

}  // namespace stampede::proc
