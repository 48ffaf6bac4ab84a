#include "shm/scoreboard.h"

#include <cstring>
#include <new>

namespace stampede::shm {

Result<std::unique_ptr<Scoreboard>> Scoreboard::create(uint32_t workers) {
    Result<os::SharedMemory> memory = os::SharedMemory::create(
        sizeof(Head) + sizeof(WorkerLine) * workers, os::SharedMemory::Pages::kWhenTouched);
    if (!memory) {
        return memory.error();
    }
    return std::unique_ptr<Scoreboard>(new Scoreboard(std::move(*memory), workers));
}

Scoreboard::Scoreboard(os::SharedMemory memory, uint32_t workers)
    : memory_(std::move(memory)),
      head_(new (memory_.data()) Head()),
      lines_(reinterpret_cast<WorkerLine*>(head_ + 1)),
      workers_(workers) {
    for (uint32_t i = 0; i < workers; i++) {
        new (&lines_[i]) WorkerLine;  // no parentheses: they would write to all of it
    }
}

// Lines are read one after another while others count: a sum of about now.
uint64_t Scoreboard::total(Counter WorkerLine::*counter) const {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < workers_; i++) {
        sum += (lines_[i].*counter).get();
    }
    return sum;
}

// By the supervisor, when the process is gone: for this moment it is the one writer of the line.
void Scoreboard::bury(uint32_t worker) {
    WorkerLine& dead = lines_[worker];
    // The kernel has closed what was open: accepted is closed and open together.
    dead.closed.add(dead.connections.get());
    dead.connections.set(0);
    dead.concurrency.set(0);
    dead.coroutines.set(0);
    dead.iteration_started.set(0);
    for (InFlight& entry : dead.in_flight) {
        entry.since = 0;
    }
}

// The list of free places is the process's own; only the entries are shared. A successor in the
// line begins with all of them free.
InFlightList::InFlightList(WorkerLine& line) : line_(line), free_count_(WorkerLine::kInFlight) {
    for (uint16_t i = 0; i < WorkerLine::kInFlight; i++) {
        free_[i] = static_cast<uint16_t>(WorkerLine::kInFlight - 1 - i);
        line_.in_flight[i].since = 0;
    }
}

// `since` last: an entry without it is free to the reader. See InFlight for what a kill in between
// leaves.
uint16_t InFlightList::begin(std::string_view method, std::string_view target,
                             int64_t connection_id, Nanos now) {
    if (free_count_ == 0) {
        return kNone;
    }
    uint16_t place = free_[--free_count_];
    InFlight& entry = line_.in_flight[place];
    size_t first = method.size() < 16 ? method.size() : 16;
    size_t rest = InFlight::kTextSize - first - 1;
    size_t second = target.size() < rest ? target.size() : rest;
    std::memcpy(entry.text, method.data(), first);
    entry.text[first] = ' ';
    std::memcpy(entry.text + first + 1, target.data(), second);
    entry.length = static_cast<uint8_t>(first + 1 + second);
    entry.connection_id = connection_id;
    entry.answerable_fd = -1;
    entry.since = now;
    return place;
}

void InFlightList::end(uint16_t place) {
    if (place != kNone) {
        line_.in_flight[place].since = 0;
        free_[free_count_++] = place;
    }
}

}  // namespace stampede::shm
