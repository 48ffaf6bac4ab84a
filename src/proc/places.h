// The places that the processes of a server fill, what a process knows of its own, and what is
// settled about them all when the server starts.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "base/clock.h"

namespace stampede::proc {

// In the order of their numbers and of their end.
enum class PlaceKind : uint8_t { kWorker, kTaskWorker, kUserProcess };
inline constexpr int kPlaceKinds = 3;

// What a forked worker must know of itself.
struct WorkerPlace {
    PlaceKind kind = PlaceKind::kWorker;
    uint32_t worker = 0;      // 0 .. workers-1, then the task workers, then the user processes
    uint32_t line = 0;        // of the scoreboard: two processes of one worker never share one
    uint64_t generation = 0;  // counts reloads
    int channel = -1;         // to the supervisor; its end means that the supervisor is gone
};

// Bytes on a worker's channel.
inline constexpr char kSayReady = 'R';     // started, serves
inline constexpr char kSayReplace = 'X';   // wants a successor, goes on until told
inline constexpr char kSayLeaving = 'L';   // has stopped accepting, needs a successor now
inline constexpr char kSayMoreTime = 'M';  // being replaced, works off what has waited in it
// And to a task worker: nobody sends tasks any more, end when all that wait are done.
inline constexpr char kTellFinish = 'F';

struct MasterSettings {
    uint32_t workers = 1;           // places
    uint32_t workers_at_start = 0;  // that have a worker at first; 0: all
    uint32_t task_workers = 0;
    uint32_t user_processes = 0;
    // A process that was told to end is killed after this, and a second more.
    Nanos stop_time = 3 * kSecond;
    Nanos worker_stop_time = 3 * kSecond;  // the same of workers
    Nanos replace_time = 3 * kSecond;      // a worker whose successor serves
    // Between the request to stop and the stop everything is served as before, so that a balancer
    // notices. A second request to stop ends that.
    Nanos drain_time = 0;
    Nanos watchdog = 0;           // an iteration of the loop longer than this is ended; 0 = never
    Nanos task_time = 0;          // the same for a task; 0 = never
    uint32_t reload_at_once = 2;  // places that are replaced at the same time
    // A worker or task worker with more resident memory (bytes), or that is older, is replaced: one
    // at a time. 0 = never.
    uint64_t most_memory = 0;
    Nanos most_age = 0;
    Nanos limits_period = kSecond;  // how often they are looked at
    // Workers and task workers are forked by a boot process, which loads the application once for
    // each generation, and within this time.
    bool boots = false;
    Nanos boot_time = 60 * kSecond;
};

// A process as the supervisor knows it.
struct ProcessFacts {
    PlaceKind kind;
    uint32_t worker;
    pid_t pid;
    uint32_t line;
    uint64_t generation;
    const char* stage;  // "starting", "serving", "leaving"
    Nanos started_at;   // monotonic
};

// Lines a scoreboard needs for so many workers: a place may have a present process, its successor,
// and some that still finish their requests. Places of the other kinds have one process each; their
// lines come after those of the workers.
inline uint32_t lines_for(uint32_t workers) { return workers * 4 + 4; }
inline uint32_t lines_for(const MasterSettings& settings) {
    return lines_for(settings.workers) + settings.task_workers + settings.user_processes;
}
inline uint32_t places_of(const MasterSettings& settings) {
    return settings.workers + settings.task_workers + settings.user_processes;
}

inline const char* name_of(PlaceKind kind) {
    return kind == PlaceKind::kWorker       ? "worker"
           : kind == PlaceKind::kTaskWorker ? "task worker"
                                            : "user process";
}

}  // namespace stampede::proc
