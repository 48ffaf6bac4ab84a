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
    for (InFlight& entry : dead.used()) {
        entry.since = 0;
    }
}

// The list of free places is the process's own; only the entries are shared. A successor in the
// line begins with all of them free.
InFlightList::InFlightList(WorkerLine& line)
    : line_(line), free_(std::make_unique_for_overwrite<uint16_t[]>(WorkerLine::kInFlight)) {
    for (InFlight& entry : line.used()) {
        entry.since = 0;
        entry.claim = 0;
    }
    for (size_t i = line.used().size(); i > 0; i--) {
        free_[free_count_++] = static_cast<uint16_t>(i - 1);
    }
}

uint16_t InFlightList::take_unused() {
    uint32_t used = line_.in_flight_used.load(std::memory_order_relaxed);
    if (used == WorkerLine::kInFlight) {
        return kNone;
    }
    line_.in_flight_used.store(used + 1);
    return static_cast<uint16_t>(used);
}

// `since` last: an entry without it is free to the reader. See InFlight for what a kill in between
// leaves.
uint16_t InFlightList::begin(std::string_view method, std::string_view target,
                             int64_t connection_id, Nanos now) {
    uint16_t place = free_count_ > 0 ? free_[--free_count_] : take_unused();
    if (place == kNone) {
        return kNone;
    }
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

uint32_t InFlightList::offer(uint16_t place, int32_t stream_id) {
    if (place == kNone) {
        return 0;
    }
    last_number_ += last_number_ == UINT32_MAX ? 2 : 1;
    InFlight& entry = line_.in_flight[place];
    entry.stream_id = stream_id;
    entry.given_up = 0;
    std::atomic_ref(entry.claim).store(last_number_, std::memory_order_release);
    return last_number_;
}

bool InFlightList::is_claimed(uint16_t place) const {
    return place != kNone && std::atomic_ref(line_.in_flight[place].claim).load() >> 32 != 0;
}

void InFlightList::end(uint16_t place) {
    if (place != kNone) {
        std::atomic_ref(line_.in_flight[place].claim).store(0, std::memory_order_release);
        line_.in_flight[place].since = 0;
        free_[free_count_++] = place;
    }
}

OfferedRequest find_offered(WorkerLine& line, int64_t connection_id, int32_t stream_id) {
    uint32_t all = 0;
    uint32_t given_up = 0;
    uint32_t taken = 0;
    OfferedRequest one;
    OfferedRequest left;
    for (InFlight& entry : line.used()) {
        std::atomic_ref claim(entry.claim);
        uint64_t before = claim.load(std::memory_order_acquire);
        taken += entry.since != 0 ? 1 : 0;
        if (before == 0 || entry.connection_id != connection_id ||
            (stream_id != 0 && entry.stream_id != stream_id)) {
            continue;
        }
        bool is_left = entry.given_up != 0;
        // The entry is another request's by now: what was read of it is of both.
        if (static_cast<uint32_t>(claim.load(std::memory_order_acquire)) !=
            static_cast<uint32_t>(before)) {
            continue;
        }
        all++;
        one.number = static_cast<uint32_t>(before);
        given_up += is_left ? 1 : 0;
        left.number = is_left ? one.number : left.number;
    }
    using Found = OfferedRequest::Found;
    if (given_up > 0) {
        left.found = given_up == 1 ? Found::kOne : Found::kSeveral;
        return left;
    }
    bool unnamed = all == 0 && taken == WorkerLine::kInFlight;
    one.found = all == 1 || unnamed ? Found::kOne : all > 1 ? Found::kSeveral : Found::kNone;
    return one;
}

namespace {

bool exchange_claim(WorkerLine& line, int64_t connection_id, uint64_t from, uint64_t to) {
    for (InFlight& entry : line.used()) {
        uint64_t expected = from;
        if (entry.connection_id == connection_id &&
            std::atomic_ref(entry.claim).compare_exchange_strong(expected, to)) {
            return true;
        }
    }
    return false;
}

uint64_t promised(uint32_t number, uint32_t response) {
    return static_cast<uint64_t>(response) << 32 | number;
}

}  // namespace

bool claim_request(WorkerLine& line, int64_t connection_id, uint32_t number, uint32_t response) {
    return exchange_claim(line, connection_id, number, promised(number, response));
}

void unclaim_request(WorkerLine& line, int64_t connection_id, uint32_t number, uint32_t response) {
    (void)exchange_claim(line, connection_id, promised(number, response), number);
}

}  // namespace stampede::shm
