// Calls that move bytes through blocking descriptors, connect() and accept(). Each is tried without
// waiting first; one that would have to wait does so in its coroutine, unless the descriptor is
// non-blocking by the application's own wish.
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <climits>

#include "hooks/connection_use.h"
#include "hooks/descriptors.h"
#include "hooks/fairness.h"
#include "hooks/files.h"
#include "hooks/hooks.h"
#include "hooks/kinds.h"
#include "hooks/readiness.h"
#include "hooks/transports.h"
#include "io/descriptor.h"

namespace stampede::hooks {

namespace {

// Asked of the kernel each time: libraries change the mode by ways that no hook sees (ioctl,
// accept4).
bool is_blocking(int fd) {
    int mode = ::fcntl(fd, F_GETFL);
    return mode >= 0 && (mode & O_NONBLOCK) == 0;
}

// SO_RCVTIMEO or SO_SNDTIMEO as an absolute time.
Nanos deadline_of(int fd, int option) {
    timeval time{};
    socklen_t size = sizeof(time);
    if (::getsockopt(fd, SOL_SOCKET, option, &time, &size) != 0 ||
        (time.tv_sec == 0 && time.tv_usec == 0)) {
        return kNever;
    }
    return io::deadline_in(span_of(time.tv_sec, time.tv_usec * kMicrosecond));
}

// False with errno when the call is over.
bool wait_for(int fd, short events, Nanos deadline) {
    if (deadline != kNever && monotonic_now() >= deadline) {
        errno = EAGAIN;
        return false;
    }
    pollfd one{fd, events, 0};
    if (wait_for_any(&one, 1, deadline) == Waited::kGivenUp) {
        errno = kGivenUp;
        return false;
    }
    return true;
}

// attempt() does not wait; it is repeated until it does not give EAGAIN. It uses the caller's
// buffer, which is in the coroutine's own frames or held by what called; the descriptor's number is
// what it was when the call began, and close() ends the wait first (end_use()), so no other one is
// read from.
template <typename Attempt>
ssize_t until_done(int fd, short events, Attempt attempt) {
    ssize_t count = attempt();
    if (count >= 0 || errno != EAGAIN || !is_blocking(fd)) {
        return count;
    }
    Nanos deadline = deadline_of(fd, events == POLLIN ? SO_RCVTIMEO : SO_SNDTIMEO);
    ConnectionUse use(fd, events);
    while (count < 0 && errno == EAGAIN) {
        if (!wait_for(fd, events, deadline)) {
            if (errno == kGivenUp) {
                use.spoil();
            }
            return -1;
        }
        count = attempt();
    }
    return count;
}

Read found_by(ssize_t count, size_t size) {
    if (count < 0) {
        return errno == EAGAIN ? Read::kNothing : Read::kSomething;
    }
    if (count == 0 && size > 0) {
        return Read::kEnd;
    }
    return static_cast<size_t>(count) < size ? Read::kLess : Read::kFull;
}

// Without waiting.
// What the read has found decides whether the next wait has to ask the kernel, so it is noted for
// each; but for reads that leave what they see (MSG_PEEK) or report differently (MSG_TRUNC and the
// like).
ssize_t receive_now(int fd, void* data, size_t size, int mode) {
    ssize_t count = ::recv(fd, data, size, mode | MSG_DONTWAIT);
    if (mode == 0 || (count < 0 && errno == EAGAIN)) {
        note_read(fd, found_by(count, size), count > 0 ? static_cast<size_t>(count) : 0);
    } else if (mode == MSG_PEEK && count > 0) {
        note_read(fd, Read::kSeen);
    }
    return count;
}

// The kernel's MSG_WAITALL would block; with what has come so far it returns early, as the kernel
// does after a signal or the end of the stream.
ssize_t receive_all(int fd, char* data, size_t size, int mode) {
    size_t done = 0;
    while (done < size) {
        ssize_t count = until_done(fd, POLLIN, [&] {
            return ::recv(fd, data + done, size - done, (mode & ~MSG_WAITALL) | MSG_DONTWAIT);
        });
        if (count <= 0) {
            return done > 0 ? static_cast<ssize_t>(done) : count;
        }
        done += static_cast<size_t>(count);
    }
    return static_cast<ssize_t>(done);
}

// A driver that looks whether its connection is still there, before it sends. What has come is the
// response of the coroutine that waits for it: an error would be taken for the end of the
// connection, which the driver would give up.
bool looks_at_anothers(int fd, int mode) {
    constexpr int kLook = MSG_PEEK | MSG_DONTWAIT;
    return (mode & kLook) == kLook && is_used_by_another(fd);
}

ssize_t hooked_recv(int fd, void* data, size_t size, int mode) {
    if (UNEXPECTED(looks_at_anothers(fd, mode))) {
        errno = EAGAIN;
        return -1;
    }
    if (!may_read(fd)) {
        return -1;
    }
    bool waits_here = waits_on(fd);
    ssize_t count;
    if ((mode & MSG_DONTWAIT) != 0) {
        count = receive_now(fd, data, size, mode & ~MSG_DONTWAIT);
    } else if (!waits_here) {
        return ::recv(fd, data, size, mode);
    } else if ((mode & MSG_WAITALL) != 0 && (mode & MSG_PEEK) == 0) {
        count = receive_all(fd, static_cast<char*>(data), size, mode);
    } else {
        count = until_done(fd, POLLIN, [&] { return receive_now(fd, data, size, mode); });
    }
    if (waits_here) {
        make_room_after(fd, POLLIN, count);
    }
    return count;
}

ssize_t hooked_recv_checked(int fd, void* data, size_t size, size_t, int mode) {
    return hooked_recv(fd, data, size, mode);
}

ssize_t hooked_recvfrom(int fd, void* data, size_t size, int mode, sockaddr* peer,
                        socklen_t* peer_size) {
    if (!may_read(fd)) {
        return -1;
    }
    note_read(fd, Read::kSomething);
    if ((mode & MSG_DONTWAIT) != 0 || !waits_on(fd)) {
        return ::recvfrom(fd, data, size, mode, peer, peer_size);
    }
    return until_done(fd, POLLIN, [&] {
        return ::recvfrom(fd, data, size, mode | MSG_DONTWAIT, peer, peer_size);
    });
}

ssize_t hooked_recvmsg(int fd, msghdr* message, int mode) {
    if (!may_read(fd)) {
        return -1;
    }
    note_read(fd, Read::kSomething);
    if ((mode & MSG_DONTWAIT) != 0 || !waits_on(fd)) {
        return ::recvmsg(fd, message, mode);
    }
    return until_done(fd, POLLIN, [&] { return ::recvmsg(fd, message, mode | MSG_DONTWAIT); });
}

// A blocking send of a stream ends when all is out.
ssize_t send_all(int fd, const char* data, size_t size, int mode) {
    size_t done = 0;
    do {
        ssize_t count = until_done(
            fd, POLLOUT, [&] { return ::send(fd, data + done, size - done, mode | MSG_DONTWAIT); });
        if (count < 0) {
            return done > 0 ? static_cast<ssize_t>(done) : -1;
        }
        done += static_cast<size_t>(count);
    } while (done < size && is_blocking(fd));
    return static_cast<ssize_t>(done);
}

ssize_t hooked_send(int fd, const void* data, size_t size, int mode) {
    if (!may_write(fd)) {
        return -1;
    }
    note_sent(fd);
    if (!waits_on(fd)) {
        return ::send(fd, data, size, mode);
    }
    ssize_t count = (mode & MSG_DONTWAIT) != 0
                        ? ::send(fd, data, size, mode)
                        : send_all(fd, static_cast<const char*>(data), size, mode);
    make_room_after(fd, POLLOUT, count);
    return count;
}

ssize_t hooked_sendto(int fd, const void* data, size_t size, int mode, const sockaddr* peer,
                      socklen_t peer_size) {
    if (!may_write(fd)) {
        return -1;
    }
    note_sent(fd);
    if ((mode & MSG_DONTWAIT) != 0 || !waits_on(fd)) {
        return ::sendto(fd, data, size, mode, peer, peer_size);
    }
    if (peer == nullptr) {
        return send_all(fd, static_cast<const char*>(data), size, mode);
    }
    return until_done(fd, POLLOUT, [&] {
        return ::sendto(fd, data, size, mode | MSG_DONTWAIT, peer, peer_size);
    });
}

ssize_t hooked_sendmsg(int fd, const msghdr* message, int mode) {
    if (!may_write(fd)) {
        return -1;
    }
    if ((mode & MSG_DONTWAIT) != 0 || !waits_on(fd)) {
        return ::sendmsg(fd, message, mode);
    }
    return until_done(fd, POLLOUT, [&] { return ::sendmsg(fd, message, mode | MSG_DONTWAIT); });
}

// A pipe has no call that does not wait: it is asked first.
bool wait_for_pipe(int fd, short events) {
    for (;;) {
        pollfd one{fd, events, 0};
        if (::poll(&one, 1, 0) != 0 || !is_blocking(fd)) {
            return true;
        }
        ConnectionUse use(fd, events);  // so that close() ends the wait
        if (!wait_for(fd, events, kNever)) {
            use.spoil();  // a socket, by readv()
            return false;
        }
    }
}

constexpr uint32_t kReadKinds = kSockets | kStdio | kProcess | kFile;

// The kind may be outdated. Each branch notices that by itself before it could block: recv() says
// ENOTSOCK, a file is asked by fstat(); then the call goes around once more with what the
// descriptor is now.
ssize_t read_by_kind(int fd, char* data, size_t size, Kind kind) {
    switch (kind) {
        case Kind::kSocket: {
            if (!may_read(fd)) {
                return -1;
            }
            if (!waits_on(fd)) {
                return ::read(fd, data, size);
            }
            ssize_t count = until_done(fd, POLLIN, [&] { return receive_now(fd, data, size, 0); });
            if (count < 0 && errno == ENOTSOCK) {
                return read_by_kind(fd, data, size, look_again(fd));
            }
            make_room_after(fd, POLLIN, count);
            return count;
        }
        case Kind::kPipe: {
            ssize_t count = wait_for_pipe(fd, POLLIN) ? ::read(fd, data, size) : -1;
            make_room_after_file(fd, POLLIN, count);  // a program's output, often many short lines
            return count;
        }
        case Kind::kRegular:
        case Kind::kRegularWrittenBlindly:
            if (may_wait_for_files_too()) {
                std::optional<ssize_t> count = read_file(fd, data, size);
                if (!count) {
                    return read_by_kind(fd, data, size, kind_of(fd));
                }
                make_room_after_file(fd, POLLIN, *count);
                return *count;
            }
            kind = look_again(fd);
            return is_regular(kind) ? ::read(fd, data, size) : read_by_kind(fd, data, size, kind);
        default: {  // devices that have no end of what they give
            ssize_t count = ::read(fd, data, size);
            make_room_after(fd, POLLIN, count);
            return count;
        }
    }
}

ssize_t hooked_read(int fd, void* data, size_t size) {
    return waits(kReadKinds) ? read_by_kind(fd, static_cast<char*>(data), size, kind_of(fd))
                             : ::read(fd, data, size);
}

ssize_t hooked_read_checked(int fd, void* data, size_t size, size_t) {
    return hooked_read(fd, data, size);
}

// No more at once than a pipe that is ready surely takes.
ssize_t write_pipe(int fd, const char* data, size_t size) {
    size_t done = 0;
    while (done < size) {
        if (!wait_for_pipe(fd, POLLOUT)) {
            return done > 0 ? static_cast<ssize_t>(done) : -1;
        }
        size_t piece = size - done < PIPE_BUF ? size - done : PIPE_BUF;
        ssize_t count = ::write(fd, data + done, piece);
        if (count < 0) {
            return done > 0 ? static_cast<ssize_t>(done) : -1;
        }
        done += static_cast<size_t>(count);
    }
    return static_cast<ssize_t>(done);
}

ssize_t write_by_kind(int fd, const char* data, size_t size, Kind kind) {
    switch (kind) {
        case Kind::kSocket: {
            if (!may_write(fd)) {
                return -1;
            }
            note_sent(fd);
            if (!waits_on(fd)) {
                return ::write(fd, data, size);
            }
            ssize_t count = send_all(fd, data, size, 0);
            if (count < 0 && errno == ENOTSOCK) {
                return write_by_kind(fd, data, size, look_again(fd));
            }
            make_room_after(fd, POLLOUT, count);
            return count;
        }
        case Kind::kPipe: {
            if (size <= PIPE_BUF && !is_blocking(fd)) {
                return ::write(fd, data, size);
            }
            ssize_t count = write_pipe(fd, data, size);
            make_room_after(fd, POLLOUT, count);
            return count;
        }
        case Kind::kRegular:
        case Kind::kRegularWrittenBlindly:
            if (may_wait_for_files_too()) {
                std::optional<ssize_t> count = write_file(fd, data, size);
                if (!count) {
                    return write_by_kind(fd, data, size, kind_of(fd));
                }
                note_written(fd, *count);
                make_room_after_file(fd, POLLOUT, *count);
                return *count;
            }
            kind = look_again(fd);
            return is_regular(kind) ? ::write(fd, data, size) : write_by_kind(fd, data, size, kind);
        default: {
            ssize_t count = ::write(fd, data, size);
            make_room_after(fd, POLLOUT, count);
            return count;
        }
    }
}

ssize_t hooked_write(int fd, const void* data, size_t size) {
    // What scripts print leaves from within the engine's output layer, which cannot be left half
    // way.
    if (fd == STDOUT_FILENO || fd == STDERR_FILENO || !waits(kReadKinds)) {
        return ::write(fd, data, size);
    }
    return write_by_kind(fd, static_cast<const char*>(data), size, kind_of(fd));
}

ssize_t hooked_readv(int fd, const iovec* parts, int count) {
    Kind kind = waits(kSockets | kStdio | kProcess) ? look_again(fd) : Kind::kOther;
    if (kind == Kind::kOther) {
        return ::readv(fd, parts, count);
    }
    if (kind == Kind::kSocket && !may_read(fd)) {
        return -1;
    }
    note_read(fd, Read::kSomething);
    return wait_for_pipe(fd, POLLIN) ? ::readv(fd, parts, count) : -1;
}

// Part by part: another coroutine cannot come in between (may_write()), and the kernel joins what
// it sends.
ssize_t hooked_writev(int fd, const iovec* parts, int count) {
    if (!waits(kSockets | kStdio | kProcess) || look_again(fd) != Kind::kSocket) {
        return ::writev(fd, parts, count);
    }
    if (!may_write(fd)) {
        return -1;
    }
    note_sent(fd);
    size_t done = 0;
    for (int i = 0; i < count; i++) {
        ssize_t sent =
            send_all(fd, static_cast<const char*>(parts[i].iov_base), parts[i].iov_len, 0);
        if (sent < 0) {
            return done > 0 ? static_cast<ssize_t>(done) : -1;
        }
        done += static_cast<size_t>(sent);
        if (static_cast<size_t>(sent) < parts[i].iov_len) {
            break;
        }
    }
    return static_cast<ssize_t>(done);
}

int hooked_socket(int domain, int type, int protocol) {
    int fd = ::socket(domain, type, protocol);
    if (has_tables_of_descriptors()) {
        note_opened(fd);
        note_kind(fd, Kind::kSocket);
        note_transport(fd);
    }
    if (waits(kSockets)) {
        note_socket(fd, type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC));
        note_mode(fd, (type & SOCK_NONBLOCK) != 0 ? O_NONBLOCK : 0);
    }
    return fd;
}

int hooked_socketpair(int domain, int type, int protocol, int* ends) {
    int result = ::socketpair(domain, type, protocol, ends);
    if (result == 0 && has_tables_of_descriptors()) {
        for (int end : {ends[0], ends[1]}) {
            note_opened(end);
            note_kind(end, Kind::kSocket);
            note_pair(end);
        }
    }
    return result;
}

// SO_ERROR is read once: it holds the outcome of connect(), and reading clears it.
int finish_connect(int fd) {
    if (!wait_for(fd, POLLOUT, deadline_of(fd, SO_SNDTIMEO))) {
        return -1;
    }
    pollfd one{fd, POLLOUT, 0};
    if (::poll(&one, 1, 0) == 0) {
        errno = EINPROGRESS;  // as after a blocking connect's own time
        return -1;
    }
    int error = 0;
    socklen_t size = sizeof(error);
    ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
    errno = error;
    return error == 0 ? 0 : -1;
}

// PHP's streams ask for a queue of 32 when the script names none. A burst of more is nothing
// unusual for a server of coroutines, and the kernel would let each of the others wait for a
// second.
int hooked_listen(int fd, int backlog) {
    constexpr int kOfStreams = 32;
    constexpr int kWanted = 512;
    return ::listen(fd, backlog == kOfStreams && waits(kSockets) ? kWanted : backlog);
}

// The mode is changed for the length of the call and put back whatever comes of it: a copy of the
// descriptor in another process would see it, since the mode belongs to the open file.
int hooked_connect(int fd, const sockaddr* peer, socklen_t size) {
    if (!waits_on(fd) || is_surely_nonblocking(fd) || !is_blocking(fd)) {
        return ::connect(fd, peer, size);
    }
    int mode = ::fcntl(fd, F_GETFL);
    ::fcntl(fd, F_SETFL, mode | O_NONBLOCK);
    int result = ::connect(fd, peer, size);
    while (result != 0 && errno == EAGAIN) {  // a unix socket whose queue is full
        pollfd one{fd, POLLOUT, 0};
        if (wait_for_any(&one, 1, monotonic_now() + kMillisecond) == Waited::kGivenUp) {
            errno = kGivenUp;
            break;
        }
        result = ::connect(fd, peer, size);
    }
    if (result != 0 && errno == EINPROGRESS) {
        result = finish_connect(fd);
    }
    int error = errno;
    ::fcntl(fd, F_SETFL, mode);
    errno = error;
    return result;
}

template <typename Accept>
int accept_when_ready(int fd, Accept accept) {
    if (!waits_on(fd) || !is_blocking(fd)) {
        return accept();
    }
    Nanos deadline = deadline_of(fd, SO_RCVTIMEO);
    for (;;) {
        pollfd one{fd, POLLIN, 0};
        if (::poll(&one, 1, 0) != 0) {
            return accept();
        }
        if (!wait_for(fd, POLLIN, deadline)) {
            return -1;
        }
    }
}

template <typename Accept>
int accept_with(int fd, Accept accept) {
    int connection = accept_when_ready(fd, accept);
    if (has_tables_of_descriptors()) {
        note_opened(connection);
        note_kind(connection, Kind::kSocket);
        inherit_transport(fd, connection);
    }
    return connection;
}

int hooked_accept(int fd, sockaddr* peer, socklen_t* size) {
    return accept_with(fd, [&] { return ::accept(fd, peer, size); });
}

int hooked_accept4(int fd, sockaddr* peer, socklen_t* size, int mode) {
    return accept_with(fd, [&] { return ::accept4(fd, peer, size, mode); });
}

}  // namespace

const Redirect kSocketRedirects[] = {
    redirect<hooked_recv>("recv"),
    redirect<hooked_recv_checked>("__recv_chk"),
    redirect<hooked_recvfrom>("recvfrom"),
    redirect<hooked_recvmsg>("recvmsg"),
    redirect<hooked_send>("send"),
    redirect<hooked_sendto>("sendto"),
    redirect<hooked_sendmsg>("sendmsg"),
    redirect<hooked_read>("read"),
    redirect<hooked_read_checked>("__read_chk"),
    redirect<hooked_write>("write"),
    redirect<hooked_readv>("readv"),
    redirect<hooked_writev>("writev"),
    redirect<hooked_socket>("socket"),
    redirect<hooked_socketpair>("socketpair"),
    redirect<hooked_listen>("listen"),
    redirect<hooked_connect>("connect"),
    redirect<hooked_accept>("accept"),
    redirect<hooked_accept4>("accept4"),
};
const size_t kSocketRedirectCount = sizeof(kSocketRedirects) / sizeof(kSocketRedirects[0]);

}  // namespace stampede::hooks
