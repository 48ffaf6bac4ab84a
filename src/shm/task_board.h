// How many tasks each task worker has, those that wait for it too, so that the giver of a task
// finds an idle worker. Numbers of a task worker's place outlive its processes. Owned by the
// supervisor, inherited by fork. Any process, never parks.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/error.h"
#include "os/mmap.h"

namespace stampede::shm {

class TaskBoard {
public:
    static Result<std::unique_ptr<TaskBoard>> create(uint32_t places);

    uint32_t size() const { return places_; }
    // The place that has the least to do, among those that serve when there are any; equal ones in
    // turn.
    uint32_t pick();
    // A task was given to the place, or could not be.
    void add(uint32_t place);
    void take_back(uint32_t place);
    // It is done, or was lost with its process.
    void end(uint32_t place, int32_t tasks = 1);
    // A task that counted for one place was taken by the other.
    void move(uint32_t from, uint32_t to);
    // Nothing waits for the place and it works on nothing: what killed processes have counted for
    // it and never sent is forgotten.
    void settle(uint32_t place);
    void set_serving(uint32_t place, bool serving);

    int32_t load(uint32_t place) const { return entry(place).load.load(); }
    uint64_t given() const;    // ever
    uint64_t present() const;  // given and not done
    uint32_t idle() const;     // places

private:
    // A cache line each: the workers of different places count at the same time. The counters are
    // changed by many processes, in single atomic steps, and never together: a process that is
    // killed between two steps leaves a load too high, which settle() puts right when nothing waits
    // for the place.
    struct alignas(64) Entry {
        std::atomic<int32_t> load{0};
        std::atomic<uint32_t> serving{0};
        std::atomic<uint64_t> given{0};
    };

    TaskBoard(os::SharedMemory memory, uint32_t places);
    Entry& entry(uint32_t place) const { return static_cast<Entry*>(memory_.data())[place]; }

    os::SharedMemory memory_;
    uint32_t places_;
    uint32_t next_ = 0;  // of this process: where to begin to look
};

}  // namespace stampede::shm
