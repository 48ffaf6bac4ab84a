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
    begin_records();
    Step step = session_->handshake();
    if (counts_ != nullptr) {
        count_handshake(step);
    }
    if (step != Step::kDone || !session_->ends_with_tickets()) {
        (void)send_records();  // the peer waits for it
    }
    put_records_away();
    if (step != Step::kDone && fail(step) == 0) {
        errno = ECONNRESET;
    }
    return step == Step::kDone;
}

void TlsTransport::count_handshake(Step step) {
    if (step == Step::kWantRead || step == Step::kWantWrite) {
        return;
    }
    HandshakeCounts& counts = *std::exchange(counts_, nullptr);
    (step != Step::kDone ? counts.failed : session_->is_resumed() ? counts.resumed : counts.full)++;
}

// Tickets wait for the first response, when that is on its way.
void TlsTransport::send_held() {
    if (!records_.empty() && offered_ == 0) {
        (void)send_records();
        put_records_away();
    }
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
        send_held();
        return fail(step);
    }
    return static_cast<long>(done);
}

namespace {

// The parts as plain text of whole records, as far as there are bytes for them: each costs the peer
// and us a call. Small parts are put together.
class Pieces {
public:
    Pieces(const iovec* parts, int count) : part_(parts), end_(parts + count) {}

    void skip(size_t count) {
        while (part_ != end_ && count >= part_->iov_len - at_) {
            count -= part_->iov_len - at_;
            next_part();
        }
        at_ += count;
    }
    // Empty at the end.
    std::string_view next(char* room, size_t most) {
        size_t gathered = 0;
        while (part_ != end_ && gathered < most) {
            const char* data = static_cast<const char*>(part_->iov_base) + at_;
            size_t count = std::min(part_->iov_len - at_, most - gathered);
            if (gathered == 0 && (count == most || part_ + 1 == end_)) {
                skip(count);
                return {data, count};
            }
            std::memcpy(room + gathered, data, count);
            gathered += count;
            skip(count);
        }
        return {room, gathered};
    }

private:
    void next_part() {
        part_++;
        at_ = 0;
    }

    const iovec* part_;
    const iovec* end_;
    size_t at_ = 0;
};

}  // namespace

Step TlsTransport::encrypt(std::string_view bytes, size_t& taken) {
    while (!bytes.empty()) {
        size_t count = 0;
        Step step = session_->write(bytes.data(), bytes.size(), count);
        if (step != Step::kDone) {
            return step;
        }
        bytes.remove_prefix(count);
        taken += count;
    }
    return Step::kDone;
}

Step TlsTransport::send_records() {
    if (records_.empty()) {
        return Step::kDone;
    }
    iovec all{const_cast<char*>(records_.data()), records_.size()};
    long sent = descriptor_.write(&all, 1);
    if (sent < 0) {
        return errno == EAGAIN ? Step::kWantWrite : Step::kFailed;
    }
    records_.consume(static_cast<size_t>(sent));
    return records_.empty() ? Step::kDone : Step::kWantWrite;
}

// The large buffer goes round: only a session that has much left in it keeps one.
void TlsTransport::begin_records() {
    if (records_.capacity() < kBatch) {
        Buffer held;
        held.swap(records_);
        records_.swap(spare());
        records_.reserve(kBatch + kRecord);
        records_.append(held.view());
    }
    session_->divert(&records_);
}

void TlsTransport::put_records_away() {
    if (records_.size() > kLittle) {
        return;
    }
    Buffer held;
    held.append(records_.view());
    records_.clear();
    if (spare().capacity() == 0) {
        records_.swap(spare());
    }
    records_.release();
    records_.swap(held);
    if (records_.empty()) {
        session_->divert(nullptr);
    }
}

// taken: bytes of the caller that are records now, sent or not.
long TlsTransport::end_records(Step step, size_t taken) {
    offered_ = std::min(taken, records_.size());
    put_records_away();
    if (step == Step::kFailed || step == Step::kClosed) {
        errno = EPIPE;
        return -1;
    }
    if (taken == offered_) {
        errno = EAGAIN;
        return -1;
    }
    return static_cast<long>(taken - offered_);
}

Buffer& TlsTransport::spare() {
    static Buffer buffer;
    return buffer;
}

namespace {

char* plain_room() {
    static char room[32 * 1024];  // of the loop's one thread, free again when a call returns
    return room;
}

}  // namespace

// Everything, or as much as the socket takes: less tells the connection that it is full.
long TlsTransport::write(const iovec* parts, int count) {
    if (!shake_hands()) {
        return -1;
    }
    if (session_->kernel_sends()) {
        return descriptor_.write(parts, count);
    }
    begin_records();
    size_t taken = offered_;
    Pieces pieces(parts, count);
    pieces.skip(taken);
    Step step = taken > 0 ? send_records() : Step::kDone;
    while (step == Step::kDone) {
        std::string_view piece = pieces.next(plain_room(), kRecord);
        if (piece.empty()) {
            if (last_) {
                make_goodbye();
            }
            step = send_records();
            break;
        }
        step = encrypt(piece, taken);
        if (step == Step::kDone && records_.size() >= kBatch) {
            step = send_records();
        }
    }
    return end_records(step, taken);
}

long TlsTransport::send_file(int file, off_t& offset, size_t count) {
    if (!shake_hands()) {
        return -1;
    }
    if (session_->kernel_sends()) {
        return descriptor_.send_file(file, offset, count);
    }
    begin_records();
    size_t taken = offered_;
    Step step = send_records();
    if (step == Step::kDone && taken < count) {
        long got = os::read_at(file, plain_room(), std::min(count - taken, kBatch),
                               static_cast<uint64_t>(offset) + taken);
        if (got > 0) {
            step = encrypt({plain_room(), static_cast<size_t>(got)}, taken);
            step = step == Step::kDone ? send_records() : step;
        } else if (taken == 0) {  // the file became shorter
            step = Step::kFailed;
        }
    }
    long sent = end_records(step, taken);
    offset += static_cast<off_t>(std::max(sent, 0L));
    return sent;
}

void TlsTransport::make_goodbye() {
    if (!said_goodbye_) {
        said_goodbye_ = true;
        session_->say_goodbye();
    }
}

void TlsTransport::say_goodbye() {
    begin_records();
    make_goodbye();
    (void)send_records();
    put_records_away();
}

void TlsTransport::shutdown_write() {
    say_goodbye();
    descriptor_.shutdown_write();
}

}  // namespace stampede::net
