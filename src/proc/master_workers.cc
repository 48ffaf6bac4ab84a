// How many workers there are, and which of them are replaced because they have grown or are old.
#include <csignal>

#include "os/log.h"
#include "os/process.h"
#include "proc/master.h"

namespace stampede::proc {

using os::Log;
using os::LogLevel;

namespace {

constexpr Nanos kAgeSpread = 10;  // its tenth part: those that start together do not end together

}  // namespace

bool Master::set_active_workers(uint32_t number) {
    if (phase_ != Phase::kRunning || number < 1 || number > settings_.workers) {
        return false;
    }
    if (number != active_workers_) {
        Log::get().write(LogLevel::kInfo, "from now on there are %u workers, not %u", number,
                         active_workers_);
    }
    active_workers_ = number;
    board_.set_active_workers(number);
    for (uint32_t worker = 0; worker < settings_.workers; worker++) {
        Slot& slot = slots_[worker];
        if (is_off(worker)) {
            for (Process* process : {slot.present, slot.next}) {
                if (process != nullptr) {
                    retire(*process);
                }
            }
            slot = Slot();  // a process that still ends is no longer the place's
            slot.start_at = kNever;
        } else if (slot.present == nullptr && slot.next == nullptr && slot.start_at == kNever) {
            slot.start_at = 0;
        }
    }
    return true;
}

void Master::note_birth(Process& process) {
    if (settings_.most_age != 0) {
        Nanos now = monotonic_now();
        process.old_at =
            now + settings_.most_age + (now / 1000) % (settings_.most_age / kAgeSpread + 1);
    }
    if (settings_.most_memory != 0 && process.kind != PlaceKind::kUserProcess &&
        os::resident_memory(process.pid) > settings_.most_memory) {
        process.large_born = true;
        Log::get().write(LogLevel::kWarning,
                         "%s %u (pid %d) uses more than worker_max_memory (%llu bytes) before its "
                         "first request: it is not replaced for that",
                         name_of(process.kind), process.worker, process.pid,
                         static_cast<unsigned long long>(settings_.most_memory));
    }
}

// Null: it may stay.
const char* Master::reason_to_recycle(const Process& process, Nanos now) const {
    bool at_work = process.stage == Stage::kServing && process.kind != PlaceKind::kUserProcess;
    if (!at_work || slots_[process.worker].present != &process) {
        return nullptr;
    }
    if (process.old_at <= now) {
        return "worker_max_age";
    }
    bool large = settings_.most_memory != 0 && !process.large_born &&
                 os::resident_memory(process.pid) > settings_.most_memory;
    return large ? "worker_max_memory" : nullptr;
}

// Some worker is being replaced, or one that was is still there.
bool Master::replacing() const {
    if (reloading_) {
        return true;
    }
    for (const Slot& slot : slots_) {
        if (slot.next != nullptr || slot.start_at != kNever) {
            return true;
        }
    }
    for (const auto& process : processes_) {
        if (process->stage != Stage::kServing && process->kind != PlaceKind::kUserProcess) {
            return true;
        }
    }
    return false;
}

void Master::recycle(Process& process, const char* reason) {
    Log::get().write(LogLevel::kInfo, "%s %u (pid %d) has reached %s and is replaced",
                     name_of(process.kind), process.worker, process.pid, reason);
    if (process.kind == PlaceKind::kWorker) {
        slots_[process.worker].start_at = 0;
    } else {
        retire(process);  // its successor is started when it has ended
    }
}

void Master::watch_limits() {
    bool limited = settings_.most_memory != 0 || settings_.most_age != 0;
    Nanos now = monotonic_now();
    if (!limited || phase_ != Phase::kRunning || now < limits_due_) {
        return;
    }
    limits_due_ = now + settings_.limits_period;
    if (replacing()) {
        return;
    }
    for (auto& process : processes_) {
        if (const char* reason = reason_to_recycle(*process, now)) {
            recycle(*process, reason);
            return;
        }
    }
}

}  // namespace stampede::proc
