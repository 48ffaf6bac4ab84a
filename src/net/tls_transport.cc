#include "net/tls_transport.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "os/socket_io.h"

namespace stampede::net {

using tls::Step;

long TlsTransport::fail(Step step) {
    switch (step) {
        case Step::kWantRead:
        case Step::kWantWrite:
            errno = EAGAIN;
            return -1;
        case Step::kClosed:
            return 0;
        default:
            errno = session_->system_error() != 0 ? session_->system_error() : EPROTO;
            return -1;
    }
}

bool TlsTransport::shake_hands() {
    if (session_->established()) {
        return true;
    }
    Step step = session_->handshake();
    if (step != Step::kDone && fail(step) == 0) {
        errno = ECONNRESET;
    }
    return step == Step::kDone;
}

// Fills the buffer: a short count tells the connection that nothing more is there.
long TlsTransport::read(char* out, size_t capacity) {
    if (ended_) {
        return 0;
    }
    if (!shake_hands()) {
        return -1;
    }
    size_t done = 0;
    while (done < capacity) {
        size_t count = 0;
        Step step = session_->read(out + done, capacity - done, count);
        if (step == Step::kDone) {
            done += count;
            if (session_->drained()) {
                break;
            }
            continue;
        }
        ended_ = step == Step::kClosed;
        if (done > 0) {
            break;
        }
        return fail(step);
    }
    return static_cast<long>(done);
}

// Until the socket takes no more.
Step TlsTransport::write_all(const char* data, size_t size, size_t& done) {
    while (size > 0) {
        size_t taken = 0;
        Step step = session_->write(data, size, taken);
        if (step != Step::kDone) {
            return step;
        }
        data += taken;
        size -= taken;
        done += taken;
    }
    return Step::kDone;
}

// Everything, or as much as the socket takes: less tells the connection that it is full. OpenSSL
// wants the bytes it did not take offered again, which the write queue does by itself. Pieces are
// put together, since each call makes a record, and a system call.
long TlsTransport::write(const iovec* parts, int count) {
    if (!shake_hands()) {
        return -1;
    }
    static char record[kRecord];  // of the loop's one thread, free again when this returns
    size_t gathered = 0;
    size_t done = 0;
    Step step = Step::kDone;
    for (int i = 0; i < count && step == Step::kDone; i++) {
        const char* data = static_cast<const char*>(parts[i].iov_base);
        size_t left = parts[i].iov_len;
        bool alone = gathered == 0 && (i + 1 == count || left >= kRecord);
        if (alone) {
            step = write_all(data, left, done);
            continue;
        }
        while (left > 0 && step == Step::kDone) {
            size_t piece = std::min(left, kRecord - gathered);
            std::memcpy(record + gathered, data, piece);
            gathered += piece;
            data += piece;
            left -= piece;
            if (gathered == kRecord) {
                step = write_all(record, gathered, done);
                gathered = 0;
            }
        }
    }
    if (step == Step::kDone && gathered > 0) {
        step = write_all(record, gathered, done);
    }
    if (step == Step::kDone ||
        (done > 0 && (step == Step::kWantRead || step == Step::kWantWrite))) {
        return static_cast<long>(done);
    }
    return fail(step) == 0 ? fail(Step::kFailed) : -1;
}

long TlsTransport::send_file(int file, off_t& offset, size_t count) {
    if (!shake_hands()) {
        return -1;
    }
    static char record[kRecord];  // of the loop's one thread, free again when this returns
    long got = os::read_at(file, record, std::min(count, kRecord), static_cast<uint64_t>(offset));
    if (got <= 0) {
        return got;
    }
    size_t taken = 0;
    Step step = session_->write(record, static_cast<size_t>(got), taken);
    if (step != Step::kDone) {
        return fail(step) == 0 ? fail(Step::kFailed) : -1;
    }
    offset += static_cast<off_t>(taken);
    return static_cast<long>(taken);
}

void TlsTransport::shutdown_write() {
    session_->say_goodbye();
    os::shutdown_write(fd_);
}

}  // namespace stampede::net
