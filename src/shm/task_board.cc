#include "shm/task_board.h"

#include <new>

namespace stampede::shm {

Result<std::unique_ptr<TaskBoard>> TaskBoard::create(uint32_t places) {
    Result<os::SharedMemory> memory = os::SharedMemory::create(sizeof(Entry) * places);
    if (!memory) {
        return memory.error();
    }
    return std::unique_ptr<TaskBoard>(new TaskBoard(std::move(*memory), places));
}

TaskBoard::TaskBoard(os::SharedMemory memory, uint32_t places)
    : memory_(std::move(memory)), places_(places) {
    for (uint32_t i = 0; i < places; i++) {
        new (&entry(i)) Entry();
    }
}

// A guess by what can be seen: two processes may pick the same place. It only matters that none is
// passed over for long, which next_ sees to, for each process by itself.
uint32_t TaskBoard::pick() {
    constexpr int64_t kAbsent = int64_t{1} << 32;  // heavier than any load
    uint32_t best = 0;
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < places_; i++) {
        uint32_t place = (next_ + i) % places_;
        const Entry& candidate = entry(place);
        int64_t weight = candidate.load.load(std::memory_order_relaxed) +
                         (candidate.serving.load(std::memory_order_relaxed) != 0 ? 0 : kAbsent);
        if (weight < least) {
            best = place;
            least = weight;
        }
        if (weight <= 0) {
            break;
        }
    }
    next_ = best + 1;
    return best;
}

// Before the task is sent: a worker that takes it at once must not count it as done before it was
// counted.
void TaskBoard::add(uint32_t place) {
    entry(place).load.fetch_add(1);
    entry(place).given.fetch_add(1);
}

void TaskBoard::take_back(uint32_t place) {
    entry(place).given.fetch_sub(1);
    end(place);
}

// Never below nothing: settle() may have come between a task's add() and its end(). The value is
// only compared and replaced, so it does not matter whether it was another one in between (ABA).
void TaskBoard::end(uint32_t place, int32_t tasks) {
    std::atomic<int32_t>& load = entry(place).load;
    int32_t before = load.load();
    while (!load.compare_exchange_weak(before, before > tasks ? before - tasks : 0)) {
    }
}

void TaskBoard::move(uint32_t from, uint32_t to) {
    if (from != to) {
        end(from);
        entry(to).load.fetch_add(1);
    }
}

void TaskBoard::settle(uint32_t place) { entry(place).load.store(0); }

void TaskBoard::set_serving(uint32_t place, bool serving) {
    entry(place).serving.store(serving ? 1 : 0);
}

uint64_t TaskBoard::given() const {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < places_; i++) {
        sum += entry(i).given.load();
    }
    return sum;
}

uint64_t TaskBoard::present() const {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < places_; i++) {
        sum += static_cast<uint64_t>(load(i));
    }
    return sum;
}

uint32_t TaskBoard::idle() const {
    uint32_t count = 0;
    for (uint32_t i = 0; i < places_; i++) {
        count += load(i) == 0 && entry(i).serving.load() != 0 ? 1 : 0;
    }
    return count;
}

}  // namespace stampede::shm
