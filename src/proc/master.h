// The supervisor: forks the workers of a server, watches them, replaces those that end, and reloads
// and stops them all. It is master and manager in one. Owned by the code that starts the server;
// the supervisor's only thread; never parks.
//
// A place of the kind worker has one present process and, while it is being replaced, a next one:
// the next must report that it is ready before the present one is told to go. Task workers and user
// processes are told to go first: what is sent to them waits in the inbox of their place, which two
// must not read at once. A process that ends before it was ready is started again with a growing
// delay, everything else at once; a user process that ends soon after its start is delayed, too.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "loop/loop.h"
#include "os/process.h"
#include "shm/scoreboard.h"

namespace stampede::proc {

enum class Role : uint8_t { kMaster, kWorker, kBoot };

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
inline constexpr char kSayReady = 'R';    // started, serves
inline constexpr char kSayReplace = 'X';  // wants a successor, goes on until told
inline constexpr char kSayLeaving =
    'L';  // serves no new connection any more, needs a successor now
// And to a task worker: nobody sends tasks any more, end when all that wait are done.
inline constexpr char kTellFinish = 'F';

struct MasterSettings {
    uint32_t workers = 1;           // places
    uint32_t workers_at_start = 0;  // that have a worker at first; 0: all
    uint32_t task_workers = 0;
    uint32_t user_processes = 0;
    Nanos stop_time =
        3 * kSecond;  // a draining worker is killed this long, and a second more, after it was told
    Nanos watchdog = 0;           // an iteration of the loop longer than this is ended; 0 = never
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

// Where the supervisor is with its generations.
struct GenerationFacts {
    uint64_t asked;    // the newest that was asked for
    uint64_t settled;  // the newest of which is known whether it serves
    uint64_t present;
    std::string failure;  // why the newest does not serve; empty when it does
    bool loading;         // an application is being loaded
    bool replacing;       // workers are
    pid_t boot;           // the boot process of the present one, 0: none now
};

// Told to the owner, outside of any loop dispatch.
struct MasterEvents {
    void* owner = nullptr;
    // One iteration of the loop, waiting at most max_wait.
    void (*iterate)(void* owner, Nanos max_wait) = nullptr;
    void (*worker_failed)(void* owner, uint32_t worker, const os::ChildExit& how) = nullptr;
    // A worker was killed or failed, also while all are stopped: what it left is to be cleared
    // away. Its line of the scoreboard is as it was.
    void (*worker_lost)(void* owner, const WorkerPlace& place, const os::ChildExit& how) = nullptr;
    // A process has been forked.
    void (*started)(void* owner, const WorkerPlace& place, pid_t pid) = nullptr;
    // All workers are ready, for the first time.
    void (*serving)(void* owner) = nullptr;
    // A generation was not loaded; the present one goes on, if there is one.
    void (*boot_failed)(void* owner, std::string_view why) = nullptr;
    void (*before_reload)(void* owner) = nullptr;
    void (*after_reload)(void* owner) = nullptr;
    // No worker will be started any more: the listeners can go.
    void (*stopping)(void* owner) = nullptr;
    void (*reopen_log)(void* owner) = nullptr;
};

class BootProcesses;

class Master {
public:
    // Lines a scoreboard needs for so many workers: a place may have a present process, its
    // successor, and some that still finish their requests. Places of the other kinds have one
    // process each; their lines come after those of the workers.
    static uint32_t lines_for(uint32_t workers) { return workers * 4 + 4; }
    static uint32_t lines_for(const MasterSettings& settings) {
        return lines_for(settings.workers) + settings.task_workers + settings.user_processes;
    }
    static uint32_t places(const MasterSettings& settings) {
        return settings.workers + settings.task_workers + settings.user_processes;
    }

    Master(loop::Loop& loop, shm::Scoreboard& board, const MasterSettings& settings,
           const MasterEvents& events);
    ~Master();
    Master(const Master&) = delete;
    Master& operator=(const Master&) = delete;

    // Takes the signals and forks the workers. kMaster: the server has ended. kWorker: this is a
    // child now, place() says which; the loop is the parent's and must be abandoned.
    Result<Role> run();
    const WorkerPlace& place() const { return place_; }
    // kBoot: leads to the supervisor, for a Nursery.
    int boot_channel() const { return boot_channel_; }
    GenerationFacts generations() const;
    // All processes there are, by their places.
    std::vector<ProcessFacts> processes() const;
    uint32_t active_workers() const { return active_workers_; }
    // From now on so many places have a worker (1 ... workers): those above end after their
    // requests. False when a server that stops is asked.
    bool set_active_workers(uint32_t number);
    // Whether this place is to have no process.
    bool is_off(uint32_t worker) const {
        return worker < settings_.workers && worker >= active_workers_;
    }

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
        kReloadTasks = 64,
        kTellBootFailure = 128,
    };

    struct Process : loop::Watch {
        Master* master;
        pid_t pid;
        PlaceKind kind;
        uint32_t worker;
        uint32_t line;
        uint64_t generation;
        Stage stage;
        Nanos started_at;
        Nanos kill_at;
        Nanos old_at;          // when it is old enough to be replaced
        bool warned;           // that it is busy with one iteration
        Nanos seen_iteration;  // when the iteration began that was last looked at
        Nanos delay;           // what the process had waited for a processor at the last look
        Nanos delay_before;    // ... at the look before that iteration began
        bool large_born;  // has had more memory than it may from its start on: nothing would help
        int owed_signal;  // for one whose number the boot process has not told yet
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
    void signal_all(int signal_number);
    void begin_stop();
    void stop_now();
    void continue_stop();
    void tell_to_stop(Process& process, int signal_number, Nanos patience);
    void begin_reload(bool workers);
    void replace_all(bool workers);
    void continue_reload();
    bool under_way(const Slot& slot, PlaceKind kind) const;
    void finish_reload();
    Result<Role> start_due();
    Result<Role> start_process(uint32_t worker);
    std::unique_ptr<Process> make_process(uint32_t worker, uint32_t line);
    Error take_in(std::unique_ptr<Process> process, int channel);
    Result<Role> order_process(uint32_t worker, uint32_t line);
    void fork_failed(uint32_t worker, const Error& error);
    void abandon_start();
    void become_child(Process& process, int channel);
    void forget_family();
    void send(Process& process, int signal_number);
    uint32_t free_line(uint32_t worker) const;
    PlaceKind kind_of(uint32_t worker) const;
    WorkerPlace place_of(const Process& process) const;
    void on_message(Process& process);
    void on_ready(Process& process);
    void retire(Process& process);
    void reap();
    void reap_one(const os::ChildExit& how);
    void reap_strangers();
    void on_exit(Process& process, const os::ChildExit& how);
    void log_exit(const Process& process, const os::ChildExit& how);
    void schedule_restart(Slot& slot, const Process& process, const os::ChildExit& how);
    void enforce_deadlines();
    void watch_iterations();
    Nanos busy_time(Process& process, Nanos now);
    void watch_limits();
    const char* reason_to_recycle(const Process& process, Nanos now) const;
    bool replacing() const;
    void recycle(Process& process, const char* reason);
    void note_birth(Process& process);
    Nanos next_wait() const;
    void forget(Process& process);

    // With a boot process (master_boot.cc).
    bool is_booted(PlaceKind kind) const {
        return boots_ != nullptr && kind != PlaceKind::kUserProcess;
    }
    bool waits_for_boot(uint32_t worker) const;
    void open_boots();
    void order_generation();
    Result<Role> start_boot(Nanos now);
    void on_generation(uint64_t generation);
    void on_boot_failed(uint64_t generation, std::string_view why);
    void on_forked(uint32_t line, pid_t pid, int error);
    void on_boot_lost();
    void note_stranger(const os::ChildExit& how);
    void drop_orders();
    bool all_serve() const;
    bool finished() const;

    loop::Loop& loop_;
    shm::Scoreboard& board_;
    MasterSettings settings_;
    MasterEvents events_;
    SignalWatch signals_;
    std::vector<Slot> slots_;
    uint32_t active_workers_;
    std::vector<std::unique_ptr<Process>> processes_;
    std::unique_ptr<BootProcesses> boots_;
    std::vector<os::ChildExit> strangers_;  // have ended before the boot process told of them
    uint32_t boot_failures_ = 0;            // in a row
    int boot_channel_ = -1;
    WorkerPlace place_;
    uint64_t generation_ = 0;
    uint64_t asked_ = 0;    // generations
    uint64_t settled_ = 0;  // the newest that serves or has failed
    std::string failure_;   // of the newest generation, empty when it serves
    Nanos limits_due_ = 0;
    uint32_t pending_ = 0;
    Phase phase_ = Phase::kRunning;
    int stopping_kind_ = 0;  // while all are stopped: those that have been told
    bool reloading_ = false;
    bool started_ = false;  // every worker has been forked once
    bool served_ = false;   // and all of them were ready once
};

// "worker", "task worker", "user process".
const char* name_of(PlaceKind kind);

}  // namespace stampede::proc
