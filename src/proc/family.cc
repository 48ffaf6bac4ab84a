#include "proc/family.h"

#include <algorithm>
#include <csignal>
#include <utility>

#include "os/fd.h"
#include "os/signal.h"

namespace stampede::proc {

void Slot::release(const Process& process) {
    if (present == &process) {
        present = std::exchange(next, nullptr);
    } else if (next == &process) {
        next = nullptr;
    }
}

Family::Family(loop::Loop& loop, shm::Scoreboard& board, const MasterSettings& settings)
    : loop_(loop),
      board_(board),
      settings_(settings),
      slots_(places_of(settings)),
      active_workers_(settings.workers_at_start > 0
                          ? std::min(settings.workers_at_start, settings.workers)
                          : settings.workers) {
    board_.set_active_workers(active_workers_);
    for (uint32_t worker = active_workers_; worker < settings.workers; worker++) {
        slots_[worker].start_at = kNever;
    }
}

PlaceKind Family::kind_of(uint32_t worker) const {
    return worker < settings_.workers                            ? PlaceKind::kWorker
           : worker < settings_.workers + settings_.task_workers ? PlaceKind::kTaskWorker
                                                                 : PlaceKind::kUserProcess;
}

void Family::set_active_workers(uint32_t number) {
    active_workers_ = number;
    board_.set_active_workers(number);
    for (uint32_t worker = 0; worker < settings_.workers; worker++) {
        Slot& slot = slots_[worker];
        if (is_off(worker)) {
            for (Process* process : {slot.present, slot.next}) {
                if (process != nullptr) {
                    retire(*process);
                }
            }
            slot = Slot();  // a process that still ends is no longer the place's
            slot.start_at = kNever;
        } else if (slot.present == nullptr && slot.next == nullptr && slot.start_at == kNever) {
            slot.start_at = 0;
        }
    }
}

bool Family::all_serve() const {
    for (uint32_t i = 0; i < slots_.size(); i++) {
        const Process* present = slots_[i].present;
        if (!is_off(i) && (present == nullptr || present->stage != Stage::kServing)) {
            return false;
        }
    }
    return true;
}

bool Family::some_serve() const {
    return std::ranges::any_of(processes_, [](const auto& process) {
        return process->kind == PlaceKind::kWorker && process->stage == Stage::kServing;
    });
}

uint32_t Family::free_line(uint32_t worker) const {
    uint32_t end = lines_for(settings_.workers);
    if (kind_of(worker) != PlaceKind::kWorker) {
        return end + worker - settings_.workers;
    }
    for (uint32_t line = 0; line < end; line++) {
        bool used = std::ranges::any_of(
            processes_, [line](const auto& process) { return process->line == line; });
        if (!used) {
            return line;
        }
    }
    return UINT32_MAX;
}

std::vector<ProcessFacts> Family::facts() const {
    constexpr const char* kStages[] = {"starting", "serving", "leaving"};
    std::vector<ProcessFacts> facts;
    for (const auto& process : processes_) {
        if (process->pid == 0) {
            continue;  // ordered, not there yet
        }
        facts.push_back({process->kind, process->worker, process->pid, process->line,
                         process->generation, kStages[static_cast<int>(process->stage)],
                         process->started_at});
    }
    std::ranges::stable_sort(facts, {}, &ProcessFacts::worker);
    return facts;
}

Process* Family::find(pid_t pid) const {
    auto found =
        std::ranges::find(processes_, pid, [](const auto& process) { return process->pid; });
    return found != processes_.end() ? found->get() : nullptr;
}

Process* Family::find_ordered(uint32_t line) const {
    auto found = std::ranges::find_if(processes_, [line](const auto& process) {
        return process->line == line && process->pid == 0;
    });
    return found != processes_.end() ? found->get() : nullptr;
}

std::unique_ptr<Process> Family::make(uint32_t worker, uint32_t line, uint64_t generation) {
    board_.line(line).worker.store(worker);
    board_.line(line).state.store(shm::WorkerState::kStarting);
    auto process = std::make_unique<Process>();
    process->kind = kind_of(worker);
    process->worker = worker;
    process->line = line;
    process->generation = generation;
    process->started_at = monotonic_now();
    return process;
}

Error Family::add(std::unique_ptr<Process> process, int channel) {
    process->fd = channel;
    process->interest = loop::kReadable;
    if (Error error = loop_.watch(*process)) {
        return error;
    }
    Slot& slot = slots_[process->worker];
    (slot.present == nullptr ? slot.present : slot.next) = process.get();
    processes_.push_back(std::move(process));
    return Error();
}

void Family::close_channel(Process& process) {
    if (process.fd >= 0) {
        loop_.unwatch(process);
        os::close_fd(process.fd);
        process.fd = -1;
    }
}

void Family::forget(Process& process) {
    close_channel(process);
    board_.bury(process.line);
    board_.line(process.line).pid.store(0);
    board_.line(process.line).state.store(shm::WorkerState::kEmpty);
    std::erase_if(processes_, [&](const auto& known) { return known.get() == &process; });
}

void Family::abandon() {
    for (auto& process : processes_) {
        os::close_fd(process->fd);
    }
    processes_.clear();
}

// The pid of a process that was ordered is not known yet; 0 would be this whole group.
void Family::signal(Process& process, int number) {
    if (process.pid != 0) {
        os::send_signal(process.pid, number);
    } else if (number != SIGSTOP && number != SIGCONT) {
        process.owed_signal = number;
    }
}

void Family::signal_all(int number) {
    for (auto& process : processes_) {
        signal(*process, number);
    }
}

void Family::tell_to_stop(Process& process, int signal_number, Nanos patience) {
    process.stage = Stage::kLeaving;
    process.kill_at = monotonic_now() + patience;
    if (process.kind == PlaceKind::kTaskWorker && process.fd >= 0) {
        (void)os::write_some(process.fd, &kTellFinish, 1);
    }
    signal(process, signal_number);
}

void Family::retire(Process& process) {
    process.stage = Stage::kLeaving;
    bool is_worker = process.kind == PlaceKind::kWorker;
    process.kill_at =
        monotonic_now() + (is_worker ? settings_.replace_time : settings_.stop_time) + kSecond;
    signal(process, SIGTERM);
}

// Before it is killed.
void Family::grant_time(Process& process) {
    if (process.kind == PlaceKind::kWorker && process.kill_at != kNever) {
        process.kill_at = monotonic_now() + settings_.replace_time + kSecond;
    }
}

}  // namespace stampede::proc
