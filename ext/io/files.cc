#include "io/files.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "ext/metrics/waits.h"
#include "ini.h"
#include "os/fd.h"
#include "subsystems.h"

namespace stampede::io {

using loop::FileOperation;
using os::FileKind;
using runtime::Fiber;
using runtime::Runtime;
using runtime::WakeReason;

namespace {

constexpr size_t kMaxPiece = 1024 * 1024;        // copied for the kernel at a time
constexpr Nanos kPollPause = 10 * kMillisecond;  // where the kernel gives no event
constexpr int kUsualThreads = 8;

// Never destroyed: a helper thread may be busy when the process ends.
loop::FileQueue* queue = nullptr;
int most_threads = kUsualThreads;
Nanos thread_idle_time = 5 * kSecond;

// An operation with everything it needs, so that it can outlive the coroutine that began it.
struct Call : FileOperation {
    Fiber* fiber = nullptr;
    bool ended = false;
    bool abandoned = false;
    int to_close = -1;  // when it was abandoned
    char memory[1];     // path or bytes
};

Call* make_call(FileOperation::Kind kind, size_t size) {
    void* place = std::malloc(sizeof(Call) + size);
    if (place == nullptr) {
        return nullptr;
    }
    auto* call = new (place) Call();
    call->kind = kind;
    call->data = call->memory;
    call->size = size;
    return call;
}

void on_done(loop::PoolJob& job) {
    auto& call = static_cast<Call&>(job);
    call.ended = true;
    if (!call.abandoned) {
        Runtime::peek()->wake(*call.fiber, WakeReason::kReady);
        return;
    }
    if (call.kind == FileOperation::Kind::kOpen && call.result >= 0) {
        os::close_fd(static_cast<int>(call.result));
    }
    os::close_fd(call.to_close);
    std::free(&call);
}

// The result; the call is freed unless keep says where to put it. Abandoned calls take the
// descriptor they work on with them.
long run(Call* call, Descriptor* works_on, Call** keep = nullptr) {
    if (call == nullptr) {
        return -ENOMEM;
    }
    call->done = on_done;
    call->fiber = Runtime::get().current();
    file_queue().submit(*call);
    uint32_t generation = Runtime::loop_generation();
    metrics::expect_wait(metrics::WaitKind::kFile);
    Runtime::get().park(kNever);
    if (!call->ended) {
        if (generation == Runtime::loop_generation()) {
            call->abandoned = true;
            call->to_close = works_on != nullptr ? works_on->forget() : -1;
            file_queue().cancel(*call);
        }
        return -ECANCELED;
    }
    long result = static_cast<long>(call->result);
    if (keep != nullptr) {
        *keep = call;
    } else {
        std::free(call);
    }
    return result;
}

// A call on a second number of the descriptor, which goes with it when it is left behind.
long run_on(int fd, Call* call, Call** keep) {
    Result<int> second = os::duplicate(fd);
    if (call == nullptr || !second) {
        std::free(call);
        return call == nullptr ? -ENOMEM : -EBADF;
    }
    Descriptor own(*second);
    call->fd = own.fd();
    long result = run(call, &own, keep);
    if (own.fd() >= 0) {
        os::close_fd(own.forget());
    }
    return result;
}

int open_beside(const char* path, int flags, mode_t mode) {
    size_t length = strlen(path) + 1;
    Call* call = make_call(FileOperation::Kind::kOpen, length);
    if (call != nullptr) {
        memcpy(call->memory, path, length);
        call->path = call->memory;
        call->flags = flags;
        call->mode = mode;
    }
    return static_cast<int>(run(call, nullptr));
}

bool must_go_beside(long result) {
    return result == -EAGAIN || result == -EOPNOTSUPP || result == -ENOSYS || result == -EINVAL;
}

// False when the wait was cancelled.
bool pause() {
    WakeReason reason = Runtime::get().park_for(kPollPause);
    return reason == WakeReason::kReady || reason == WakeReason::kTimeout;
}

void drop_in_child() {
    if (queue != nullptr) {
        queue->abandon();
        delete queue;
        queue = nullptr;
    }
}

}  // namespace

loop::FileQueue& file_queue() {
    if (queue == nullptr) {
        auto backend =
            ext::settings().io_uring ? loop::FileBackend::kRing : loop::FileBackend::kThreads;
        queue = new loop::FileQueue(Runtime::get().loop(), backend);
        set_file_threads(0, 0);
    }
    return *queue;
}

FileCounts file_counts() {
    FileCounts counts;
    if (queue != nullptr) {
        counts.in_flight = queue->in_flight();
        counts.threads = queue->pool().threads();
        counts.queued = queue->pool().queued();
    }
    return counts;
}

void set_file_threads(int most, Nanos idle_time) {
    most_threads = most > 0 ? most : most_threads;
    thread_idle_time = idle_time > 0 ? idle_time : thread_idle_time;
    if (queue != nullptr) {
        queue->pool().set_limit(most_threads);
        queue->pool().set_idle_time(thread_idle_time);
    }
}

long read_beside(int fd, char* out, size_t size, int64_t offset) {
    Call* call = make_call(FileOperation::Kind::kRead, std::min(size, kMaxPiece));
    if (call != nullptr) {
        call->offset = offset;
    }
    Call* ended = nullptr;
    long count = run_on(fd, call, &ended);
    if (ended != nullptr) {
        if (count > 0) {
            memcpy(out, ended->memory, static_cast<size_t>(count));
        }
        std::free(ended);
    }
    return count;
}

long write_beside(int fd, const char* data, size_t size, int64_t offset) {
    Call* call = make_call(FileOperation::Kind::kWrite, std::min(size, kMaxPiece));
    if (call != nullptr) {
        call->offset = offset;
        memcpy(call->memory, data, call->size);
    }
    return run_on(fd, call, nullptr);
}

int File::open(const char* path, int flags, mode_t mode) {
    close();
    int fd = (flags & (O_CREAT | O_TRUNC)) == 0 ? os::open_cached(path, flags) : -EAGAIN;
    if (fd == -EAGAIN) {
        fd = open_beside(path, flags, mode);
    }
    if (fd == -ENXIO && (flags & O_ACCMODE) == O_WRONLY) {
        fd = open_pipe_for_writing(path, flags);
    }
    if (fd < 0) {
        return fd;
    }
    facts_ = os::facts_of(fd);
    descriptor_.adopt(fd);
    waited_ = false;
    return 0;
}

// Nobody has it open for reading: no event tells when somebody has.
int File::open_pipe_for_writing(const char* path, int flags) {
    int fd = -ENXIO;
    while (fd == -ENXIO) {
        if (!pause()) {
            return -ECANCELED;
        }
        fd = os::open_file(path, flags & ~(O_CREAT | O_TRUNC), 0);
    }
    return fd;
}

int File::lock(os::LockKind kind) {
    int status;
    while ((status = os::try_lock(descriptor_.fd(), kind)) == -EWOULDBLOCK) {
        if (!pause()) {
            return -ECANCELED;
        }
    }
    return status;
}

int File::wait(Direction direction) {
    descriptor_.blocked(direction);
    WakeReason reason = descriptor_.wait(direction, kNever);
    if (reason == WakeReason::kReady) {
        return 0;
    }
    return reason == WakeReason::kClosed ? -EBADF : -ECANCELED;
}

long File::read_waiting(char* out, size_t size) {
    if (facts_.kind == FileKind::kPipe && !waited_) {
        waited_ = true;  // without a writer a read gives the end, with the first one it does not
        if (int error = wait(Direction::kRead)) {
            return error;
        }
    }
    for (;;) {
        long count = os::read_at(descriptor_.fd(), out, size, -1);
        if (count != -EAGAIN) {
            return count;
        }
        if (int error = wait(Direction::kRead)) {
            return error;
        }
    }
}

long File::read(char* out, size_t size, int64_t offset) {
    if (!plain()) {
        return read_waiting(out, size);
    }
    long count = os::read_cached(descriptor_.fd(), out, size, offset);
    if (EXPECTED(!must_go_beside(count))) {
        return count;
    }
    Call* call = make_call(FileOperation::Kind::kRead, std::min(size, kMaxPiece));
    if (call != nullptr) {
        call->fd = descriptor_.fd();
        call->offset = offset;
    }
    Call* ended = nullptr;
    count = run(call, &descriptor_, &ended);
    if (ended != nullptr) {
        if (count > 0) {
            memcpy(out, ended->memory, static_cast<size_t>(count));
        }
        std::free(ended);
    }
    return count;
}

long File::write_waiting(const char* data, size_t size) {
    for (;;) {
        long count = os::write_at(descriptor_.fd(), data, size, -1);
        if (count != -EAGAIN) {
            return count;
        }
        if (int error = wait(Direction::kWrite)) {
            return error;
        }
    }
}

long File::write(const char* data, size_t size, int64_t offset) {
    if (!plain()) {
        return write_waiting(data, size);
    }
    long count = os::write_cached(descriptor_.fd(), data, size, offset);
    if (!must_go_beside(count)) {
        return count;
    }
    Call* call = make_call(FileOperation::Kind::kWrite, std::min(size, kMaxPiece));
    if (call != nullptr) {
        call->fd = descriptor_.fd();
        call->offset = offset;
        memcpy(call->memory, data, call->size);
    }
    return run(call, &descriptor_);
}

int File::truncate() { return plain() ? os::truncate_file(descriptor_.fd()) : 0; }

int File::sync() {
    Call* call = make_call(FileOperation::Kind::kSync, 0);
    if (call != nullptr) {
        call->fd = descriptor_.fd();
    }
    return static_cast<int>(run(call, &descriptor_));
}

void File::close() {
    if (descriptor_.fd() >= 0) {
        os::close_fd(descriptor_.forget());
    }
}

bool run_on_thread(ThreadJob& job) {
    job.done = [](loop::PoolJob& base) {
        auto& self = static_cast<ThreadJob&>(base);
        self.ended = true;
        if (self.abandoned) {
            self.destroy(self);
        } else {
            Runtime::peek()->wake(*self.fiber, WakeReason::kReady);
        }
    };
    job.fiber = Runtime::get().current();
    loop::WorkerPool& pool = file_queue().pool();
    pool.submit(job);
    uint32_t generation = Runtime::loop_generation();
    metrics::expect_wait(metrics::WaitKind::kFile);
    Runtime::get().park(kNever);
    if (job.ended) {
        return true;
    }
    if (generation == Runtime::loop_generation()) {
        if (pool.take_back(job)) {
            job.destroy(job);
        } else {
            job.abandoned = true;
        }
    }
    return false;
}

}  // namespace stampede::io

namespace stampede::ext {

zend_result files_minit(int, int) {
    runtime::Runtime::on_fork(io::drop_in_child);
    return SUCCESS;
}

}  // namespace stampede::ext
