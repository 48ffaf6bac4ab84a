#include "proc/iteration_watch.h"

#include <csignal>

#include "os/children.h"
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

Nanos IterationWatch::longest(const Process& process) const {
    Nanos given = process.kind == PlaceKind::kTaskWorker ? longest_.task : longest_.iteration;
    return given != 0 ? given : kNever;
}

void IterationWatch::look_at(Family& family) {
    Nanos now = monotonic_now();
    for (const auto& process : family.processes()) {
        look_at(family, *process, busy_time(*process, now));
    }
}

void IterationWatch::look_at(Family& family, Process& process, Nanos lasted) {
    Nanos most = longest(process);
    if (lasted < most) {
        process.iteration.warned = false;
    } else if (!process.iteration.warned) {
        process.iteration.warned = true;
        bool is_task = process.kind == PlaceKind::kTaskWorker;
        Log::get().write(
            LogLevel::kError,
            "%s %u (pid %d) has been busy with one %s for %lld s; it is told to end it",
            is_task ? "task worker" : "worker", process.worker, process.pid,
            is_task ? "task" : "iteration", static_cast<long long>(lasted / kSecond));
        family.signal(process, SIGXCPU);
    } else if (lasted - most > kPatience && process.pid != 0) {
        os::kill_family(process.pid);
    }
}

}  // namespace stampede::proc
