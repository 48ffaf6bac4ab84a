// The supervisor with a boot process: generations, and workers that another process forks.
#include <algorithm>
#include <csignal>
#include <cstring>
#include <string>
#include <utility>

#include "os/fd.h"
#include "os/log.h"
#include "proc/boot_processes.h"
#include "proc/master.h"

namespace stampede::proc {

using os::Log;
using os::LogLevel;

namespace {

constexpr Nanos kOrderPatience = 20 * kSecond;    // until the boot process has forked a worker
constexpr Nanos kOrderPause = 20 * kMillisecond;  // when it has too much to do already
constexpr size_t kMostStrangers = 256;

}  // namespace

void Master::open_boots() {
    os::adopt_orphans();
    BootEvents events;
    events.owner = this;
    events.ready = [](void* self, uint64_t generation) {
        static_cast<Master*>(self)->on_generation(generation);
    };
    events.failed = [](void* self, uint64_t generation, std::string_view why) {
        static_cast<Master*>(self)->on_boot_failed(generation, why);
    };
    events.forked = [](void* self, uint32_t line, pid_t pid, int error) {
        static_cast<Master*>(self)->on_forked(line, pid, error);
    };
    events.lost = [](void* self) { static_cast<Master*>(self)->on_boot_lost(); };
    boots_ = std::make_unique<BootProcesses>(loop_, settings_.boot_time, events);
    boots_->want(generation_, 0);
}

GenerationFacts Master::generations() const {
    return {asked_,
            settled_,
            generation_,
            failure_,
            boots_ != nullptr && boots_->loading(),
            reload_.active(),
            boots_ != nullptr ? boots_->pid() : 0};
}

// What the workers inherit must be as it is to be before the boot process is forked.
void Master::order_generation() {
    Log::get().write(LogLevel::kInfo, "generation %llu: the application is being loaded",
                     static_cast<unsigned long long>(asked_));
    events_.before_reload(events_.owner);
    boot_pace_.reset();
    boots_->want(asked_, 0);
}

Result<Role> Master::start_boot(Nanos now) {
    Result<Role> role = boots_->start_due(now);
    if (!role) {
        boots_->want(asked_, now + RestartPace::kFirstPause);
        Log::get().write(LogLevel::kError, "cannot start a boot process: %s; next try in 1 s",
                         std::strerror(static_cast<int>(role.error().code())));
        return Role::kMaster;
    }
    if (*role == Role::kBoot) {
        boot_channel_ = boots_->release_channel();
        forget_family();
        os::signal_on_parent_death(SIGKILL);
    }
    return role;
}

void Master::on_generation(uint64_t generation) {
    boot_pace_.reset();
    failure_.clear();
    if (generation == generation_) {  // the first one, or one in place of one that ended
        return;
    }
    generation_ = generation;
    replace_all(true);
}

// A generation that was never there is tried again, one that was to replace another is not.
void Master::on_boot_failed(uint64_t generation, std::string_view why) {
    failure_ = why;
    settled_ = std::max(settled_, generation);
    Nanos pause = boot_pace_.after_failed_start();
    bool again = !boots_->ready();
    if (again) {
        boots_->want(asked_, monotonic_now() + pause);
    }
    std::string next = again ? "; next try in " + std::to_string(pause / kSecond) + " s"
                             : "; the present generation goes on";
    Log::get().write(LogLevel::kError, "generation %llu: the application was not loaded: %.*s%s",
                     static_cast<unsigned long long>(generation), static_cast<int>(why.size()),
                     why.data(), next.c_str());
    tell_boot_failure_ = true;
}

bool Master::waits_for_boot(uint32_t worker) const {
    return is_booted(family_.kind_of(worker)) && !boots_->ready();
}

Result<Role> Master::order_process(uint32_t worker, uint32_t line) {
    int ends[2];
    if (Error error = os::open_socket_pair(ends)) {
        fork_failed(worker, error);
        return Role::kMaster;
    }
    std::unique_ptr<Process> process = family_.make(worker, line, generation_);
    bool sent = boots_->order({process->kind, worker, line, generation_}, ends[1]);
    os::close_fd(ends[1]);
    if (!sent) {
        os::close_fd(ends[0]);
        board_.line(line).state.store(shm::WorkerState::kEmpty);
        family_.slots()[worker].start_at = monotonic_now() + kOrderPause;
        return Role::kMaster;
    }
    process->kill_at = process->started_at + kOrderPatience;
    if (Error error = take_in(std::move(process), ends[0])) {
        return error;
    }
    return Role::kMaster;
}

// The worker waits for kTellGo, so it has done nothing yet.
void Master::on_forked(uint32_t line, pid_t pid, int error) {
    Process* ordered = family_.find_ordered(line);
    if (ordered == nullptr) {
        return;  // given up meanwhile: its channel is closed, it ends by itself
    }
    Process& process = *ordered;
    uint32_t worker = process.worker;
    if (pid == 0) {
        family_.slots()[worker].release(process);
        family_.forget(process);
        fork_failed(worker, Error::system(error));
        return;
    }
    process.pid = pid;
    process.kill_at = process.stage == Stage::kLeaving ? process.kill_at : kNever;
    board_.line(line).pid.store(pid);
    if (process.fd >= 0) {
        (void)os::write_some(process.fd, &kTellGo, 1);
    }
    if (process.owed_signal != 0) {
        family_.signal(process, process.owed_signal);
    }
    if (events_.started != nullptr) {
        events_.started(events_.owner, process.place(), pid);
    }
    if (std::ranges::find(strangers_, pid, &os::ChildExit::pid) != strangers_.end()) {
        reap_again_ = true;
    }
}

void Master::reap_strangers() {
    for (const os::ChildExit& how : std::exchange(strangers_, {})) {
        reap_one(how);
    }
}

// A child that nobody knows: an orphan of the application's, or a worker of which the boot process
// has not told yet.
void Master::note_stranger(const os::ChildExit& how) {
    bool awaited = std::ranges::any_of(family_.processes(),
                                       [](const auto& process) { return process->pid == 0; });
    if (!awaited) {
        strangers_.clear();
    } else if (strangers_.size() < kMostStrangers) {
        strangers_.push_back(how);
    }
}

void Master::on_boot_lost() {
    drop_orders();
    if (phase_ == Phase::kRunning && !boots_->loading()) {
        Nanos now = monotonic_now();
        boots_->want(asked_, now + boot_pace_.after_service(now));
    }
}

// What was ordered does not come; it is ordered again from the next boot process.
void Master::drop_orders() {
    for (size_t i = family_.processes().size(); i-- > 0;) {
        Process& process = *family_.processes()[i];
        if (process.pid != 0) {
            continue;
        }
        Slot& slot = family_.slots()[process.worker];
        if (slot.holds(process)) {
            slot.release(process);
            slot.start_at =
                phase_ == Phase::kRunning && !family_.is_off(process.worker) ? 0 : kNever;
        }
        family_.forget(process);
    }
}

}  // namespace stampede::proc
