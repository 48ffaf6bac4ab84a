#include "loop/worker_pool.h"

#include <chrono>

#include "os/thread.h"

namespace stampede::loop {

WorkerPool::WorkerPool(Loop& loop) : loop_(loop) {}

WorkerPool::~WorkerPool() {
    std::unique_lock lock(mutex_);
    closing_ = true;
    more_.notify_all();
    gone_.wait(lock, [this] { return threads_ == 0; });
}

void WorkerPool::submit(PoolJob& job) {
    job.ended.job = &job;
    job.ended.loop = &loop_;
    job.ended.run = [](Post& post) {
        auto& ended = static_cast<PoolJob::Ended&>(post);
        ended.loop->announce_jobs(-1);
        ended.job->done(*ended.job);
    };
    loop_.announce_jobs(1);
    std::unique_lock lock(mutex_);
    jobs_.push_back(job);
    queued_++;
    if (queued_ > static_cast<size_t>(idle_) && threads_ < max_threads_) {
        start_one();
    }
    if (threads_ > 0) {
        more_.notify_one();
        return;
    }
    // No thread can be had: the call blocks, as it would without us.
    queued_--;
    job.unlink();
    lock.unlock();
    job.work(job);
    loop_.post(job.ended);
}

bool WorkerPool::take_back(PoolJob& job) {
    std::unique_lock lock(mutex_);
    if (!job.linked()) {
        return false;
    }
    job.unlink();
    queued_--;
    loop_.announce_jobs(-1);
    return true;
}

void WorkerPool::begin_pause() {
    std::unique_lock lock(mutex_);
    max_threads_++;
    if (queued_ > static_cast<size_t>(idle_)) {
        start_one();
    }
}

void WorkerPool::end_pause() {
    std::unique_lock lock(mutex_);
    max_threads_--;
}

int WorkerPool::threads() {
    std::unique_lock lock(mutex_);
    return threads_;
}

size_t WorkerPool::queued() {
    std::unique_lock lock(mutex_);
    return queued_;
}

void WorkerPool::start_one() {
    threads_++;
    if (os::start_thread(thread_main, this)) {
        threads_--;
    }
}

void* WorkerPool::thread_main(void* self) {
    static_cast<WorkerPool*>(self)->run();
    return nullptr;
}

// Null when there was nothing to do for so long.
PoolJob* WorkerPool::next_job(std::unique_lock<std::mutex>& lock) {
    auto until = std::chrono::steady_clock::now() + std::chrono::nanoseconds(idle_time_);
    idle_++;
    bool found = more_.wait_until(lock, until, [this] { return closing_ || !jobs_.empty(); });
    idle_--;
    PoolJob* job = found ? jobs_.pop_front() : nullptr;
    queued_ -= job != nullptr ? 1 : 0;
    return job;
}

void WorkerPool::run() {
    std::unique_lock lock(mutex_);
    while (PoolJob* job = next_job(lock)) {
        lock.unlock();
        job->work(*job);
        loop_.post(job->ended);
        lock.lock();
    }
    threads_--;
    // Under the lock: the pool may go as soon as nobody holds it.
    gone_.notify_all();
}

}  // namespace stampede::loop
