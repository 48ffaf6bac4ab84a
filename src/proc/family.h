// The processes of a server as their supervisor knows them, and the places that they fill: what
// there is, and how it is told something. When a process is started, replaced and ended is the
// Master's matter. Owned by the Master, its thread, never parks.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "loop/loop.h"
#include "os/process.h"
#include "proc/places.h"
#include "proc/restart_pace.h"
#include "shm/scoreboard.h"

namespace stampede::proc {

class Master;

enum class Stage : uint8_t { kStarting, kServing, kLeaving };

// What IterationWatch has seen of a process.
struct IterationNotes {
    bool warned = false;     // that it is busy with one iteration
    Nanos began = 0;         // when the iteration began that was last looked at
    Nanos delay = 0;         // what the process had waited for a processor at the last look
    Nanos delay_before = 0;  // ... at the look before that iteration began
};

// What Recycling knows of a process.
struct LimitNotes {
    Nanos old_at = kNever;    // when it is old enough to be replaced
    bool large_born = false;  // has had more memory than it may from its start on
};

struct Process : loop::Watch {
    Master* master = nullptr;  // hears what it says on its channel
    pid_t pid = 0;             // 0: the boot process, which forks it, has not told yet
    PlaceKind kind = PlaceKind::kWorker;
    uint32_t worker = 0;
    uint32_t line = 0;
    uint64_t generation = 0;
    Stage stage = Stage::kStarting;
    Nanos started_at = 0;
    Nanos kill_at = kNever;
    int owed_signal = 0;  // for one whose pid is not known yet
    IterationNotes iteration;
    LimitNotes limits;

    WorkerPlace place() const { return {kind, worker, line, generation, -1}; }
};

// A place of the kind worker has one present process and, while it is being replaced, a next one.
struct Slot {
    Process* present = nullptr;
    Process* next = nullptr;
    Nanos start_at = 0;   // when a process is due; kNever: none is
    RestartPace pace;     // of what ends
    bool reload = false;  // the present one is of an older generation

    bool holds(const Process& process) const { return present == &process || next == &process; }
    // The process is no longer the place's; a next one becomes the present one.
    void release(const Process& process);
};

class Family {
public:
    Family(loop::Loop& loop, shm::Scoreboard& board, const MasterSettings& settings);

    // ---- places, by the number of their worker
    std::span<Slot> slots() { return slots_; }
    std::span<const Slot> slots() const { return slots_; }
    PlaceKind kind_of(uint32_t worker) const;
    uint32_t active_workers() const { return active_workers_; }
    // Those above end after their requests, those that are missing are due.
    void set_active_workers(uint32_t number);
    // Whether this place is to have no process.
    bool is_off(uint32_t worker) const {
        return worker < settings_.workers && worker >= active_workers_;
    }
    // Every place that is to have a process has one that serves.
    bool all_serve() const;
    // Some worker serves.
    bool some_serve() const;
    // A line of the scoreboard for a new process of this place; UINT32_MAX: none is free.
    uint32_t free_line(uint32_t worker) const;

    // ---- processes
    using Processes = std::vector<std::unique_ptr<Process>>;
    const Processes& processes() const { return processes_; }
    bool empty() const { return processes_.empty(); }
    std::vector<ProcessFacts> facts() const;
    Process* find(pid_t pid) const;
    // One that was ordered of the boot process, by its line.
    Process* find_ordered(uint32_t line) const;
    // Takes the line.
    std::unique_ptr<Process> make(uint32_t worker, uint32_t line, uint64_t generation);
    // Into its place, and watched from now on. channel: the supervisor's end.
    Error add(std::unique_ptr<Process> process, int channel);
    // Its process says nothing more.
    void close_channel(Process& process);
    // Gives its line back; the place has let it go before.
    void forget(Process& process);
    // In a child: the supervisor's processes are none of its own.
    void abandon();

    // ---- telling them
    void signal(Process& process, int number);
    void signal_all(int number);
    void tell_to_stop(Process& process, int signal_number, Nanos patience);
    // Another one has taken its place.
    void retire(Process& process);
    void grant_time(Process& process);

private:
    loop::Loop& loop_;
    shm::Scoreboard& board_;
    const MasterSettings& settings_;
    std::vector<Slot> slots_;
    Processes processes_;
    uint32_t active_workers_;
};

}  // namespace stampede::proc
