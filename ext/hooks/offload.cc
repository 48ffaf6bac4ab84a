#include "hooks/offload.h"

#include "ext/metrics/waits.h"
#include "hooks/hooks.h"
#include "io/files.h"
#include "runtime/runtime.h"

namespace stampede::hooks {

using runtime::Runtime;
using runtime::WakeReason;

namespace {

constexpr int kNameThreads = 50;

// Never destroyed: a helper thread may be busy when the process ends.
loop::WorkerPool* name_pool = nullptr;

// Two pools, so that look-ups which wait for dead name servers hold up no file.
loop::WorkerPool& pool_for(const OffloadJob& job) {
    if (!job.is_name) {
        return io::file_queue().pool();
    }
    if (name_pool == nullptr) {
        name_pool = new loop::WorkerPool(Runtime::get().loop());
        name_pool->set_limit(kNameThreads);
    }
    return *name_pool;
}

}  // namespace

void forget_name_threads() { name_pool = nullptr; }

bool run_offloaded(OffloadJob* job) {
    Runtime& runtime = Runtime::get();
    job->fiber = runtime.current();
    job->work = [](loop::PoolJob& base) {
        auto& self = static_cast<OffloadJob&>(base);
        errno = 0;
        self.call();
        self.error = errno;
    };
    job->done = [](loop::PoolJob& base) {
        auto& self = static_cast<OffloadJob&>(base);
        self.ended = true;
        if (self.fiber == nullptr) {
            delete &self;
        } else {
            Runtime::peek()->wake(*self.fiber, WakeReason::kReady);
        }
    };
    loop::WorkerPool& pool = pool_for(*job);
    pool.submit(*job);
    // In the child of a fork that other code has made meanwhile this coroutine may still be
    // unwound: there the job, the pool and its threads are the parent's, and are not touched.
    uint32_t generation = Runtime::loop_generation();
    metrics::expect_wait(job->is_name ? metrics::WaitKind::kDns : metrics::WaitKind::kFile);
    runtime.park(kNever);
    if (job->ended) {
        return true;
    }
    if (generation == Runtime::loop_generation()) {
        if (pool.take_back(*job)) {
            delete job;
        } else {
            job->fiber = nullptr;
        }
    }
    errno = kGivenUp;
    return false;
}

}  // namespace stampede::hooks
