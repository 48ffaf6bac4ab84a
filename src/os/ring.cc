#include "os/ring.h"

#include <array>

#include "os/fd.h"

namespace stampede::os {

namespace {

constexpr std::array<int, 6> kNeeded = {IORING_OP_OPENAT, IORING_OP_READ,  IORING_OP_WRITE,
                                        IORING_OP_FSYNC,  IORING_OP_CLOSE, IORING_OP_ASYNC_CANCEL};

bool knows_all(io_uring& ring) {
    io_uring_probe* probe = io_uring_get_probe_ring(&ring);
    bool all = probe != nullptr;
    for (int operation : kNeeded) {
        all = all && io_uring_opcode_supported(probe, operation) != 0;
    }
    if (probe != nullptr) {
        io_uring_free_probe(probe);
    }
    return all;
}

}  // namespace

Result<std::unique_ptr<Ring>> Ring::create(unsigned entries) {
    std::unique_ptr<Ring> self(new Ring());
    int status = io_uring_queue_init(entries, &self->ring_, IORING_SETUP_CLAMP);
    if (status < 0) {
        return Error::system(-status);
    }
    self->open_ = true;
    if (!knows_all(self->ring_)) {
        return Error::system(ENOSYS);
    }
    static_cast<void>(set_cloexec(self->fd()));
    return self;
}

Ring::~Ring() {
    if (open_) {
        io_uring_queue_exit(&ring_);
    }
}

io_uring_sqe* Ring::next() {
    io_uring_sqe* place = io_uring_get_sqe(&ring_);
    if (place == nullptr) {
        submit();
        place = io_uring_get_sqe(&ring_);
    }
    return place;
}

void Ring::submit() { io_uring_submit(&ring_); }

void Ring::abandon() {
    // Its memory was never inherited; only the number is.
    close_fd(ring_.ring_fd);
    open_ = false;
}

}  // namespace stampede::os
