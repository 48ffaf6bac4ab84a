#include "io/children.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <memory>
#include <vector>

#include "io/descriptor.h"
#include "os/fd.h"
#include "os/signal_tap.h"
#include "subsystems.h"
#include "zend/processes.h"

namespace stampede::io {

using os::ChildExit;
using runtime::Fiber;
using runtime::Runtime;
using runtime::WakeReason;

namespace {

// Kernels before 5.3 have no pidfd: their children are asked again and again.
constexpr Nanos kAskAgain = 10 * kMillisecond;

int error_of(WakeReason reason) { return reason == WakeReason::kTimeout ? ETIMEDOUT : ECANCELED; }

struct PidWatch : loop::Watch {
    pid_t pid;
    Fiber* fiber;  // null: only to be reaped
};

// Not loop memory of a coroutine: they end with their children.
std::vector<std::unique_ptr<PidWatch>> orphans;

// What wait_forked() waits with.
struct AnyWait : ListNode {
    Fiber* fiber;
    std::vector<std::unique_ptr<PidWatch>> watches;
};
List<AnyWait> any_waits;

void close_watch(PidWatch& watch) {
    Runtime::get().loop().unwatch(watch);
    os::close_fd(watch.fd);
}

void on_forked() {
    for (AnyWait* wait = any_waits.front(); wait != nullptr; wait = any_waits.after(*wait)) {
        Runtime::peek()->wake(*wait->fiber, WakeReason::kReady);
    }
}

void on_child_ready(loop::Watch& base, uint32_t) {
    auto& watch = static_cast<PidWatch&>(base);
    if (watch.fiber != nullptr) {
        Runtime::peek()->wake(*watch.fiber, WakeReason::kReady);
        return;
    }
    static_cast<void>(os::reap(watch.pid));
    close_watch(watch);
    Runtime::peek()->loop().ignore_for_liveness(-1, 0);
    std::erase_if(orphans, [&](const auto& orphan) { return orphan.get() == &watch; });
}

// Null when the kernel gives no descriptor for it.
std::unique_ptr<PidWatch> watch_pid(pid_t pid, Fiber* fiber) {
    Result<int> fd = os::open_pidfd(pid);
    if (!fd) {
        return nullptr;
    }
    auto watch = std::make_unique<PidWatch>();
    watch->pid = pid;
    watch->fiber = fiber;
    watch->fd = *fd;
    watch->interest = loop::kReadable;
    watch->on_ready = on_child_ready;
    if (Runtime::get().loop().watch(*watch)) {
        os::close_fd(*fd);
        return nullptr;
    }
    return watch;
}

bool is_wanted(pid_t pid, pid_t group) { return group == 0 || os::group_of(pid) == group; }

bool contains(const std::vector<pid_t>& pids, pid_t pid) {
    return std::find(pids.begin(), pids.end(), pid) != pids.end();
}

// Of proc_open(), whose ends wait_forked() has told.
std::vector<pid_t> told;

// The same as below for the children of proc_open().
bool look_first(const std::vector<pid_t>& programs, pid_t group, ChildExit& out,
                std::vector<pid_t>& running) {
    std::erase_if(told, [&](pid_t pid) { return !contains(programs, pid); });
    for (pid_t pid : programs) {
        if (contains(told, pid) || !is_wanted(pid, group)) {
            continue;
        }
        Result<ChildExit> ended = os::look_at(pid);
        if (ended && ended->pid == 0) {
            running.push_back(pid);
        } else if (ended) {
            told.push_back(pid);
            out = *ended;
            return true;
        }
    }
    return false;
}

// True with the one that has ended; otherwise `running` are the candidates that have not.
bool reap_first(pid_t group, ChildExit& out, std::vector<pid_t>& running) {
    std::vector<pid_t> programs = zend::proc_open_children();
    if (look_first(programs, group, out, running)) {
        return true;
    }
    std::vector<pid_t>& forked = os::forked_children();
    for (size_t i = 0; i < forked.size();) {
        pid_t pid = forked[i];
        if (contains(programs, pid) || !is_wanted(pid, group)) {
            i++;
            continue;
        }
        Result<ChildExit> ended = os::reap(pid);
        if (ended && ended->pid == 0) {
            running.push_back(pid);
            i++;
            continue;
        }
        forked.erase(forked.begin() + static_cast<long>(i));
        if (ended) {
            out = *ended;
            return true;
        }
    }
    return false;
}

// Until one of them may have ended, or a new child is there.
WakeReason park_for_any(const std::vector<pid_t>& running, Nanos deadline) {
    Runtime& runtime = Runtime::get();
    auto* wait = new AnyWait();
    wait->fiber = runtime.current();
    any_waits.push_back(*wait);
    for (pid_t pid : running) {
        if (auto watch = watch_pid(pid, wait->fiber)) {
            wait->watches.push_back(std::move(watch));
        }
    }
    uint32_t generation = Runtime::loop_generation();
    bool all_watched = wait->watches.size() == running.size();
    Nanos until = all_watched ? deadline : std::min(deadline, monotonic_now() + kAskAgain);
    WakeReason reason = runtime.park(until);
    if (reason == WakeReason::kTimeout && until != deadline) {
        reason = WakeReason::kReady;
    }
    if (generation == Runtime::loop_generation()) {
        for (auto& watch : wait->watches) {
            close_watch(*watch);
        }
        wait->unlink();
        delete wait;
    }
    return reason;
}

void drop_in_child() {
    for (auto& orphan : orphans) {
        os::close_fd(orphan->fd);
        static_cast<void>(orphan.release());  // linked into nothing, but the old loop may know it
    }
    orphans.clear();
    told.clear();
    while (any_waits.pop_front() != nullptr) {
    }
}

}  // namespace

int wait_child(pid_t pid, Nanos deadline, ChildExit& out) {
    for (;;) {
        Result<ChildExit> ended = os::reap(pid);
        if (!ended) {
            return static_cast<int>(ended.error().code());
        }
        if (ended->pid != 0) {
            out = *ended;
            std::erase(os::forked_children(), pid);
            return 0;
        }
        WakeReason reason = park_for_any({pid}, deadline);
        if (reason != WakeReason::kReady) {
            (void)kill_when_out_of_time(pid);
            return error_of(reason);
        }
    }
}

int wait_forked(pid_t group, Nanos deadline, ChildExit& out) {
    for (;;) {
        std::vector<pid_t> running;
        if (reap_first(group, out, running)) {
            return 0;
        }
        if (running.empty()) {
            return ECHILD;
        }
        WakeReason reason = park_for_any(running, deadline);
        if (reason != WakeReason::kReady) {
            return error_of(reason);
        }
    }
}

void reap_later(pid_t pid) {
    Result<ChildExit> ended = os::reap(pid);
    if (!ended || ended->pid != 0) {
        return;
    }
    if (auto watch = watch_pid(pid, nullptr)) {
        Runtime::get().loop().ignore_for_liveness(1, 0);
        orphans.push_back(std::move(watch));
    }
}

bool is_out_of_time() {
    const Fiber* self = Runtime::get().current();
    return self != nullptr && self->out_of_time;
}

bool kill_when_out_of_time(pid_t pid) {
    Result<ChildExit> child = os::look_at(pid);
    if (!is_out_of_time() || !child || child->pid != 0) {
        return false;
    }
    os::kill_family(pid);
    return true;
}

}  // namespace stampede::io

namespace stampede::ext {

zend_result children_minit(int, int) {
    os::track_forks(io::on_forked);
    os::SignalTap::get().set_is_default(zend::is_default_action);
    runtime::Runtime::on_fork(io::drop_in_child);
    return SUCCESS;
}

// The engine has just put its handlers in place, the same for each request.
zend_result children_rinit(int, int) {
    static const void* handler = os::present_handler(SIGUSR1);
    zend::remember_signal_handler(handler);
    return SUCCESS;
}

}  // namespace stampede::ext
