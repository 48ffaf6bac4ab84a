// The supervisor: forks the workers of a server, watches them, replaces those that end, and reloads
// and stops them all. It is master and manager in one. Owned by whoever starts the server; the
// supervisor's only thread; never parks.
//
// A worker place has one present process and, while it is being replaced, a next one: the next must
// report that it is ready before the present one is told to go. A process that ends before it was
// ready is started again with a growing delay, everything else at once.
#pragma once

#include <memory>
#include <vector>

#include "base/clock.h"
#include "loop/loop.h"
#include "os/process.h"
#include "shm/scoreboard.h"

namespace stampede::proc {

enum class Role : uint8_t { kMaster, kWorker };

// What a forked worker must know of itself.
struct WorkerPlace {
    uint32_t worker = 0;      // 0 .. workers-1
    uint32_t line = 0;        // of the scoreboard: two processes of one worker never share one
    uint64_t generation = 0;  // counts reloads
    int channel = -1;         // to the supervisor; its end means that the supervisor is gone
};

// Bytes on a worker's channel.
inline constexpr char kSayReady = 'R';    // started, serves
inline constexpr char kSayReplace = 'X';  // wants a successor, goes on until told
inline constexpr char kSayLeaving =
    'L';  // serves no new connection any more, needs a successor now

struct MasterSettings {
    uint32_t workers = 1;
    Nanos stop_time =
        3 * kSecond;  // a draining worker is killed this long, and a second more, after it was told
    Nanos watchdog = 0;           // a loop turn longer than this is ended; 0 = never
    uint32_t reload_at_once = 2;  // places that are replaced at the same time
};

// Told to the owner, outside of any loop dispatch.
struct MasterEvents {
    void* owner = nullptr;
    // One turn of the loop, waiting at most max_wait.
    void (*turn)(void* owner, Nanos max_wait) = nullptr;
    void (*worker_failed)(void* owner, uint32_t worker, const os::ChildExit& how) = nullptr;
    // A worker was killed or failed, also while all are stopped: what it left is to be cleared
    // away.
    void (*worker_lost)(void* owner, const os::ChildExit& how) = nullptr;
    // All workers are ready, for the first time.
    void (*serving)(void* owner) = nullptr;
    void (*before_reload)(void* owner) = nullptr;
    void (*after_reload)(void* owner) = nullptr;
    // No worker will be started any more: the listeners can go.
    void (*stopping)(void* owner) = nullptr;
    void (*reopen_log)(void* owner) = nullptr;
};

class Master {
public:
    // Lines a scoreboard needs for so many workers: a place may have a present process, its
    // successor, and some that still finish their requests.
    static uint32_t lines_for(uint32_t workers) { return workers * 4 + 4; }

    Master(loop::Loop& loop, shm::Scoreboard& board, const MasterSettings& settings,
           const MasterEvents& events);
    ~Master();
    Master(const Master&) = delete;
    Master& operator=(const Master&) = delete;

    // Takes the signals and forks the workers. kMaster: the server has ended. kWorker: this is a
    // child now, place() says which; the loop is the parent's and must be abandoned.
    Result<Role> run();
    const WorkerPlace& place() const { return place_; }

private:
    enum class Stage : uint8_t { kStarting, kServing, kLeaving };
    enum class Phase : uint8_t { kRunning, kStopping };
    enum Pending : uint32_t {
        kStopSoftly = 1,
        kStopNow = 2,
        kReload = 4,
        kReap = 8,
        kSuspend = 16,
        kReopenLog = 32,
    };

    struct Process : loop::Watch {
        Master* master;
        pid_t pid;
        uint32_t worker;
        uint32_t line;
        Stage stage;
        Nanos started_at;
        Nanos kill_at;
        bool warned;
    };
    struct Slot {
        Process* present = nullptr;
        Process* next = nullptr;
        Nanos start_at = 0;     // when a process is due; kNever: none is
        uint32_t failures = 0;  // in a row, before ready
        bool reload = false;    // the present one is of an older generation
    };
    struct SignalWatch : loop::Watch {
        Master* master;
    };

    Error take_signals();
    void on_signals();
    void handle_pending();
    void suspend();
    void begin_stop(int signal_number, Nanos patience);
    void begin_reload();
    void continue_reload();
    void finish_reload();
    Result<Role> start_due();
    Result<Role> start_process(uint32_t worker);
    void fork_failed(uint32_t worker, const Error& error);
    void abandon_start();
    void become_child(Process& process, int channel);
    uint32_t free_line() const;
    void on_message(Process& process);
    void on_ready(Process& process);
    void retire(Process& process);
    void reap();
    void on_exit(Process& process, const os::ChildExit& how);
    void log_exit(const Process& process, const os::ChildExit& how);
    void schedule_restart(Slot& slot, const Process& process, const os::ChildExit& how);
    void enforce_deadlines();
    void watch_turns();
    Nanos next_wait() const;
    void forget(Process& process);
    bool all_serve() const;
    bool finished() const { return phase_ == Phase::kStopping && processes_.empty(); }

    loop::Loop& loop_;
    shm::Scoreboard& board_;
    MasterSettings settings_;
    MasterEvents events_;
    SignalWatch signals_;
    std::vector<Slot> slots_;
    std::vector<std::unique_ptr<Process>> processes_;
    WorkerPlace place_;
    uint64_t generation_ = 0;
    uint32_t pending_ = 0;
    Phase phase_ = Phase::kRunning;
    bool reloading_ = false;
    bool started_ = false;  // every worker has been forked once
    bool served_ = false;   // and all of them were ready once
};

}  // namespace stampede::proc
