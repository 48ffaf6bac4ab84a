// Descriptors: an owner that closes, and the few calls every descriptor has. Any thread, never
// parks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/error.h"

namespace stampede::os {

void close_fd(int fd);  // ignores -1
// All descriptors from first to last, both included. False on kernels before 5.9.
bool close_between(unsigned first, unsigned last);
Error set_nonblocking(int fd);
Error set_cloexec(int fd);
// A second number for the same open file, close-on-exec.
Result<int> duplicate(int fd);
// `number` stands for the same open file as `fd` then, which is closed.
Error move_fd(int fd, int number);
Result<int> open_eventfd();
void drain_eventfd(int fd);
void signal_eventfd(int fd);
// A pipe, close-on-exec, both ends non-blocking.
Error open_pipe(int (&ends)[2]);
// read() and write() repeated over EINTR; -1 with errno otherwise.
long read_some(int fd, char* out, size_t capacity);
long write_some(int fd, const char* data, size_t size);

// Blocks the thread until one of them is readable (-1: none), or a signal has come.
void block_until_readable(int fd, int other = -1);
void block_until_writable(int fd);

class Fd {
public:
    Fd() = default;
    explicit Fd(int fd) : fd_(fd) {}
    ~Fd() { close_fd(fd_); }
    Fd(Fd&& other) noexcept : fd_(other.release()) {}
    Fd& operator=(Fd&& other) noexcept {
        if (this != &other) {
            close_fd(fd_);
            fd_ = other.release();
        }
        return *this;
    }
    int get() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }
    int release() {
        int fd = fd_;
        fd_ = -1;
        return fd;
    }
    void reset() { *this = Fd(); }

private:
    int fd_ = -1;
};

}  // namespace stampede::os
