#include "proc/recycling.h"

#include "os/log.h"
#include "os/process.h"

namespace stampede::proc {

using os::Log;
using os::LogLevel;

namespace {

constexpr Nanos kAgeSpread = 10;  // its tenth part: those that start together do not end together

}  // namespace

void Recycling::note_birth(Process& process) const {
    if (settings_.most_age != 0) {
        Nanos now = monotonic_now();
        process.limits.old_at =
            now + settings_.most_age + (now / 1000) % (settings_.most_age / kAgeSpread + 1);
    }
    if (settings_.most_memory != 0 && process.kind != PlaceKind::kUserProcess &&
        os::resident_memory(process.pid) > settings_.most_memory) {
        process.limits.large_born = true;
        Log::get().write(LogLevel::kWarning,
                         "%s %u (pid %d) uses more than worker_max_memory (%llu bytes) before its "
                         "first request: it is not replaced for that",
                         name_of(process.kind), process.worker, process.pid,
                         static_cast<unsigned long long>(settings_.most_memory));
    }
}

bool Recycling::is_due(Nanos now) {
    if (!active() || now < look_at_) {
        return false;
    }
    look_at_ = now + settings_.limits_period;
    return true;
}

// Null: it may stay.
const char* Recycling::reason(const Process& process, Nanos now) const {
    if (process.limits.old_at <= now) {
        return "worker_max_age";
    }
    bool large = settings_.most_memory != 0 && !process.limits.large_born &&
                 os::resident_memory(process.pid) > settings_.most_memory;
    return large ? "worker_max_memory" : nullptr;
}

Process* Recycling::next_due(const Family& family, Nanos now) const {
    for (const auto& process : family.processes()) {
        bool at_work = process->stage == Stage::kServing &&
                       process->kind != PlaceKind::kUserProcess &&
                       family.slots()[process->worker].present == process.get();
        const char* why = at_work ? reason(*process, now) : nullptr;
        if (why != nullptr) {
            Log::get().write(LogLevel::kInfo, "%s %u (pid %d) has reached %s and is replaced",
                             name_of(process->kind), process->worker, process->pid, why);
            return process.get();
        }
    }
    return nullptr;
}

}  // namespace stampede::proc
