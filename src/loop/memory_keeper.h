// Keeps freed memory in the process while requests use it, and returns it to the kernel after a
// peak. Returning it costs the requests that need it again a page fault for each 4 KiB, so the
// keeper looks what the last return cost: what came back as faults is what the process works with,
// and is not returned again. Owned by the runtime of a process, on its loop; does not keep the loop
// alive, never parks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/clock.h"
#include "base/list.h"
#include "loop/timer_wheel.h"

namespace stampede::loop {

class Loop;

// What is measured and done; the process's heap, or a scripted one in tests.
struct HeapView {
    size_t free_bytes = 0;
    uint64_t page_faults = 0;
};
struct HeapCalls {
    HeapView (*look)();
    void (*give_back)();
};

// The decision alone, without clock or heap.
class MemoryPolicy {
public:
    // Whether the free memory is to be returned now. Asked once a period.
    bool should_return(const HeapView& heap);
    // It was: what the heap still counts as free has no pages any more.
    void note_returned(const HeapView& heap);

private:
    static constexpr size_t kPage = 4096;
    static constexpr size_t kAlwaysKept = 4u << 20;

    size_t working_set_ = 0;  // free memory that comes into use again and again
    uint64_t faults_then_ = 0;
    size_t returned_ = 0;   // by the last look; 0: nothing
    size_t discarded_ = 0;  // free, and without pages
};

// Something that keeps memory for its own use. Once a period it is told to give up what it has not
// needed since the last.
struct SpareMemory : ListNode {
    void (*trim)() = nullptr;
};

class MemoryKeeper {
public:
    explicit MemoryKeeper(const HeapCalls& calls) : calls_(calls) {}
    void add(SpareMemory& spare) { spares_.push_back(spare); }
    // Also in a forked child, whose loop is another one and whose page faults count from 0.
    void start(Loop& loop);
    void stop();

    MemoryKeeper(const MemoryKeeper&) = delete;
    MemoryKeeper& operator=(const MemoryKeeper&) = delete;

private:
    static constexpr Nanos kPeriod = 15 * kSecond;
    static void on_period(Timer& timer);

    struct PeriodTimer : Timer {
        MemoryKeeper* keeper = nullptr;
    };
    HeapCalls calls_;
    MemoryPolicy policy_;
    List<SpareMemory> spares_;
    PeriodTimer timer_;
    Loop* loop_ = nullptr;
};

}  // namespace stampede::loop
