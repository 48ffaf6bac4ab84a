#include "loop/memory_keeper.h"

#include <gtest/gtest.h>

namespace stampede::loop {
namespace {

constexpr size_t kMiB = 1u << 20;
constexpr size_t kPage = 4096;

// A heap whose owner peaks and goes on with a working set.
struct Heap {
    MemoryPolicy policy;
    HeapView view;
    size_t without_pages = 0;
    int returns = 0;

    void use_again(size_t bytes) {
        size_t faulted = std::min(bytes, without_pages);
        without_pages -= faulted;
        view.page_faults += faulted / kPage;
    }
    void period() {
        if (policy.should_return(view)) {
            returns++;
            without_pages = view.free_bytes;
            policy.note_returned(view);
        }
    }
};

TEST(MemoryPolicy, LeavesASmallHeapAlone) {
    Heap heap;
    heap.view.free_bytes = 4 * kMiB;
    for (int i = 0; i < 100; i++) {
        heap.period();
    }
    EXPECT_EQ(heap.returns, 0);
}

TEST(MemoryPolicy, ReturnsAPeakAtTheFirstLook) {
    Heap heap;
    heap.view.free_bytes = 300 * kMiB;
    heap.period();
    EXPECT_EQ(heap.returns, 1);
}

TEST(MemoryPolicy, ReturnsNothingTwice) {
    Heap heap;
    heap.view.free_bytes = 300 * kMiB;
    for (int i = 0; i < 100; i++) {
        heap.period();
        heap.use_again(kMiB);
    }
    EXPECT_EQ(heap.returns, 1 + 99 / 5);  // each time that more than 4 MiB came into use again
}

TEST(MemoryPolicy, KeepsWhatComesIntoUseAgain) {
    Heap heap;
    heap.view.free_bytes = 50 * kMiB;
    for (int i = 0; i < 240; i++) {  // an hour
        heap.period();
        heap.use_again(50 * kMiB);
    }
    EXPECT_LE(heap.returns, 65);
    EXPECT_GE(heap.returns, 1);
}

TEST(MemoryPolicy, ReturnsAPeakAboveTheWorkingSet) {
    Heap heap;
    heap.view.free_bytes = 20 * kMiB;
    for (int i = 0; i < 3; i++) {
        heap.period();
        heap.use_again(20 * kMiB);
    }
    int before = heap.returns;
    heap.view.free_bytes = 200 * kMiB;
    heap.without_pages = 0;
    heap.view.page_faults += 180 * kMiB / kPage;
    heap.period();
    heap.period();
    EXPECT_GT(heap.returns, before);
    EXPECT_EQ(heap.without_pages, 200 * kMiB);
}

}  // namespace
}  // namespace stampede::loop
