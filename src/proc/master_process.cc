// The life of one worker process as its supervisor sees it: start, ready, replaced, ended.
#include <algorithm>
#include <csignal>
#include <cstring>

#include "os/fd.h"
#include "os/log.h"
#include "os/signal.h"
#include "proc/boot_processes.h"
#include "proc/master.h"

namespace stampede::proc {

using os::Log;
using os::LogLevel;

namespace {

constexpr Nanos kShortLife = kSecond;
constexpr Nanos kLineWait = 20 * kMillisecond;
constexpr uint32_t kMostNamed = 256;  // requests that one process has lost

bool has_in_flight(const shm::WorkerLine& line) {
    return std::ranges::any_of(line.used(),
                               [](const shm::InFlight& entry) { return entry.since != 0; });
}

// Passwords and tokens are sent in queries, and logs are read by many.
std::string_view without_query(std::string_view request) {
    return request.substr(0, request.find('?'));
}

// How it ended, and what it was doing.
void log_exit(const Process& process, const os::ChildExit& how, const shm::WorkerLine& line) {
    const char* kind = name_of(process.kind);
    if (how.signal != 0) {
        Log::get().write(LogLevel::kError, "%s %u (pid %d) was ended by signal %d (%s)", kind,
                         process.worker, process.pid, how.signal, strsignal(how.signal));
    } else if (how.code != 0) {
        Log::get().write(LogLevel::kError, "%s %u (pid %d) ended with status %d", kind,
                         process.worker, process.pid, how.code);
    }
    Nanos now = monotonic_now();
    uint32_t named = 0;
    for (const shm::InFlight& entry : line.used()) {
        if (entry.since == 0 || named++ >= kMostNamed) {
            continue;
        }
        auto lasted = static_cast<long long>((now - entry.since) / kMillisecond);
        int length = static_cast<int>(without_query({entry.text, entry.length}).size());
        if (process.kind == PlaceKind::kWorker) {
            Log::get().write(LogLevel::kError,
                             "lost with worker %u: \"%.*s\" on connection %lld, after %lld ms",
                             process.worker, length, entry.text,
                             static_cast<long long>(entry.connection_id), lasted);
        } else {
            Log::get().write(LogLevel::kError, "lost with %s %u: %.*s, after %lld ms", kind,
                             process.worker, length, entry.text, lasted);
        }
    }
    if (named > kMostNamed) {
        Log::get().write(LogLevel::kError, "and %u more", named - kMostNamed);
    }
}

enum class Exit : uint8_t { kClean, kFailed };

// How long the place of a process that has ended waits for its successor.
Nanos restart_delay(Slot& slot, const Process& process, Exit how) {
    Nanos now = monotonic_now();
    if (process.stage == Stage::kStarting) {
        return slot.pace.after_failed_start();
    }
    // What a user process does is its function alone: it is ready as soon as it runs, and a short
    // life is its failure. The first one may be an accident.
    bool is_user = process.kind == PlaceKind::kUserProcess;
    if (!is_user || now - process.started_at >= kShortLife) {
        return slot.pace.after_service(now);
    }
    return how == Exit::kClean ? slot.pace.after_work(now) : slot.pace.after_short_life();
}

}  // namespace

Result<Role> Master::start_due() {
    Nanos now = monotonic_now();
    if (boots_ != nullptr && phase_ == Phase::kRunning) {
        Result<Role> role = start_boot(now);
        if (!role || *role == Role::kBoot) {
            return role;
        }
    }
    for (uint32_t worker = 0; worker < family_.slots().size(); worker++) {
        Slot& slot = family_.slots()[worker];
        if (slot.start_at > now || phase_ != Phase::kRunning || slot.next != nullptr ||
            waits_for_boot(worker)) {
            continue;
        }
        slot.start_at = kNever;
        Result<Role> role = start_process(worker);
        if (!role || *role == Role::kWorker) {
            return role;
        }
    }
    started_ = true;
    return Role::kMaster;
}

// The first workers cannot be forked: a server that is half there is worse than none.
void Master::abandon_start() {
    for (auto& process : family_.processes()) {
        family_.signal(*process, SIGKILL);
    }
    while (!family_.empty()) {
        phase_ = Phase::kStopping;
        loop_.run_once(10 * kMillisecond);
        reap();
    }
}

Result<Role> Master::start_process(uint32_t worker) {
    uint32_t line = family_.free_line(worker);
    if (line == UINT32_MAX) {  // too many are still leaving: one of them will have gone soon
        family_.slots()[worker].start_at = monotonic_now() + kLineWait;
        return Role::kMaster;
    }
    if (is_booted(family_.kind_of(worker))) {
        return order_process(worker, line);
    }
    return fork_process(worker, line);
}

Result<Role> Master::fork_process(uint32_t worker, uint32_t line) {
    int ends[2];
    if (Error error = os::open_socket_pair(ends)) {
        fork_failed(worker, error);
        return Role::kMaster;
    }
    std::unique_ptr<Process> process = family_.make(worker, line, generation_);
    // The worker lets signals through once it can take them: an order to end that comes before is
    // not lost.
    Result<pid_t> pid = os::fork_process(os::SignalsOfChild::kBlocked);
    if (!pid) {
        os::close_fd(ends[0]);
        os::close_fd(ends[1]);
        if (!started_) {
            abandon_start();
            return pid.error();
        }
        fork_failed(worker, pid.error());
        return Role::kMaster;
    }
    if (*pid == 0) {
        os::close_fd(ends[0]);
        become_child(*process, ends[1]);
        return Role::kWorker;
    }
    os::close_fd(ends[1]);
    process->pid = *pid;
    board_.line(line).pid.store(*pid);
    if (Error error = take_in(std::move(process), ends[0])) {
        return error;
    }
    if (events_.started != nullptr) {
        events_.started(events_.owner, family_.processes().back()->place(), *pid);
    }
    return Role::kMaster;
}

Error Master::take_in(std::unique_ptr<Process> process, int channel) {
    process->master = this;
    process->on_ready = [](loop::Watch& watch, uint32_t) {
        auto& speaker = static_cast<Process&>(watch);
        speaker.master->on_message(speaker);
    };
    return family_.add(std::move(process), channel);
}

// The server goes on with the workers it has; this one is tried again later.
void Master::fork_failed(uint32_t worker, const Error& error) {
    Slot& slot = family_.slots()[worker];
    Nanos delay = slot.pace.after_failed_start();
    slot.start_at = monotonic_now() + delay;
    Log::get().write(LogLevel::kError, "cannot start %s %u: %s; next try in %lld s",
                     name_of(family_.kind_of(worker)), worker,
                     std::strerror(static_cast<int>(error.code())),
                     static_cast<long long>(delay / kSecond));
}

// In the child: what belongs to the supervisor and to the other workers is let go.
void Master::become_child(Process& process, int channel) {
    place_ = process.place();
    place_.channel = channel;
    // The parent writes it, too; this process may need it before.
    board_.line(process.line).pid.store(os::own_pid());
    forget_family();
    os::signal_on_parent_death(SIGTERM);
}

void Master::forget_family() {
    family_.abandon();
    if (boots_ != nullptr) {
        boots_->abandon();
        boots_.reset();
    }
    signals_.abandon();
    os::raise_oom_score();
}

void Master::on_message(Process& process) {
    char bytes[64];
    long count = os::read_some(process.fd, bytes, sizeof(bytes));
    if (count == 0) {  // its end is closed: the process is ending, SIGCHLD tells the rest
        family_.close_channel(process);
        return;
    }
    for (long i = 0; i < count; i++) {
        Slot& slot = family_.slots()[process.worker];
        if (bytes[i] == kSayReady) {
            on_ready(process);
        } else if (bytes[i] == kSayMoreTime && phase_ == Phase::kRunning) {
            family_.grant_time(process);
        } else if (process.kind != PlaceKind::kWorker) {
            continue;  // it ends by itself, and its successor is started then
        } else if (slot.present == &process && slot.next == nullptr && phase_ == Phase::kRunning) {
            process.stage = bytes[i] == kSayLeaving ? Stage::kLeaving : process.stage;
            slot.start_at = slot.start_at == kNever ? 0 : slot.start_at;
        }
    }
}

void Master::on_ready(Process& process) {
    if (process.stage != Stage::kStarting) {
        return;
    }
    process.stage = Stage::kServing;
    recycling_.note_birth(process);
    Slot& slot = family_.slots()[process.worker];
    if (slot.next == &process) {
        Process* old = slot.present;
        slot.present = &process;
        slot.next = nullptr;
        if (old != nullptr) {
            family_.retire(*old);
        }
    }
    // One that was forked before the last reload was asked for is replaced once more.
    slot.reload = slot.reload && process.generation != generation_;
}

void Master::reap() {
    reap_strangers();
    for (;;) {
        os::ChildExit how = os::reap_child();
        if (how.pid == 0) {
            return;
        }
        reap_one(how);
    }
}

void Master::reap_one(const os::ChildExit& how) {
    if (Process* process = family_.find(how.pid)) {
        on_exit(*process, how);
    } else if (boots_ != nullptr && !boots_->take_exit(how)) {
        note_stranger(how);
    }
}

void Master::on_exit(Process& process, const os::ChildExit& how) {
    // A user process that was told to end dies of the signal, unless it has a handler for it.
    bool obeyed = process.kind == PlaceKind::kUserProcess && process.stage == Stage::kLeaving &&
                  how.signal == SIGTERM;
    bool failed = (how.signal != 0 || how.code != 0) && !obeyed;
    WorkerPlace place = process.place();
    Slot& slot = family_.slots()[place.worker];
    shm::WorkerLine& line = board_.line(process.line);
    if (events_.worker_lost != nullptr && (failed || has_in_flight(line))) {
        events_.worker_lost(events_.owner, place, how);
    }
    if (!obeyed) {
        log_exit(process, how, line);
    }
    bool had_place = slot.holds(process);
    slot.release(process);
    if (phase_ == Phase::kRunning && had_place) {
        schedule_restart(slot, process, how);
    }
    family_.forget(process);
    if (events_.ended != nullptr) {
        events_.ended(events_.owner, place, how);
    }
    if (failed && phase_ == Phase::kRunning) {
        events_.worker_failed(events_.owner, place.worker, how);
    }
}

void Master::schedule_restart(Slot& slot, const Process& process, const os::ChildExit& how) {
    Nanos now = monotonic_now();
    bool unready = process.stage == Stage::kStarting;
    bool failed = how.signal != 0 || how.code != 0;
    bool successor_exists = slot.present != nullptr;
    if (unready && process.kind != PlaceKind::kWorker) {
        slot.reload = false;  // it is as new as it can be
    }
    if (unready && successor_exists && slot.reload) {
        slot.reload = false;
        failure_ = "worker " + std::to_string(process.worker) +
                   " ended before it was ready: the log says why";
        Log::get().write(LogLevel::kError,
                         "worker %u could not be reloaded: its successor ended before it was "
                         "ready; the old one stays",
                         process.worker);
        return;
    }
    if (successor_exists && !unready) {
        return;  // the one that ended was being replaced anyway
    }
    if (family_.is_off(process.worker)) {
        return;
    }
    uint32_t failures_before = slot.pace.failures();
    Nanos delay = restart_delay(slot, process, failed ? Exit::kFailed : Exit::kClean);
    slot.start_at = now + delay;
    uint32_t failures = slot.pace.failures();
    if (delay > 0 && failures > failures_before && (failed || failures == 2)) {
        Log::get().write(LogLevel::kError,
                         "%s %u ended %u times in a row right after its start; next try in %lld s",
                         name_of(process.kind), process.worker, failures,
                         static_cast<long long>(delay / kSecond));
    }
}

}  // namespace stampede::proc
