// Calls that can only block, made by a helper thread while the coroutine waits. PHP thread, in a
// coroutine that may park.
#pragma once

#include <cerrno>
#include <utility>

#include "loop/worker_pool.h"
#include "os/fd.h"
#include "runtime/fiber.h"

// Who owns the job, and when:
//
//   PHP thread, run_offloaded()    makes it, submits it, parks
//   helper thread                  work(): the call, and its errno. Touches the job alone
//   PHP thread, in the loop        done(): wakes the coroutine, which frees the job
//   ... the coroutine gave up      not begun yet: taken back and freed; else `fiber` is null, and
//                                  done() frees it whenever the call returns
//
// `fiber` and `ended` are the PHP thread's alone; between the threads the pool's queues order all
// else.
namespace stampede::hooks {

// New memory with all that the call needs, since a coroutine that gives the wait up leaves it
// behind; it goes when the thread is done with it.
struct OffloadJob : loop::PoolJob {
    runtime::Fiber* fiber = nullptr;  // null: given up
    bool ended = false;
    int error = 0;  // errno of the call
    // Names have threads of their own: servers that do not reply must not keep files waiting.
    bool is_name = false;
    virtual ~OffloadJob() = default;
    virtual void call() = 0;
};

// False, with errno, when the wait was given up: the job must not be touched any more.
bool run_offloaded(OffloadJob* job);

// In a forked child: the threads stayed with the parent.
void forget_name_threads();

template <typename Work>
struct OffloadedCall final : OffloadJob {
    explicit OffloadedCall(Work given) : work_of_call(std::move(given)) {}
    void call() override { result = static_cast<long>(work_of_call()); }

    Work work_of_call;  // owns what it uses
    long result = 0;
};

// What work() returns and leaves in errno. It runs on the thread and owns copies of everything: a
// coroutine that gives up goes on, and its strings and structures with it, while the call still
// runs.
template <typename Work>
long offload(Work work) {
    auto* job = new OffloadedCall<Work>(std::move(work));
    if (!run_offloaded(job)) {
        return -1;
    }
    long result = job->result;
    int error = job->error;
    delete job;
    errno = error;
    return result;
}

// The same for a call on a descriptor: work() gets a second number of it, so that a caller that has
// given up may close the first.
template <typename Work>
long offload_on(int fd, Work work) {
    Result<int> second = os::duplicate(fd);
    if (!second) {
        return -1;
    }
    return offload(
        [held = os::Fd(*second), work = std::move(work)]() mutable { return work(held.get()); });
}

}  // namespace stampede::hooks
