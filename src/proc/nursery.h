// The boot process of a generation: it has loaded the application and forks the workers that the
// supervisor orders. The supervisor waits for these workers itself: each is forked by a process
// between, which ends at once, so that the supervisor (a subreaper) becomes their parent. They
// share memory with the boot process until they write to it. One in a boot process, its only
// thread; waits for the supervisor without a deadline, whose end ends it.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "os/fd.h"
#include "proc/master.h"

namespace stampede::proc {

// From the supervisor, with the worker's end of its channel.
struct ForkOrder {
    PlaceKind kind;
    uint32_t worker;
    uint32_t line;
    uint64_t generation;
};

enum class BootNews : uint32_t {
    kBooted,
    kFailed,    // why follows
    kForked,    // the process of a line
    kNotForked  // with the error
};

// To the supervisor.
struct BootReport {
    static constexpr size_t kMostText = 8000;

    BootNews news;
    uint32_t line = 0;
    int32_t pid = 0;
    int32_t error = 0;
};

// What is left of the supervisor's order in the new worker.
inline constexpr char kTellGo = 'G';  // on its channel: the supervisor is your parent now

class Nursery {
public:
    // channel: to the supervisor.
    explicit Nursery(int channel) : channel_(channel) {}

    // The application is there, or not, and why. Nothing is lost: the supervisor reads it all.
    void report_booted();
    void report_failure(std::string_view why);

    struct Events {
        void* owner = nullptr;
        void (*reopen_log)(void* owner) = nullptr;
    };
    // Returns in each worker, with its place. Does not return in the boot process: it ends with the
    // supervisor.
    WorkerPlace serve(const Events& events);

private:
    enum class Side : uint8_t { kBootProcess, kWorker };

    void take_signals(const Events& events);
    Side take_order(WorkerPlace& place);
    Side fork_worker(const ForkOrder& order, os::Fd channel, WorkerPlace& place);
    void report(const BootReport& report, std::string_view text = {});
    static void become_worker(const WorkerPlace& place);

    os::Fd channel_;
    int births_[2] = {-1, -1};  // a pipe: the process between tells the number of the worker
};

}  // namespace stampede::proc
