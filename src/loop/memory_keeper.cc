#include "loop/memory_keeper.h"

#include <algorithm>

#include "loop/loop.h"

namespace stampede::loop {

bool MemoryPolicy::should_return(const HeapView& heap) {
    size_t faulted = static_cast<size_t>(heap.page_faults - faults_then_) * kPage;
    faults_then_ = heap.page_faults;
    // A working set that shrinks is found out slowly, by a return that costs little.
    working_set_ -= working_set_ / 8;
    if (returned_ > 0) {
        working_set_ = std::max(working_set_, std::min(faulted, returned_));
    }
    discarded_ -= std::min(discarded_, faulted);
    size_t with_pages = heap.free_bytes - std::min(heap.free_bytes, discarded_);
    bool excess = with_pages > kAlwaysKept + working_set_ + working_set_ / 2;
    returned_ = excess ? with_pages : 0;
    return excess;
}

void MemoryPolicy::note_returned(const HeapView& heap) {
    discarded_ = heap.free_bytes;
    faults_then_ = heap.page_faults;
}

void MemoryKeeper::start(Loop& loop) {
    loop_ = &loop;
    policy_ = MemoryPolicy();
    timer_.unlink();
    timer_.keeper = this;
    timer_.on_fire = on_period;
    loop.ignore_for_liveness(0, 1);
    loop.arm(timer_, kPeriod);
}

void MemoryKeeper::stop() {
    if (loop_ != nullptr) {
        loop_->disarm(timer_);
        loop_->ignore_for_liveness(0, -1);
        loop_ = nullptr;
    }
}

void MemoryKeeper::on_period(Timer& timer) {
    MemoryKeeper& self = *static_cast<PeriodTimer&>(timer).keeper;
    for (SpareMemory* spare = self.spares_.front(); spare != nullptr;
         spare = self.spares_.after(*spare)) {
        spare->trim();
    }
    if (self.policy_.should_return(self.calls_.look())) {
        self.calls_.give_back();
        self.policy_.note_returned(self.calls_.look());
    }
    self.loop_->arm(timer, kPeriod);
}

}  // namespace stampede::loop
