#include "loop/file_queue.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "os/file_io.h"

namespace stampede::loop {

namespace {

constexpr unsigned kRingEntries = 256;
constexpr unsigned kStatMask = STATX_BASIC_STATS | STATX_BTIME;

}  // namespace

FileQueue::FileQueue(Loop& loop, FileBackend wanted)
    : loop_(loop), pool_(std::make_unique<WorkerPool>(loop)) {
    submit_.owner = this;
    submit_.run = [](Task& task) { static_cast<SubmitTask&>(task).owner->ring_->submit(); };
    if (wanted == FileBackend::kRing) {
        open_ring();
    }
}

void FileQueue::open_ring() {
    auto ring = os::Ring::create(kRingEntries);
    if (!ring) {
        return;
    }
    watch_.owner = this;
    watch_.fd = (*ring)->fd();
    watch_.interest = kReadable;
    watch_.on_ready = [](Watch& watch, uint32_t) {
        static_cast<RingWatch&>(watch).owner->on_ended();
    };
    if (!loop_.watch(watch_)) {
        loop_.ignore_for_liveness(1, 0);
        ring_ = std::move(*ring);
    }
}

FileQueue::~FileQueue() {
    submit_.unlink();
    if (ring_ != nullptr) {
        loop_.unwatch(watch_);
        loop_.ignore_for_liveness(-1, 0);
    }
}

void FileQueue::abandon() {
    submit_.unlink();
    if (ring_ != nullptr) {
        loop_.ignore_for_liveness(-1, 0);
        ring_->abandon();
        ring_.reset();
    }
    // Its threads stayed with the parent, and its lock may be held for ever.
    static_cast<void>(pool_.release());
}

void FileQueue::submit(FileOperation& operation) {
    if (ring_ != nullptr) {
        to_ring(operation);
        return;
    }
    operation.work = perform;
    pool_->submit(operation);
}

void FileQueue::to_ring(FileOperation& operation) {
    in_flight_++;
    loop_.announce_jobs(1);
    io_uring_sqe* place = ring_->next();
    if (place == nullptr) {  // the kernel takes no more just now: the helpers do
        in_flight_--;
        loop_.announce_jobs(-1);
        operation.work = perform;
        pool_->submit(operation);
        return;
    }
    fill(place, operation);
    io_uring_sqe_set_data(place, &operation);
    if (!submit_.linked()) {
        loop_.enqueue(submit_);
    }
}

void FileQueue::fill(io_uring_sqe* place, FileOperation& operation) {
    auto size = static_cast<unsigned>(operation.size);
    auto offset = static_cast<uint64_t>(operation.offset);
    switch (operation.kind) {
        case FileOperation::Kind::kOpen:
            io_uring_prep_openat(place, AT_FDCWD, operation.path,
                                 operation.flags | O_CLOEXEC | O_NONBLOCK, operation.mode);
            break;
        case FileOperation::Kind::kRead:
            io_uring_prep_read(place, operation.fd, operation.data, size, offset);
            break;
        case FileOperation::Kind::kWrite:
            io_uring_prep_write(place, operation.fd, operation.data, size, offset);
            break;
        case FileOperation::Kind::kSync:
            io_uring_prep_fsync(place, operation.fd, 0);
            break;
        case FileOperation::Kind::kClose:
            io_uring_prep_close(place, operation.fd);
            break;
        case FileOperation::Kind::kStat:
            io_uring_prep_statx(place, AT_FDCWD, operation.path, operation.flags, kStatMask,
                                reinterpret_cast<struct statx*>(operation.data));
            break;
    }
}

void FileQueue::perform(PoolJob& job) {
    auto& operation = static_cast<FileOperation&>(job);
    switch (operation.kind) {
        case FileOperation::Kind::kOpen:
            operation.result = os::open_file(operation.path, operation.flags, operation.mode);
            break;
        case FileOperation::Kind::kRead:
            operation.result =
                os::read_at(operation.fd, operation.data, operation.size, operation.offset);
            break;
        case FileOperation::Kind::kWrite:
            operation.result =
                os::write_at(operation.fd, operation.data, operation.size, operation.offset);
            break;
        case FileOperation::Kind::kSync:
            operation.result = os::sync_file(operation.fd);
            break;
        case FileOperation::Kind::kClose:
            operation.result = os::close_file(operation.fd);
            break;
        case FileOperation::Kind::kStat: {
            auto* facts = reinterpret_cast<struct statx*>(operation.data);
            operation.result = os::stat_path(operation.path, operation.flags, facts);
            break;
        }
    }
}

void FileQueue::cancel(FileOperation& operation) {
    if (ring_ == nullptr || operation.work != nullptr) {
        return;  // a thread cannot be called back
    }
    if (io_uring_sqe* place = ring_->next()) {
        io_uring_prep_cancel(place, &operation, 0);
        io_uring_sqe_set_data(place, nullptr);
        if (!submit_.linked()) {
            loop_.enqueue(submit_);
        }
    }
}

void FileQueue::on_ended() {
    ring_->reap([this](void* owner, int result) {
        if (owner != nullptr) {
            auto& operation = *static_cast<FileOperation*>(owner);
            operation.result = result;
            finish(operation);
        }
    });
}

void FileQueue::finish(FileOperation& operation) {
    in_flight_--;
    loop_.announce_jobs(-1);
    operation.done(operation);
}

}  // namespace stampede::loop
