// The supervisor's boot processes: one that forks the workers of the present generation, and while
// a reload loads the next one, that one. A boot that fails, hangs or dies leaves the present one as
// it is. Owned by the supervisor, its thread; never parks.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "loop/loop.h"
#include "os/process.h"
#include "proc/nursery.h"

namespace stampede::proc {

// Told outside of what the supervisor asks of BootProcesses, but for lost().
struct BootEvents {
    void* owner = nullptr;
    // This generation is the present one from now on.
    void (*ready)(void* owner, uint64_t generation) = nullptr;
    void (*failed)(void* owner, uint64_t generation, std::string_view why) = nullptr;
    // What became of an order; pid 0: the error says why.
    void (*forked)(void* owner, uint32_t line, pid_t pid, int error) = nullptr;
    // The present one has ended: what was ordered and not reported does not come any more.
    void (*lost)(void* owner) = nullptr;
};

class BootProcesses {
public:
    BootProcesses(loop::Loop& loop, Nanos patience, const BootEvents& events);
    ~BootProcesses();
    BootProcesses(const BootProcesses&) = delete;
    BootProcesses& operator=(const BootProcesses&) = delete;

    // This generation is to be loaded at the time given. One that is being loaded gets a little
    // time to come to its end, then it is given up: its code is not the newest.
    void want(uint64_t generation, Nanos at);
    // Forks what is due. kBoot: this is the boot process, channel() leads to the supervisor.
    Result<Role> start_due(Nanos now);
    int release_channel() { return child_channel_; }

    // Whether workers can be ordered.
    bool ready() const { return present_ != nullptr; }
    bool loading() const { return next_ != nullptr || wanted_at_ != kNever; }
    pid_t pid() const { return present_ != nullptr ? present_->pid : 0; }
    // False when it could not be sent now.
    bool order(const ForkOrder& order, int channel);
    // The present one does not respond: it is ended, and lost() follows.
    void give_up_present();

    // True when it was one of these.
    bool take_exit(const os::ChildExit& how);
    void enforce_deadlines(Nanos now);
    Nanos next_due() const;
    void signal(int number);
    // No further one: ends all.
    void end();
    bool empty() const { return present_ == nullptr && next_ == nullptr && ending_.empty(); }
    // In a forked child: closes its copies.
    void abandon();

private:
    struct Process : loop::Watch {
        BootProcesses* owner;
        pid_t pid;
        uint64_t generation;
        Nanos kill_at;
        bool superseded = false;
        bool reported = false;  // that it failed
    };
    using Owned = std::unique_ptr<Process>;

    void on_packet(Process& process);
    void on_report(Process& process, const BootReport& report, std::string_view text);
    void fail(Process& process, std::string_view why);
    void put_away(Owned process);
    void close(Process& process);

    loop::Loop& loop_;
    Nanos patience_;
    BootEvents events_;
    Owned present_;
    Owned next_;
    std::vector<Owned> ending_;
    uint64_t wanted_ = 0;
    Nanos wanted_at_ = kNever;
    int child_channel_ = -1;
};

}  // namespace stampede::proc
