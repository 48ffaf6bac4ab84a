// Tells a loop that words of shared memory have changed, which no poller can see: one helper thread
// waits in the kernel for all of them together (futex_waitv, Linux 5.16) and posts. For words that
// are changed by processes that then call os::futex_wake(). One per process, made with its first
// watch; loop thread; never parks.
//
//   loop thread     watch(), unwatch(), the calls of on_change
//   helper thread   reads the words that are watched, under the mutex; never a WordWatch
#pragma once

#include <atomic>
#include <cstdint>

#include "base/list.h"
#include "loop/loop.h"

namespace stampede::loop {

// Must stay where it is, and its word mapped, while it is watched. Told once, and then watched no
// longer.
struct WordWatch : ListNode {
    std::atomic<uint32_t>* word = nullptr;
    uint32_t seen = 0;  // waits until the word is another
    void (*on_change)(WordWatch&) = nullptr;
};

class WordWatcher {
public:
    static WordWatcher& get();

    // False: it cannot be watched here, since the kernel has no such call or too much is watched;
    // the caller looks now and then.
    bool watch(Loop& loop, WordWatch& watch);
    void unwatch(WordWatch& watch);
    // In a forked child: the thread and what it watched are the parent's.
    void abandon();

private:
    struct Shared;

    static void* run(void* shared);
    void tell_changed(Shared& shared);

    List<WordWatch> watches_;
    Shared* shared_ = nullptr;  // belongs to the thread, too, which lives as long as the process
    bool refused_ = false;
};

}  // namespace stampede::loop
