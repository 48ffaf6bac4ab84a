// The supervisor: forks the workers of a server, watches them, replaces those that end, and reloads
// and stops them all. It is master and manager in one. Owned by the code that starts the server;
// the supervisor's only thread; never parks.
//
// The next process of a worker's place must report that it is ready before the present one is told
// to go. Task workers and user
// processes are told to go first: what is sent to them waits in the inbox of their place, which two
// must not read at once. A process that ends before it was ready is started again with a growing
// delay, everything else at once (RestartPace); a user process that ends soon after its start is
// delayed, too.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "loop/loop.h"
#include "os/process.h"
#include "proc/drain.h"
#include "proc/family.h"
#include "proc/iteration_watch.h"
#include "proc/recycling.h"
#include "proc/reload.h"
#include "proc/supervisor_signals.h"
#include "shm/scoreboard.h"

namespace stampede::proc {

enum class Role : uint8_t { kMaster, kWorker, kBoot };

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
    // A process was killed or failed, or has left something in progress, also while all are
    // stopped: what it left is to be cleared away. Its line of the scoreboard is as it was; what is
    // not lost of it is to be taken out, so that the log does not name it.
    void (*worker_lost)(void* owner, const WorkerPlace& place, const os::ChildExit& how) = nullptr;
    // A process has ended, after worker_lost: nothing of it is left.
    void (*ended)(void* owner, const WorkerPlace& place, const os::ChildExit& how) = nullptr;
    // A process has been forked.
    void (*started)(void* owner, const WorkerPlace& place, pid_t pid) = nullptr;
    // All workers are ready, for the first time.
    void (*serving)(void* owner) = nullptr;
    // A generation was not loaded; the present one goes on, if there is one.
    void (*boot_failed)(void* owner, std::string_view why) = nullptr;
    void (*before_reload)(void* owner) = nullptr;
    void (*after_reload)(void* owner) = nullptr;
    // The server will stop after the drain time, and serves until then.
    void (*draining)(void* owner) = nullptr;
    // No worker will be started any more: the listeners can go.
    void (*stopping)(void* owner) = nullptr;
    void (*reopen_log)(void* owner) = nullptr;
    // SIGINT has come: whether the application takes care of it, so that the server goes on.
    bool (*takes_interrupt)(void* owner) = nullptr;
};

class BootProcesses;

class Master {
public:
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
    std::vector<ProcessFacts> processes() const { return family_.facts(); }
    // A stop was asked for.
    bool is_stopping() const { return phase_ == Phase::kStopping || drain_.active(); }
    uint32_t active_workers() const { return family_.active_workers(); }
    // From now on so many places have a worker (1 ... workers): those above end after their
    // requests. False when a server that stops is asked.
    bool set_active_workers(uint32_t number);
    // Ends the server as SIGTERM does, before any further process is started.
    void end() { end_asked_ = true; }
    // Whether this place is to have no process.
    bool is_off(uint32_t worker) const { return family_.is_off(worker); }

private:
    enum class Phase : uint8_t { kRunning, kStopping };

    // The life of the server (master.cc).
    void obey(SignalSet signals);
    void suspend();
    void signal_all(int signal_number);
    void begin_drain();
    void begin_stop();
    void stop_now();
    void continue_stop();
    void begin_reload(bool workers);
    void replace_all(bool workers);
    void finish_reload();
    void enforce_deadlines();
    void watch_processes();
    bool replacing() const;
    Nanos next_wait() const;
    bool finished() const;

    // The life of a process (master_process.cc).
    Result<Role> start_due();
    Result<Role> start_process(uint32_t worker);
    Result<Role> fork_process(uint32_t worker, uint32_t line);
    Error take_in(std::unique_ptr<Process> process, int channel);
    void fork_failed(uint32_t worker, const Error& error);
    void abandon_start();
    void become_child(Process& process, int channel);
    void forget_family();
    void on_message(Process& process);
    void on_ready(Process& process);
    void reap();
    void reap_one(const os::ChildExit& how);
    void on_exit(Process& process, const os::ChildExit& how);
    void schedule_restart(Slot& slot, const Process& process, const os::ChildExit& how);

    // With a boot process (master_boot.cc).
    bool is_booted(PlaceKind kind) const {
        return boots_ != nullptr && kind != PlaceKind::kUserProcess;
    }
    bool waits_for_boot(uint32_t worker) const;
    void open_boots();
    void order_generation();
    Result<Role> start_boot(Nanos now);
    Result<Role> order_process(uint32_t worker, uint32_t line);
    void on_generation(uint64_t generation);
    void on_boot_failed(uint64_t generation, std::string_view why);
    void on_forked(uint32_t line, pid_t pid, int error);
    void on_boot_lost();
    void note_stranger(const os::ChildExit& how);
    void reap_strangers();
    void drop_orders();

    loop::Loop& loop_;
    shm::Scoreboard& board_;
    MasterSettings settings_;
    MasterEvents events_;
    SupervisorSignals signals_;
    Family family_;
    IterationWatch iterations_;
    Recycling recycling_;
    Reload reload_;
    std::unique_ptr<BootProcesses> boots_;
    std::vector<os::ChildExit> strangers_;  // have ended before the boot process told of them
    RestartPace boot_pace_;
    bool tell_boot_failure_ = false;
    int boot_channel_ = -1;
    WorkerPlace place_;
    uint64_t generation_ = 0;
    uint64_t asked_ = 0;    // generations
    uint64_t settled_ = 0;  // the newest that serves or has failed
    std::string failure_;   // of the newest generation, empty when it serves
    Phase phase_ = Phase::kRunning;
    Drain drain_;
    int stopping_kind_ = 0;  // while all are stopped: those that have been told
    bool reap_again_ = false;
    bool end_asked_ = false;
    bool started_ = false;  // every worker has been forked once
    bool served_ = false;   // and all of them were ready once
};

}  // namespace stampede::proc
