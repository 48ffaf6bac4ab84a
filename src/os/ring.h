// io_uring: a ring of file operations with one descriptor that is readable when some have ended.
// Owned by a FileQueue, its loop's thread only, never parks. Where the kernel or the container has
// none, create() says so.
#pragma once

#include <liburing.h>

#include <memory>

#include "base/error.h"

namespace stampede::os {

class Ring {
public:
    static Result<std::unique_ptr<Ring>> create(unsigned entries);
    ~Ring();
    Ring(const Ring&) = delete;
    Ring& operator=(const Ring&) = delete;

    int fd() const { return ring_.ring_fd; }
    // The place of the next operation, to be filled by io_uring_prep_*. Null when even submitting
    // makes no room.
    io_uring_sqe* next();
    void submit();
    // Calls visit(user_data, result) for everything that has ended.
    template <typename Visit>
    void reap(Visit visit) {
        io_uring_cqe* ended;
        while (io_uring_peek_cqe(&ring_, &ended) == 0) {
            void* owner = io_uring_cqe_get_data(ended);
            int result = ended->res;
            io_uring_cqe_seen(&ring_, ended);
            visit(owner, result);
        }
    }
    // In a forked child: the parent's ring is left alone.
    void abandon();

private:
    Ring() = default;

    io_uring ring_{};
    bool open_ = false;
};

}  // namespace stampede::os
