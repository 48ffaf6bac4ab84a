// Swoole\Process\Pool: the supervisor.
#include <algorithm>
#include <csignal>
#include <utility>

#include "classes/process/pool.h"
#include "hooks/hooks.h"
#include "io/signals.h"
#include "os/children.h"
#include "os/log.h"
#include "os/packet_pair.h"
#include "os/process.h"
#include "proc/restart_pace.h"
#include "runtime/runtime.h"
#include "zend/throw.h"

namespace stampede::classes {

namespace {

using os::Log;
using os::LogLevel;
using runtime::Runtime;

constexpr Nanos kShortLife = kSecond;
constexpr Nanos kLongestDelay = kSecond;
constexpr int kTaken[] = {SIGTERM, SIGINT, SIGUSR1, SIGUSR2, SIGCHLD};

class Supervisor {
public:
    explicit Supervisor(Pool& pool) : pool_(pool), slots_(pool.workers) {}

    bool run(uint32_t& id);

private:
    struct Slot {
        pid_t pid = 0;
        Nanos start_at = 0;
        Nanos started_at = 0;
        Nanos kill_at = kNever;
        uint32_t short_failures = 0;  // in a row
        proc::RestartPace pace;
        bool reload = false;
    };
    struct Listener : io::SignalListener {
        Supervisor* supervisor;
    };

    void take_signals();
    void on_signal(int number);
    bool start_due(uint32_t& id);
    void look_at_children();
    void take_detached();
    void replace(uint32_t id, const os::ChildExit& how);
    Nanos restart_delay(uint32_t id, const os::ChildExit& how);
    void stop();
    void tell_to_end(uint32_t id);
    void continue_reload();
    void enforce_deadlines();
    Nanos next_wait() const;
    bool finished() const {
        return stopping_ && std::ranges::all_of(slots_, [](auto& slot) { return slot.pid == 0; });
    }

    Pool& pool_;
    std::vector<Slot> slots_;
    std::vector<pid_t> detached_;
    Listener listeners_[std::size(kTaken)];
    loop::Watch control_;
    bool child_ended_ = false;  // since the last iteration of the loop
    bool stopping_ = false;
    bool stop_requested_ = false;
};

void Supervisor::take_signals() {
    for (size_t i = 0; i < std::size(kTaken); i++) {
        listeners_[i].supervisor = this;
        listeners_[i].on_signal = [](io::SignalListener& listener) {
            static_cast<Listener&>(listener).supervisor->on_signal(listener.number);
        };
        static_cast<void>(io::listen_to_signal(kTaken[i], listeners_[i]));
    }
    control_.fd = pool_.control[0];
    control_.interest = loop::kReadable;
    control_.on_ready = [](loop::Watch&, uint32_t) {};  // read when the iteration is over
    static_cast<void>(Runtime::get().loop().watch(control_));
}

void Supervisor::on_signal(int number) {
    if (number == SIGTERM || number == SIGINT) {
        stop_requested_ = true;
    } else if (number == SIGUSR1 || number == SIGUSR2) {
        for (Slot& slot : slots_) {
            slot.reload = slot.pid != 0;
        }
    }
}

bool Supervisor::run(uint32_t& id) {
    take_signals();
    pid_t pid = os::own_pid();
    // What it prepares is inherited by all workers.
    pool_.fire(PoolEvent::kStart);
    hooks::redirect_for_children(hooks::kAll);
    while (!finished()) {
        // A worker that asked for the end and ended has sent its signal first: one iteration finds
        // it before the worker would be replaced.
        if (!zend::exception_pending() && !stopping_ && !std::exchange(child_ended_, false) &&
            start_due(id)) {
            return true;
        }
        continue_reload();  // a successor may have been forked just now
        if (!zend::exception_pending()) {
            Runtime::get().iterate_once(next_wait());
        }
        if (os::own_pid() != pid) {  // a child that the script's function has made, on its way out
            return true;
        }
        if (zend::exception_pending()) {  // of the script's own function: the pool goes with it
            stop();
            break;
        }
        look_at_children();
        if (std::exchange(stop_requested_, false)) {
            stop();
        }
        enforce_deadlines();
    }
    for (Listener& listener : listeners_) {
        io::stop_listening(listener);
    }
    Runtime::get().loop().unwatch(control_);
    return false;
}

bool Supervisor::start_due(uint32_t& id) {
    for (uint32_t i = 0; i < slots_.size(); i++) {
        Slot& slot = slots_[i];
        if (slot.pid != 0 || slot.start_at > monotonic_now()) {
            continue;
        }
        pool_.line(i).serves.store(false);
        pool_.line(i).told.store(false);
        Result<pid_t> pid = os::fork_process(os::SignalsOfChild::kBlocked);
        if (!pid) {
            Log::get().write(LogLevel::kError, "worker %u of the pool cannot be started: %s", i,
                             strerror(static_cast<int>(pid.error().code())));
            slot.start_at = monotonic_now() + kLongestDelay;
            continue;
        }
        if (*pid == 0) {
            id = i;
            return true;
        }
        slot.pid = *pid;
        slot.started_at = monotonic_now();
        slot.kill_at = kNever;
        slot.reload = false;
        pool_.pid_of(i).store(*pid);
    }
    return false;
}

void Supervisor::look_at_children() {
    take_detached();
    std::erase_if(detached_, [](pid_t pid) {
        Result<os::ChildExit> ended = os::reap(pid);
        return !ended || ended->pid != 0;
    });
    for (uint32_t i = 0; i < slots_.size(); i++) {
        if (slots_[i].pid == 0) {
            continue;
        }
        Result<os::ChildExit> ended = os::reap(slots_[i].pid);
        if (!ended) {  // somebody else has taken its end
            replace(i, os::ChildExit{slots_[i].pid, 0, 0});
        } else if (ended->pid != 0) {
            take_detached();  // it may have said so just before
            if (slots_[i].pid == ended->pid) {
                replace(i, *ended);
            }
        }
    }
}

void Supervisor::take_detached() {
    pid_t pid = 0;
    while (os::receive_packet(pool_.control[0], reinterpret_cast<char*>(&pid), sizeof(pid)) ==
           static_cast<int64_t>(sizeof(pid))) {
        for (uint32_t i = 0; i < slots_.size(); i++) {
            if (slots_[i].pid == pid) {
                slots_[i] = Slot();
                pool_.pid_of(i).store(0);
                detached_.push_back(pid);
            }
        }
    }
}

void Supervisor::replace(uint32_t id, const os::ChildExit& how) {
    Slot& slot = slots_[id];
    Nanos now = monotonic_now();
    if (!stopping_ && (how.code != 0 || how.signal != 0)) {
        Log::get().write(LogLevel::kWarning,
                         "worker %u of the pool (pid %d) ended abnormally: code %d, signal %d", id,
                         how.pid, how.code, how.signal);
    }
    child_ended_ = true;
    slot.pid = 0;
    slot.start_at = now + restart_delay(id, how);
    pool_.pid_of(id).store(0);
}

// One that served was ended by its work, not by its start: its place is filled at once.
Nanos Supervisor::restart_delay(uint32_t id, const os::ChildExit& how) {
    Slot& slot = slots_[id];
    Nanos now = monotonic_now();
    bool was_short = now - slot.started_at < kShortLife && slot.kill_at == kNever;
    if (!was_short || pool_.line(id).serves.load()) {
        slot.short_failures = 0;
        return slot.pace.after_service(now);
    }
    if (how.code == 0 && how.signal == 0) {
        slot.short_failures = 0;
        return slot.pace.after_work(now);
    }
    slot.short_failures++;
    // The first time may be an accident.
    return slot.short_failures == 1 ? 0
                                    : std::min(kLongestDelay, 10 * kMillisecond << std::min(
                                                                  slot.short_failures - 2, 10u));
}

void Supervisor::tell_to_end(uint32_t id) {
    Slot& slot = slots_[id];
    if (slot.pid == 0) {
        return;
    }
    pool_.line(id).told.store(true);
    // A worker that was told before keeps its deadline.
    slot.kill_at =
        std::min(slot.kill_at, pool_.max_wait > 0 ? monotonic_now() + pool_.max_wait : kNever - 1);
    os::send_signal(slot.pid, SIGTERM);
}

void Supervisor::stop() {
    bool is_first = !std::exchange(stopping_, true);
    ZVAL_FALSE(pool_.property(kPoolRunningSlot));
    if (is_first && !zend::exception_pending()) {
        pool_.fire(PoolEvent::kShutdown);
    }
    for (uint32_t id = 0; id < slots_.size(); id++) {
        slots_[id].reload = false;
        tell_to_end(id);
    }
}

// One at a time: the next is told when its predecessor's successor has been forked.
void Supervisor::continue_reload() {
    for (Slot& slot : slots_) {
        if (slot.pid == 0 || (!stopping_ && slot.kill_at != kNever)) {
            return;
        }
    }
    for (uint32_t id = 0; id < slots_.size(); id++) {
        if (std::exchange(slots_[id].reload, false)) {
            tell_to_end(id);
            return;
        }
    }
}

void Supervisor::enforce_deadlines() {
    for (Slot& slot : slots_) {
        if (slot.pid != 0 && slot.kill_at <= monotonic_now()) {
            Log::get().write(LogLevel::kWarning,
                             "worker of the pool (pid %d) did not end in time and is killed",
                             slot.pid);
            slot.kill_at = kNever - 1;
            os::send_signal(slot.pid, SIGKILL);
        }
    }
}

Nanos Supervisor::next_wait() const {
    Nanos due = kNever;
    for (const Slot& slot : slots_) {
        if (slot.pid == 0 && !stopping_) {
            due = std::min(due, slot.start_at);
        } else if (slot.pid != 0 && slot.kill_at < kNever - 1) {
            due = std::min(due, slot.kill_at);
        }
    }
    return due == kNever ? kNever : std::max<Nanos>(due - monotonic_now(), 0);
}

}  // namespace

bool supervise_pool(Pool& pool, uint32_t& id) {
    // In a worker it stays as it is: its listeners and its watch are the supervisor's. Tools that
    // look for lost memory find it here.
    static Supervisor* supervisor;
    supervisor = new Supervisor(pool);
    if (supervisor->run(id)) {
        return true;
    }
    delete std::exchange(supervisor, nullptr);
    return false;
}

}  // namespace stampede::classes
