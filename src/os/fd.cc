#include "os/fd.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace stampede::os {

void close_fd(int fd) {
    if (fd >= 0) {
        ::close(fd);
    }
}

// By its number: C libraries have a function for it since glibc 2.34.
bool close_between(unsigned first, unsigned last) {
#ifdef __NR_close_range
    return first > last || syscall(__NR_close_range, first, last, 0U) == 0;
#else
    return first > last;
#endif
}

Error set_nonblocking(int fd) {
    int flags = ::fcntl(fd, F_GETFL);
    if (flags < 0 || ::fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0) {
        return Error::last_errno();
    }
    return Error();
}

Error set_cloexec(int fd) {
    return ::fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 ? Error::last_errno() : Error();
}

void block_until_readable(int fd, int other) {
    pollfd wanted[] = {{fd, POLLIN, 0}, {other, POLLIN, 0}};
    (void)::poll(wanted, 2, -1);
}

void block_until_writable(int fd) {
    pollfd wanted{fd, POLLOUT, 0};
    (void)::poll(&wanted, 1, -1);
}

Result<int> duplicate(int fd) {
    int second = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (second < 0) {
        return Error::last_errno();
    }
    return second;
}

Error move_fd(int fd, int number) {
    if (fd == number) {
        return Error();
    }
    int moved = ::dup3(fd, number, O_CLOEXEC);
    Error error = moved < 0 ? Error::last_errno() : Error();
    close_fd(fd);
    return error;
}

Result<int> open_eventfd() {
    int fd = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (fd < 0) {
        return Error::last_errno();
    }
    return fd;
}

void drain_eventfd(int fd) {
    uint64_t count;
    (void)!::read(fd, &count, sizeof(count));
}

void signal_eventfd(int fd) {
    uint64_t one = 1;
    (void)!::write(fd, &one, sizeof(one));
}

Error open_pipe(int (&ends)[2]) {
    return ::pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0 ? Error::last_errno() : Error();
}

long read_some(int fd, char* out, size_t capacity) {
    long count;
    do {
        count = ::read(fd, out, capacity);
    } while (count < 0 && errno == EINTR);
    return count;
}

long write_some(int fd, const char* data, size_t size) {
    long count;
    do {
        count = ::write(fd, data, size);
    } while (count < 0 && errno == EINTR);
    return count;
}

}  // namespace stampede::os
