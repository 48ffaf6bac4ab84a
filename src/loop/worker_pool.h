// Helper threads for calls that can only block: made on demand up to a limit, gone again when they
// had nothing to do for a while. Used from the loop's thread; work() runs on a helper, done() on
// the loop's thread again. Owned by the FileQueue; never parks.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

#include "base/clock.h"
#include "base/list.h"
#include "loop/loop.h"

namespace stampede::loop {

// Embedded in its owner, which keeps it until done().
struct PoolJob : ListNode {
    struct Ended : Post {
        PoolJob* job;
        Loop* loop;
    };
    void (*work)(PoolJob&) = nullptr;
    void (*done)(PoolJob&) = nullptr;
    Ended ended;
};

class WorkerPool {
public:
    explicit WorkerPool(Loop& loop);
    // Waits for the threads.
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    void submit(PoolJob& job);
    // A job that no thread has begun is not run and not done() any more.
    bool take_back(PoolJob& job);
    // On a helper: it only sleeps from now on, or no more, and one more of them may work meanwhile.
    void begin_pause();
    void end_pause();
    void set_limit(int threads) { max_threads_ = threads > 0 ? threads : 1; }
    void set_idle_time(Nanos time) { idle_time_ = time; }
    int threads();
    size_t queued();

private:
    static void* thread_main(void* self);
    void run();
    PoolJob* next_job(std::unique_lock<std::mutex>& lock);
    void start_one();

    Loop& loop_;
    std::mutex mutex_;
    std::condition_variable more_;
    std::condition_variable gone_;
    List<PoolJob> jobs_;
    size_t queued_ = 0;
    int threads_ = 0;
    int idle_ = 0;
    int max_threads_ = 8;
    Nanos idle_time_ = 5 * kSecond;
    bool closing_ = false;
};

}  // namespace stampede::loop
