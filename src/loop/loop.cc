#include "loop/loop.h"

#include <algorithm>

#include "loop/epoll_poller.h"
#include "os/epoll.h"
#include "os/fd.h"

namespace stampede::loop {

Result<std::unique_ptr<Loop>> Loop::create() {
    auto poller = EpollPoller::create();
    if (!poller) {
        return poller.error();
    }
    return create(std::move(*poller));
}

Result<std::unique_ptr<Loop>> Loop::create(std::unique_ptr<Poller> poller) {
    std::unique_ptr<Loop> loop(new Loop(std::move(poller)));
    if (Error error = loop->open_wakeup()) {
        return error;
    }
    return loop;
}

Loop::Loop(std::unique_ptr<Poller> poller)
    : poller_(std::move(poller)), wheel_(monotonic_now()), iteration_time_(monotonic_now()) {}

Loop::~Loop() { os::close_fd(wakeup_.fd); }

Error Loop::open_wakeup() {
    Result<int> fd = os::open_eventfd();
    if (!fd) {
        return fd.error();
    }
    wakeup_.fd = *fd;
    wakeup_.interest = kReadable;
    wakeup_.on_ready = [](Watch& watch, uint32_t) { os::drain_eventfd(watch.fd); };
    ignored_watches_ = 1;
    return watch(wakeup_);
}

Error Loop::watch(Watch& watch) {
    bool is_deferred = (watch.interest & kAskFirst) != 0 && deferred_watches_.add(watch);
    Error error = is_deferred ? Error() : poller_->add(watch);
    watches_ += error ? 0 : 1;
    return error;
}

Error Loop::set_interest(Watch& watch, uint32_t interest) {
    if (watch.interest == interest) {
        return Error();
    }
    watch.interest = interest;
    return rearm(watch);
}

void Loop::unwatch(Watch& watch) {
    if (!deferred_watches_.remove(watch)) {
        poller_->remove(watch);
    }
    lose(watch);
}

void Loop::forget(Watch& watch) {
    if (!deferred_watches_.remove(watch)) {
        poller_->forget(watch);
    }
    lose(watch);
}

void Loop::lose(Watch& watch) {
    watches_--;
    // The owner may free the watch now: its events later in this batch must not find it.
    for (int i = 0; i < batch_size_; i++) {
        if (batch_[i].watch == &watch) {
            batch_[i].watch = nullptr;
        }
    }
}

void Loop::arm(Timer& timer, Nanos delay) {
    wheel_.arm(timer, monotonic_now(), delay < 0 ? 0 : delay);
}

void Loop::disarm(Timer& timer) { wheel_.disarm(timer); }

void Loop::post(Post& post) {
    Post* head = posts_.load(std::memory_order_relaxed);
    do {
        post.next = head;
    } while (!posts_.compare_exchange_weak(head, &post, std::memory_order_release));
    os::signal_eventfd(wakeup_.fd);
}

Nanos Loop::poll_timeout(Nanos max_wait) const {
    if (!ready_.empty() || posts_.load(std::memory_order_relaxed) != nullptr) {
        return 0;
    }
    if (wheel_.size() == 0) {
        return max_wait;
    }
    Nanos wait = wheel_.next_wait(monotonic_now());
    return wait < max_wait ? wait : max_wait;
}

void Loop::run_once(Nanos max_wait) {
    static_assert(kBatch > DeferredWatches::kMost);
    int asked = deferred_watches_.empty() ? 0 : deferred_watches_.ask(batch_, *poller_);
    Nanos timeout = asked > 0 ? 0 : poll_timeout(max_wait);
    batch_size_ = asked + poller_->wait(batch_ + asked, kBatch - asked, timeout);
    looks_++;
    iteration_time_ = monotonic_now();
    if (busy_since_ != nullptr) {
        busy_since_->store(static_cast<uint64_t>(iteration_time_), std::memory_order_relaxed);
    }
    dispatch(batch_size_);
    batch_size_ = 0;
    wheel_.advance(
        iteration_time_, [](void* self) { static_cast<Loop*>(self)->run_ready(); }, this);
    run_posts();
    last_of_iteration_ = true;
    run_ready();
    end_group();
    run_hooks(end_of_iteration_);
    if (busy_since_ != nullptr) {
        busy_since_->store(0, std::memory_order_relaxed);
    }
}

void Loop::dispatch(int count) {
    Nanos began = iteration_time_;
    for (int done = 0; done < count;) {
        int end = std::min(done + group_, count);
        bool full = end - done == kGroup;
        group_is_full_ = false;
        for (; done < end && !group_is_full_; done++) {
            Watch* watch = batch_[done].watch;
            if (watch != nullptr) {
                watches_ -= (batch_[done].events & kAskFirst) != 0 ? 1 : 0;  // it has left
                watch->on_ready(*watch, batch_[done].events);
            }
        }
        serve_group(done == count);
        if (group_ < kGroup || full) {
            Nanos now = monotonic_now();
            group_ = now - began > kLongGroup ? 1 : std::min(group_ * 2, kGroup);
            began = now;
        }
    }
}

// What the events made ready runs while its data is in the cache, and the responses leave before
// the next event is read: peers on another core are kept busy instead of being put to sleep and
// woken.
void Loop::serve_group(bool last) {
    if (!ready_.empty()) {
        last_of_iteration_ = last;
        run_ready();
        end_group();
    }
}

void Loop::run_hooks(List<IterationHook>& hooks) {
    for (IterationHook* hook = hooks.front(); hook != nullptr;) {
        IterationHook* next = hooks.after(*hook);
        hook->run(*hook);
        hook = next;
    }
}

void Loop::run_posts() {
    Post* stack = posts_.exchange(nullptr, std::memory_order_acquire);
    Post* queue = nullptr;
    while (stack != nullptr) {  // the stack is newest first; run oldest first
        Post* next = stack->next;
        stack->next = queue;
        queue = stack;
        stack = next;
    }
    while (queue != nullptr) {
        Post* next = queue->next;
        queue->run(*queue);
        queue = next;
    }
}

void Loop::run_ready() {
    List<Task> batch;
    batch.splice_back(ready_);
    bool last = last_of_iteration_;
    while (Task* task = batch.pop_front()) {
        Task* next = batch.front();
        last_of_iteration_ = last && next == nullptr;
        upcoming_ = next != nullptr ? batch.after(*next) : nullptr;
        __builtin_prefetch(upcoming_);
        task->run(*task);
    }
    upcoming_ = nullptr;
    last_of_iteration_ = false;
}

bool Loop::nothing_left_of_iteration() {
    if (!last_of_iteration_ || !ready_.empty() ||
        posts_.load(std::memory_order_relaxed) != nullptr) {
        return false;
    }
    return !needs_hooks(end_of_group_) && !needs_hooks(end_of_iteration_);
}

bool Loop::needs_hooks(List<IterationHook>& hooks) {
    for (IterationHook* hook = hooks.front(); hook != nullptr; hook = hooks.after(*hook)) {
        if (hook->needed == nullptr || hook->needed(*hook)) {
            return true;
        }
    }
    return false;
}

// A loop with much to do is not asked each time whether it has.
constexpr int kPause = 64;

bool Loop::may_wait_beside() {
    constexpr int kPatience = 2;
    if (busy_in_a_row_ >= kPatience && ++busy_in_a_row_ < kPause) {
        return false;
    }
    return poller_->descriptor() >= 0 && deferred_watches_.empty() && nothing_left_of_iteration();
}

Beside Loop::wait_beside(int fd, short& events, Nanos max_wait) {
    if (busy_since_ != nullptr) {
        busy_since_->store(0, std::memory_order_relaxed);
    }
    bool ready = os::poll_beside(fd, events, poller_->descriptor(), poll_timeout(max_wait));
    iteration_time_ =
        monotonic_now();  // the iteration goes on after a wait that may have been long
    if (busy_since_ != nullptr) {
        busy_since_->store(static_cast<uint64_t>(iteration_time_), std::memory_order_relaxed);
    }
    busy_in_a_row_ = ready ? 0 : busy_in_a_row_ % kPause + 1;
    return ready ? Beside::kReady : Beside::kBusy;
}

bool Loop::has_work() const {
    return watch_count() > 0 || wheel_.size() > static_cast<size_t>(ignored_timers_) ||
           !ready_.empty() || pending_jobs_ > 0 ||
           posts_.load(std::memory_order_relaxed) != nullptr;
}

void Loop::abandon() {
    poller_->abandon();
    deferred_watches_.clear();
    os::close_fd(wakeup_.fd);
    wakeup_.fd = -1;
}

Error Loop::part() {
    Result<int> wakeup = os::open_eventfd();
    if (!wakeup) {
        return wakeup.error();
    }
    if (Error error = os::move_fd(*wakeup, wakeup_.fd)) {
        return error;
    }
    return poller_->part();
}

}  // namespace stampede::loop
