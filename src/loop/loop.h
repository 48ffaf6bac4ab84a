// One iteration: ask deferred watches, poll; the events dispatched in groups, and after each group
// the ready tasks (as many as were queued at entry) and the end-of-group hooks (flush corked
// writers) -> timers, posts from threads and ready tasks likewise -> end-of-iteration hooks (free
// closed objects). Ready tasks, which run user code, are never called from inside a dispatch. One
// Loop per process, owned by the code that runs it, used on its own thread only (post() excepted).
// Never parks.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/clock.h"
#include "base/error.h"
#include "base/list.h"
#include "loop/deferred_watches.h"
#include "loop/poller.h"
#include "loop/timer_wheel.h"

namespace stampede::loop {

// A unit of queued work, embedded in its owner. It runs once per enqueue; the owner may delete
// itself inside run.
struct Task : ListNode {
    using Run = void (*)(Task&);
    Run run = nullptr;
};

// Called at the end of each iteration or group while linked; stays linked until it unlinks itself.
struct IterationHook : ListNode {
    using Run = void (*)(IterationHook&);
    Run run = nullptr;
    // Whether run() has something to do now; always, when there is no such function.
    bool (*needed)(IterationHook&) = nullptr;
};

// How a wait beside the loop ended.
enum class Beside : uint8_t {
    kReady,  // what was waited for
    kBusy,   // the loop has something to do, or had it before: wait as usual
};

// Work handed over by another thread. The poster allocates it; run() owns it.
struct Post {
    using Run = void (*)(Post&);
    Post* next = nullptr;
    Run run = nullptr;
};

class Loop {
public:
    static Result<std::unique_ptr<Loop>> create();
    static Result<std::unique_ptr<Loop>> create(std::unique_ptr<Poller> poller);
    ~Loop();
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    // Descriptors. unwatch() is safe while the watch's own event, or another of the same iteration,
    // is being dispatched.
    Error watch(Watch& watch);
    Error set_interest(Watch& watch, uint32_t interest);
    // For kEdge: reports again what is ready already. kAskFirst is over with it.
    Error rearm(Watch& watch) {
        return deferred_watches_.remove(watch) ? poller_->add(watch) : poller_->modify(watch);
    }
    void unwatch(Watch& watch);
    // The same for a watch with kEdge whose descriptor is being closed, or is known to be gone from
    // the kernel's set: costs no call. (Without kEdge, a child that still holds a copy of the
    // descriptor could keep the loop awake.)
    void forget(Watch& watch);

    // Timers. arm() on an armed timer moves it. Never early; see TimerWheel for how late.
    void arm(Timer& timer, Nanos delay);
    void arm_at(Timer& timer, Nanos due) { wheel_.arm_at(timer, due); }
    void disarm(Timer& timer);

    // Queues a task for the next ready phase (this iteration's, when called before it).
    void enqueue(Task& task) { ready_.push_back(task); }
    // In the ready phase, the next but one task: for fetching its memory in time. Not to be looked
    // into.
    const Task* upcoming() const { return upcoming_; }
    void add_end_of_iteration(IterationHook& hook) { end_of_iteration_.push_back(hook); }
    // The same for the end of each group of events, and of what else the iteration does.
    void add_end_of_group(IterationHook& hook) { end_of_group_.push_back(hook); }
    // Calls these hooks now: for a task that goes on working for long.
    void end_group() { run_hooks(end_of_group_); }
    // For a dispatch that has read much: what it made ready runs while that is in the cache.
    void close_group() { group_is_full_ = true; }
    // From any thread.
    void post(Post& post);

    // Time at the start of the iteration (refreshed after the poll); now() reads the clock.
    Nanos iteration_time() const { return iteration_time_; }

    // How many times it has looked for events. An event that is dispatched was fetched by the last
    // look: what happened to its descriptor since then, it does not know of.
    uint64_t looks() const { return looks_; }

    // One iteration; waits at most max_wait for something to happen.
    void run_once(Nanos max_wait);
    // For a task that is the last of its iteration and would have to wait for one descriptor: when
    // the loop has nothing else to do, blocks for it and for everything the loop waits for, at most
    // for the time given. Saves the way through the poller: a process with one thing to do makes
    // the system calls that a program without a loop makes. events as poll() takes and gives them.
    // Only after a may_wait_beside() that said so.
    bool may_wait_beside();
    Beside wait_beside(int fd, short& events, Nanos max_wait);
    // True when something could still happen: a watch that counts, a timer, queued work, an
    // announced helper-thread job.
    bool has_work() const;
    // Watches and timers that must not keep a loop alive (own wake-up descriptor, housekeeping) are
    // announced here.
    void ignore_for_liveness(int watches, int timers) {
        ignored_watches_ += watches;
        ignored_timers_ += timers;
    }
    // Jobs on helper threads that will post() later: they keep the loop alive.
    void announce_jobs(int delta) { pending_jobs_ += delta; }

    int watch_count() const { return watches_ - ignored_watches_; }
    size_t timer_count() const { return wheel_.size() - static_cast<size_t>(ignored_timers_); }
    TimerWheel& timers() { return wheel_; }

    // Where others can see since when this iteration's work lasts (monotonic nanoseconds), 0 while
    // the loop waits. Any thread may ask for the place.
    void publish_busy_since(std::atomic<uint64_t>* place) {
        std::atomic_ref(busy_since_).store(place, std::memory_order_release);
    }
    const std::atomic<uint64_t>* busy_since() {
        return std::atomic_ref(busy_since_).load(std::memory_order_acquire);
    }

    // After fork, in the child, before the loop is destroyed: the parent's kernel objects are left
    // alone.
    void abandon();
    // After fork, in a child that goes on with this loop as it is: kernel objects of its own, under
    // the same numbers.
    Error part();

private:
    explicit Loop(std::unique_ptr<Poller> poller);
    Error open_wakeup();
    Nanos poll_timeout(Nanos max_wait) const;
    void lose(Watch& watch);
    void dispatch(int count);
    void serve_group(bool last);
    static void run_hooks(List<IterationHook>& hooks);
    static bool needs_hooks(List<IterationHook>& hooks);
    void run_posts();
    void run_ready();
    bool nothing_left_of_iteration();

    static constexpr int kBatch = 512;
    // Reading, working and writing each find their code in the cache when they come several times
    // in a row. With more, the peers are put to sleep meanwhile.
    static constexpr int kGroup = 8;
    // When a group took longer, those that came first in it should not have waited for the others.
    static constexpr Nanos kLongGroup = kMillisecond;

    std::unique_ptr<Poller> poller_;
    DeferredWatches deferred_watches_;
    TimerWheel wheel_;
    List<Task> ready_;
    const Task* upcoming_ = nullptr;
    List<IterationHook> end_of_group_;
    List<IterationHook> end_of_iteration_;
    std::atomic<Post*> posts_{nullptr};
    std::atomic<uint64_t>* busy_since_ = nullptr;
    Watch wakeup_;
    Nanos iteration_time_ = 0;
    uint64_t looks_ = 0;
    int watches_ = 0;
    int ignored_watches_ = 0;
    int ignored_timers_ = 0;
    int pending_jobs_ = 0;
    int batch_size_ = 0;
    int group_ = 1;  // how many events the next group has at most
    bool group_is_full_ = false;
    bool last_of_iteration_ = false;  // nothing of this iteration follows the task that runs
    int busy_in_a_row_ = 0;           // times that wait_beside() was called for nothing
    Ready batch_[kBatch];
};

}  // namespace stampede::loop
