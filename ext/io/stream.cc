#include "io/stream.h"

#include <cerrno>
#include <cstring>

#include "error_numbers.h"
#include "os/fd.h"
#include "os/socket_io.h"
#include "zend/last_error.h"

namespace stampede::io {

using runtime::Runtime;
using runtime::WakeReason;
using tls::Step;

namespace {

constexpr size_t kRecord = 16384;
constexpr int kVectorParts = 64;

bool can_park() {
    Runtime* runtime = Runtime::peek();
    return runtime != nullptr && runtime->can_park();
}

// Memory of a call, also when the engine unwinds past it.
struct Scratch {
    explicit Scratch(size_t size) : bytes(static_cast<char*>(emalloc(size))) {}
    ~Scratch() { efree(bytes); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    char* bytes;
};

}  // namespace

int error_of(WakeReason reason) {
    switch (reason) {
        case WakeReason::kReady:
            return 0;
        case WakeReason::kTimeout:
            return ETIMEDOUT;
        default:
            return ECANCELED;
    }
}

const char* error_text(int code) {
    const char* text = zend::api_error_text(code);
    return text != nullptr ? text : strerror(code);
}

std::string Stream::error_text() const {
    bool of_tls = tls_ != nullptr && error_ >= api_error::kSslNotReady &&
                  error_ <= api_error::kSslCreateSessionFailed;
    if (of_tls && error_ != api_error::kSslNotReady) {
        return tls_->failure();
    }
    return error_ != 0 ? io::error_text(error_) : "";
}

void Stream::adopt(int fd) {
    close();
    descriptor_.adopt(fd);
    write_broken_ = false;
    error_ = 0;
}

bool Stream::dial(const os::Address& address, const os::Address& from, Nanos deadline) {
    Result<int> fd = os::open_socket(address.family(), SOCK_STREAM, 0);
    if (!fd) {
        return fail(static_cast<int>(fd.error().code()));
    }
    adopt(*fd);
    if (from.length > 0) {
        if (Error error = os::bind_socket(*fd, from)) {
            close();
            return fail(static_cast<int>(error.code()));
        }
    }
    if (!connect_to(address, deadline)) {
        int error = error_;
        close();
        return fail(error);
    }
    return true;
}

bool Stream::connect_to(const os::Address& address, Nanos deadline) {
    error_ = 0;
    Nanos pause = kMillisecond;
    for (;;) {
        Error error = os::connect_socket(fd(), address);
        if (!error || error.is_system(EISCONN)) {
            return true;
        }
        if (error.is_system(EINPROGRESS) || error.is_system(EALREADY)) {
            break;
        }
        if (!error.is_system(EAGAIN) || address.family() != AF_UNIX || !can_park()) {
            return fail(static_cast<int>(error.code()));
        }
        // The backlog of a unix socket is full, and nothing tells when it is not.
        uint32_t incarnation = incarnation_;
        Nanos until = monotonic_now() + pause;
        WakeReason reason = Runtime::get().park(until < deadline ? until : deadline);
        if (incarnation != incarnation_ || reason != WakeReason::kTimeout) {
            return fail(ECANCELED);
        }
        if (monotonic_now() >= deadline) {
            return fail(ETIMEDOUT);
        }
        pause = pause < 32 * kMillisecond ? pause * 2 : pause;
    }
    descriptor_.blocked(Direction::kWrite);
    descriptor_.blocked(Direction::kRead);
    if (!wait(Direction::kWrite, deadline)) {
        return false;
    }
    int outcome = os::take_socket_error(fd());
    return outcome == 0 || fail(outcome);
}

bool Stream::wait_blocking(Direction direction, Nanos deadline) {
    os::PollFor what =
        direction == Direction::kRead ? os::PollFor::kReading : os::PollFor::kWriting;
    int count = os::poll_one(fd(), what, deadline);
    if (count > 0) {
        descriptor_.seems_ready(direction);
        return true;
    }
    return fail(count == 0 ? ETIMEDOUT : errno);
}

bool Stream::wait(Direction direction, Nanos deadline) {
    if (!can_park()) {
        return wait_blocking(direction, deadline);
    }
    uint32_t incarnation = incarnation_;
    WakeReason reason = descriptor_.wait(direction, deadline);
    if (EXPECTED(reason == WakeReason::kReady && incarnation == incarnation_)) {
        return true;
    }
    if (reason == WakeReason::kClosed && descriptor_.watch_error() != 0) {
        return fail(descriptor_.watch_error());
    }
    return fail(reason == WakeReason::kReady ? ECANCELED : error_of(reason));
}

// For TLS, where reading may need to write and the other way round: another coroutine may be the
// one that waits in that direction, and what it waits for then comes to both.
bool Stream::wait_for_step(Step step, Nanos deadline) {
    Direction direction = step == Step::kWantWrite ? Direction::kWrite : Direction::kRead;
    descriptor_.blocked(direction);
    if (descriptor_.holder(direction) == nullptr || !can_park()) {
        return wait(direction, deadline);
    }
    uint32_t incarnation = incarnation_;
    Nanos until = monotonic_now() + kMillisecond;
    WakeReason reason = Runtime::get().park(until < deadline ? until : deadline);
    if (reason != WakeReason::kTimeout || incarnation != incarnation_) {
        return fail(ECANCELED);
    }
    return monotonic_now() < deadline || fail(ETIMEDOUT);
}

int Stream::tls_error() const {
    if (tls_->system_error() != 0) {
        return tls_->system_error();
    }
    if (tls_->peer_is_refused() && !tls_->established()) {
        return api_error::kSslVerifyFailed;
    }
    return tls_->established() ? api_error::kSslBadProtocol : api_error::kSslHandshakeFailed;
}

bool Stream::start_tls(std::unique_ptr<tls::Session> session, Nanos deadline) {
    error_ = 0;
    if (session == nullptr) {
        return fail(api_error::kSslCreateSessionFailed);
    }
    tls_ = std::move(session);
    for (;;) {
        Step step = tls_->handshake();
        if (step == Step::kDone) {
            return true;
        }
        if (step == Step::kClosed || step == Step::kFailed) {
            return fail(step == Step::kClosed ? ECONNRESET : tls_error());
        }
        if (!wait_for_step(step, deadline)) {
            return false;
        }
    }
}

long Stream::plain_receive(char* out, size_t capacity, Nanos deadline) {
    for (;;) {
        if (EXPECTED(descriptor_.may_be_ready(Direction::kRead))) {
            long count = os::receive(fd(), out, capacity);
            if (EXPECTED(count >= 0)) {
                if (static_cast<size_t>(count) < capacity) {
                    descriptor_.drained(Direction::kRead);
                }
                return count;
            }
            if (errno != EAGAIN) {
                error_ = errno;
                return -1;
            }
            descriptor_.blocked(Direction::kRead);
        }
        if (!wait(Direction::kRead, deadline)) {
            return -1;
        }
    }
}

long Stream::tls_receive(char* out, size_t capacity, Nanos deadline) {
    for (;;) {
        size_t count = 0;
        Step step = tls_->established() ? tls_->read(out, capacity, count) : Step::kFailed;
        switch (step) {
            case Step::kDone:
                return static_cast<long>(count);
            case Step::kClosed:
                return 0;
            case Step::kFailed:
                error_ = tls_->established() ? tls_error() : api_error::kSslNotReady;
                return -1;
            default:
                if (!wait_for_step(step, deadline)) {
                    return -1;
                }
        }
    }
}

long Stream::receive(char* out, size_t capacity, Nanos deadline) {
    error_ = 0;
    return EXPECTED(tls_ == nullptr) ? plain_receive(out, capacity, deadline)
                                     : tls_receive(out, capacity, deadline);
}

size_t Stream::receive_exactly(char* out, size_t size, Nanos deadline) {
    size_t done = 0;
    while (done < size) {
        long count = receive(out + done, size - done, deadline);
        if (count <= 0) {
            break;
        }
        done += static_cast<size_t>(count);
    }
    return done;
}

long Stream::plain_send(const char* data, size_t size, Nanos deadline) {
    for (;;) {
        if (EXPECTED(descriptor_.may_be_ready(Direction::kWrite))) {
            long count = os::send_bytes(fd(), data, size);
            if (EXPECTED(count >= 0)) {
                return count;
            }
            if (errno != EAGAIN) {
                error_ = errno;
                return -1;
            }
            descriptor_.blocked(Direction::kWrite);
        }
        if (!wait(Direction::kWrite, deadline)) {
            return -1;
        }
    }
}

long Stream::tls_send(const char* data, size_t size, Nanos deadline) {
    if (!tls_->established() || write_broken_) {
        error_ = tls_->established() ? EPIPE : api_error::kSslNotReady;
        return -1;
    }
    if (size == 0) {
        return 0;
    }
    for (;;) {
        size_t count = 0;
        Step step = tls_->write(data, size, count);
        switch (step) {
            case Step::kDone:
                return static_cast<long>(count);
            case Step::kClosed:
                error_ = EPIPE;
                return -1;
            case Step::kFailed:
                error_ = tls_error();
                return -1;
            default:
                if (uint32_t incarnation = incarnation_; !wait_for_step(step, deadline)) {
                    // A part of the record may be out: other bytes must not follow it.
                    write_broken_ = incarnation == incarnation_;
                    return -1;
                }
        }
    }
}

long Stream::send(const char* data, size_t size, Nanos deadline) {
    error_ = 0;
    return EXPECTED(tls_ == nullptr) ? plain_send(data, size, deadline)
                                     : tls_send(data, size, deadline);
}

size_t Stream::send_all(std::string_view bytes, Nanos deadline) {
    size_t done = 0;
    error_ = 0;
    while (done < bytes.size()) {
        long count = send(bytes.data() + done, bytes.size() - done, deadline);
        if (count < 0) {
            break;
        }
        done += static_cast<size_t>(count);
    }
    return done;
}

// TLS: small parts share a record.
size_t Stream::send_gathered(const iovec* parts, int count, Nanos deadline) {
    Scratch record(kRecord);
    size_t filled = 0;
    size_t done = 0;
    auto flush = [&] {
        size_t sent = send_all({record.bytes, filled}, deadline);
        done += sent;
        bool good = sent == filled;
        filled = 0;
        return good;
    };
    for (int i = 0; i < count; i++) {
        auto* data = static_cast<const char*>(parts[i].iov_base);
        size_t size = parts[i].iov_len;
        while (size > 0) {
            size_t fits = kRecord - filled < size ? kRecord - filled : size;
            std::memcpy(record.bytes + filled, data, fits);
            filled += fits;
            data += fits;
            size -= fits;
            if (filled == kRecord && !flush()) {
                return done;
            }
        }
    }
    flush();
    return done;
}

size_t Stream::send_vector(const iovec* parts, int count, Nanos deadline) {
    error_ = 0;
    if (tls_ != nullptr) {
        return send_gathered(parts, count, deadline);
    }
    size_t done = 0;
    size_t skip = 0;  // of the first part
    while (count > 0) {
        iovec batch[kVectorParts];
        int batch_size = count < kVectorParts ? count : kVectorParts;
        std::memcpy(batch, parts, sizeof(iovec) * static_cast<size_t>(batch_size));
        batch[0].iov_base = static_cast<char*>(batch[0].iov_base) + skip;
        batch[0].iov_len -= skip;
        long sent = os::send_vector(fd(), batch, batch_size);
        if (sent < 0 && errno == EAGAIN) {
            descriptor_.blocked(Direction::kWrite);
            if (!wait(Direction::kWrite, deadline)) {
                break;
            }
            continue;
        }
        if (sent < 0) {
            error_ = errno;
            break;
        }
        done += static_cast<size_t>(sent);
        skip += static_cast<size_t>(sent);
        while (count > 0 && skip >= parts->iov_len) {
            skip -= parts->iov_len;
            parts++;
            count--;
        }
    }
    return done;
}

uint64_t Stream::send_file_by_reading(int file, uint64_t offset, uint64_t count, Nanos deadline) {
    Scratch record(kRecord);
    uint64_t done = 0;
    while (done < count) {
        size_t wanted = count - done < kRecord ? static_cast<size_t>(count - done) : kRecord;
        long got = os::read_at(file, record.bytes, wanted, offset + done);
        if (got <= 0) {
            error_ = got < 0 ? errno : 0;
            break;
        }
        size_t sent = send_all({record.bytes, static_cast<size_t>(got)}, deadline);
        done += sent;
        if (sent < static_cast<size_t>(got)) {
            break;
        }
    }
    return done;
}

uint64_t Stream::send_file(int file, uint64_t offset, uint64_t count, Nanos deadline) {
    error_ = 0;
    if (tls_ != nullptr) {
        return send_file_by_reading(file, offset, count, deadline);
    }
    constexpr uint64_t kMost = 1 << 30;
    auto position = static_cast<off_t>(offset);
    uint64_t done = 0;
    while (done < count) {
        uint64_t wanted = count - done < kMost ? count - done : kMost;
        long sent = os::send_file(fd(), file, position, static_cast<size_t>(wanted));
        if (sent > 0) {
            done += static_cast<uint64_t>(sent);
            continue;
        }
        if (sent < 0 && errno == EAGAIN) {
            descriptor_.blocked(Direction::kWrite);
            if (wait(Direction::kWrite, deadline)) {
                continue;
            }
        } else {
            error_ = sent < 0 ? errno : 0;  // 0: the file is shorter than it was
        }
        break;
    }
    return done;
}

long Stream::peek(char* out, size_t capacity) {
    error_ = 0;
    if (tls_ == nullptr) {
        long count = os::receive_with(fd(), out, capacity, MSG_PEEK | MSG_DONTWAIT);
        if (count < 0) {
            error_ = errno;
        }
        return error_ == EAGAIN ? 0 : count;
    }
    size_t count = 0;
    switch (tls_->established() ? tls_->peek(out, capacity, count) : Step::kFailed) {
        case Step::kDone:
            return static_cast<long>(count);
        case Step::kFailed:
            error_ = tls_->established() ? tls_error() : api_error::kSslNotReady;
            return -1;
        case Step::kWantRead:
            error_ = EAGAIN;
            return 0;
        default:
            return 0;
    }
}

bool Stream::is_alive() {
    if (!is_open()) {
        return false;
    }
    if (tls_ != nullptr && tls_->has_pending()) {
        return true;
    }
    char byte;
    long count = peek(&byte, 1);
    bool nothing_yet = count <= 0 && error_ == EAGAIN;
    if (count == 0 && !nothing_yet) {
        error_ = ECONNRESET;
    }
    return count > 0 || nothing_yet;
}

int Stream::release() {
    incarnation_++;
    tls_.reset();
    return descriptor_.forget();
}

void Stream::close() {
    if (tls_ != nullptr && !write_broken_ && is_open()) {
        tls_->say_goodbye();
    }
    os::close_fd(release());
}

}  // namespace stampede::io
