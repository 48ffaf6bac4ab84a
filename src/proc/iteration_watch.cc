#include "proc/iteration_watch.h"

#include <csignal>

#include "os/log.h"

namespace stampede::proc {

using os::Log;
using os::LogLevel;

namespace {

constexpr Nanos kPatience = 2 * kSecond;  // from the request to the kill

}  // namespace

// How long the worker has been busy with its present iteration. The time in which it waited for a
// processor that others used does not count: a machine with too much work ends nobody.
Nanos IterationWatch::busy_time(Process& process, Nanos now) {
    IterationNotes& notes = process.iteration;
    auto since = static_cast<Nanos>(board_.line(process.line).iteration_started.get());
    if (since != notes.began) {
        notes.began = since;
        notes.delay_before = notes.delay;
    }
    notes.delay = os::processor_delay(process.pid);
    return since == 0 ? 0 : now - since - (notes.delay - notes.delay_before);
}

void IterationWatch::look_at(Family& family) {
    Nanos now = monotonic_now();
    for (const auto& process : family.processes()) {
        Nanos lasted = busy_time(*process, now);
        if (lasted < longest_) {
            process->iteration.warned = false;
        } else if (!process->iteration.warned) {
            process->iteration.warned = true;
            Log::get().write(LogLevel::kError,
                             "worker %u (pid %d) has been busy with one iteration for %lld s; it "
                             "is told to end it",
                             process->worker, process->pid,
                             static_cast<long long>(lasted / kSecond));
            family.signal(*process, SIGXCPU);
        } else if (lasted > longest_ + kPatience) {
            family.signal(*process, SIGKILL);
        }
    }
}

}  // namespace stampede::proc
