// Waiting for a word of shared memory to change, and the mutex that survives its holder. Any
// process that maps the memory; blocks the thread, in short steps for callers that must look
// around.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <atomic>
#include <cstdint>

#include "base/clock.h"

namespace stampede::os {

// Returns when woken, when the word is not `seen` any more, or after at most so long.
void futex_wait(std::atomic<uint32_t>& word, uint32_t seen, Nanos longest);
void futex_wake(std::atomic<uint32_t>& word, int waiters);

// Waiting for one of several words, of this process alone or shared (Linux 5.16).
struct SeenWord {
    std::atomic<uint32_t>* word;
    uint32_t seen;
};
inline constexpr size_t kMostWords = 128;
bool can_wait_for_any();
// Returns when woken for one of them, or when one is not what was seen any more. No deadline.
void wait_for_any(const SeenWord* words, size_t count);

// True for a process that has ended, also when nobody has asked for its exit code yet.
bool process_has_ended(pid_t pid);

// For a few instructions at a time, in memory that processes share. The kernel gives it up for a
// holder that was killed.
class RobustMutex {
public:
    void init();
    // True when the last holder died in between: what it protects must be put right.
    bool lock();
    void unlock() { pthread_mutex_unlock(&mutex_); }

private:
    pthread_mutex_t mutex_;
};

}  // namespace stampede::os
