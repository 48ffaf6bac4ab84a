#include "net/connection.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "os/fd.h"
#include "os/socket_io.h"

namespace stampede::net {

namespace {

constexpr uint32_t kReads = loop::kReadable | loop::kUrgent;
constexpr uint64_t kCopied = 32 * 1024;  // of a file: from there on sendfile is cheaper

// As bytes of this process a small file costs less: it leaves in one call with the head. False when
// it became shorter, which the queue finds out again.
bool copy_file(const FileRange& file, Buffer& out) {
    auto size = static_cast<size_t>(file.length);
    char* to = out.reserve(size);
    if (os::read_at(file.fd, to, size, static_cast<uint64_t>(file.offset)) !=
        static_cast<long>(size)) {
        return false;
    }
    out.commit(size);
    os::close_fd(file.fd);
    return true;
}

}  // namespace

Session::Room Session::room_for_announced(Buffer& in, size_t missing) {
    constexpr size_t kMostAtOnce = 2 * Hub::kReadSize;
    constexpr size_t kSpaceBehind = 256;  // a read that does not fill its room has read all
    if (missing < Hub::kReadSize) {
        return {};
    }
    Buffer::Span span = in.reserve_announced(missing + kSpaceBehind);
    return {span.bytes, std::min(span.size, kMostAtOnce)};
}

Connection::Connection(Hub& hub, int fd, uint64_t id, const ConnectionTimes& times)
    : hub_(hub), times_(times), plain_(fd), transport_(&plain_), id_(id) {
    watch_.fd = fd;
    watch_.connection = this;
    watch_.on_ready = [](loop::Watch& watch, uint32_t events) {
        static_cast<Socket&>(watch).connection->on_ready(events);
    };
    again_.connection = this;
    again_.run = [](loop::Task& task) { static_cast<Again&>(task).connection->read_unasked(); };
    timer_.connection = this;
    timer_.on_fire = [](loop::Timer& timer) {
        static_cast<Deadline&>(timer).connection->on_timer();
    };
    opened_at = last_read_at = hub.loop().iteration_time();
}

Connection::~Connection() {
    hub_.loop().disarm(timer_);
    again_.unlink();
    DirtyNode::unlink();
    IterationNode::unlink();
}

void Connection::set_transport(std::unique_ptr<Transport> transport) {
    other_transport_ = std::move(transport);
    transport_ = other_transport_.get();
}

std::unique_ptr<Transport> Connection::take_transport() {
    transport_ = &plain_;
    return std::move(other_transport_);
}

const sockaddr_in6& Connection::local() {
    if (!local_is_known_ && watch_.fd >= 0) {
        local_is_known_ = true;
        os::Address address = os::local_address(watch_.fd);
        if (address.family() == AF_INET || address.family() == AF_INET6) {
            std::memcpy(&local_, &address.storage, sizeof(local_));
        }
    }
    return local_;
}

void Connection::replace_session(std::unique_ptr<Session> session) {
    former_session_ = std::move(session_);
    session_ = std::move(session);
}

void Connection::write_file(const FileRange& file) {
    if (file.length > kCopied || !copy_file(file, cork())) {
        queue_.add(file);
    }
}

// Under load, peers have sent something by now. Where each request has a connection of its own, it
// is over before the kernel would have been told to watch it.
void Connection::start() {
    if (watch_.fd < 0) {
        return;
    }
    hub_.note_unwatched(*this);
    if (other_transport_ != nullptr || hub_.first_reads().worth_a_try()) {
        hub_.loop().enqueue(again_);
    }
}

void Connection::read_unasked() {
    bool first = bytes_in == 0 && other_transport_ == nullptr;
    on_ready(loop::kReadable);
    if (first) {
        hub_.first_reads().note(bytes_in > 0 || peer_ended_);
    }
}

void Connection::register_with_loop() {
    watch_.interest = interest();
    watched_ = !hub_.loop().watch(watch_);  // what is readable already is reported
    if (!watched_) {
        close_now(CloseCause::kError);
    }
}

void Connection::on_ready(uint32_t events) {
    if ((events & loop::kWritable) && blocked_) {
        flush();
    }
    if (closed_) {
        return;
    }
    if (reading_ && (events & (loop::kReadable | loop::kHangup))) {
        // What was to be sent during a handshake follows it: the descriptor was writable all along
        // and will not be reported for that.
        bool shaking_hands = blocked_ && !transport_->ready();
        read_ready(events);
        if (shaking_hands && !closed_ && transport_->ready()) {
            flush();
        }
    } else if (events & loop::kHangup) {
        close_now(CloseCause::kReset);
    }
}

// Readiness is reported by change: what is there is read to its end, which a short read tells,
// except for the end of the stream after it, and for what lies after a mark of urgent data (the
// byte that it marks is left out by the kernel).
void Connection::read_ready(uint32_t events) {
    bool more_behind = (events & (loop::kEdge | loop::kUrgent)) != 0;
    for (int round = 0; round < kReadsPerEvent; round++) {
        if (!read_some(more_behind) || !reading_ || closed_) {
            return;
        }
    }
    if (watched_) {
        (void)hub_.loop().rearm(watch_);
    }
    read_again();
}

// The descriptor says nothing of what the transport has taken from it already.
void Connection::read_again() {
    if (transport_->holds_bytes() && !again_.linked()) {
        hub_.loop().enqueue(again_);
    }
}

// Whether there may be more.
bool Connection::read_some(bool more_behind) {
    Session::Room room;
    if (closing_ == Closing::kNo) {
        room = session_->room();
    }
    bool direct = room.bytes != nullptr;
    long count = transport_->read(direct ? room.bytes : hub_.read_buffer(), room.size);
    if (count > 0) {
        bool more = more_behind || count == static_cast<long>(room.size);
        bytes_in += static_cast<uint64_t>(count);
        last_read_at = hub_.loop().iteration_time();
        if (count >= kMuch) {
            hub_.loop().close_group();
        }
        if (closing_ == Closing::kNo) {
            if (direct) {
                session_->on_read(static_cast<size_t>(count));
            } else {
                session_->on_bytes(hub_.read_buffer(), static_cast<size_t>(count));
            }
            return more;
        }
        lingered_ += static_cast<uint64_t>(count);
        if (lingered_ > kLingerBytes) {
            close_now(CloseCause::kServer);
        }
        return more;
    }
    if (count == 0) {
        on_read_end();
    } else if (errno != EAGAIN) {
        close_now(CloseCause::kReset);
    }
    return false;
}

void Connection::on_read_end() {
    peer_ended_ = true;
    if (closing_ == Closing::kLingering) {
        close_now(CloseCause::kServer);
        return;
    }
    pause_reading();  // the end stays readable: level-triggered interest would spin
    if (closing_ == Closing::kNo) {
        session_->on_end();
    }
}

uint32_t Connection::interest() const {
    return loop::kEdge | (reading_ ? kReads : 0) | (blocked_ ? loop::kWritable : 0);
}

void Connection::update_interest() {
    if (watched_) {
        (void)hub_.loop().set_interest(watch_, interest());
    }
}

void Connection::pause_reading() {
    if (reading_) {
        reading_ = false;
        update_interest();
    }
}

void Connection::resume_reading() {
    if (!reading_ && !peer_ended_ && !closed_) {
        reading_ = true;
        update_interest();
        read_again();
    }
}

void Connection::flush() {
    if (!closed_ && fills_) {
        (void)session_->fill();
    }
    if (closed_ || queue_.empty()) {
        return;
    }
    uint64_t sent = 0;
    FlushResult result = queue_.flush(*transport_, sent, closing_ != Closing::kNo);
    while (fills_ && result == FlushResult::kDrained && closing_ == Closing::kNo &&
           session_->fill()) {
        if (closed_) {
            return;
        }
        result = queue_.flush(*transport_, sent);
    }
    bytes_out += sent;
    if (closed_) {
        return;
    }
    count_unsent();
    if (result == FlushResult::kDrained) {
        on_drained();
    } else if (result == FlushResult::kFailed) {
        close_now(CloseCause::kReset);
    } else {
        if (sent > 0 || !blocked_) {
            write_deadline_ = hub_.loop().iteration_time() + times_.write_stall;
            arm_for(write_deadline_);
        }
        if (!blocked_) {
            blocked_ = true;
            update_interest();
        }
        if (closing_ == Closing::kNo) {
            session_->on_blocked();
        }
    }
}

bool Connection::has_room(uint64_t usual) {
    unsent_.begin(hub_.unsent());
    count_unsent();
    return pending() < hub_.unsent().room_of_each(usual);
}

void Connection::on_drained() {
    hub_.take_back(queue_.cork());
    write_deadline_ = kNever;
    bool was_blocked = blocked_;
    if (blocked_) {
        blocked_ = false;
        update_interest();
    }
    if (closing_ != Closing::kNo) {
        finish_close();
    } else if (was_blocked) {
        session_->on_drained();
    }
}

void Connection::set_deadline(Nanos when) {
    deadline_ = when;
    if (when < armed_for_) {
        arm_for(when);
    }
}

void Connection::arm_for(Nanos when) {
    if (when >= armed_for_) {
        return;  // the timer fires earlier and looks again
    }
    armed_for_ = when;
    hub_.loop().arm(timer_, when - hub_.loop().iteration_time());
}

void Connection::on_timer() {
    Nanos now = hub_.loop().iteration_time();
    armed_for_ = kNever;
    if (write_deadline_ <= now) {
        if (closing_ == Closing::kNo) {
            session_->on_stalled();
        }
        close_with_reset(CloseCause::kTimeout);
        return;
    }
    if (deadline_ <= now) {
        deadline_ = kNever;
        if (closing_ == Closing::kNo) {
            session_->on_deadline();
        } else {
            close_now(CloseCause::kServer);
        }
        if (closed_) {
            return;
        }
    }
    Nanos next = deadline_ < write_deadline_ ? deadline_ : write_deadline_;
    if (next != kNever) {
        arm_for(next);
    }
}

void Connection::close_after_flush() {
    if (closing_ == Closing::kNo) {
        closing_ = Closing::kAfterFlush;
        set_deadline(kNever);
        if (queue_.empty()) {
            finish_close();
        } else {
            mark_dirty();
        }
    }
}

void Connection::close_lingering() {
    if (closing_ == Closing::kNo) {
        closing_ = Closing::kLingerAfterFlush;
        set_deadline(kNever);
        resume_reading();
        if (queue_.empty()) {
            finish_close();
        } else {
            mark_dirty();
        }
    }
}

void Connection::finish_close() {
    if (closing_ == Closing::kLingerAfterFlush && !peer_ended_) {
        closing_ = Closing::kLingering;
        transport_->shutdown_write();
        set_deadline(hub_.loop().iteration_time() + times_.linger);
        resume_reading();
    } else if (closing_ != Closing::kLingering) {
        transport_->say_goodbye();
        close_now(CloseCause::kServer);
    }
}

void Connection::close_with_reset(CloseCause cause) {
    if (!closed_ && watch_.fd >= 0) {
        os::set_reset_on_close(watch_.fd);
    }
    close_now(cause);
}

void Connection::close_now(CloseCause cause) {
    if (closed_) {
        return;
    }
    cause_ = cause;
    if (watched_) {
        hub_.loop().forget(watch_);  // close() below takes it out of the kernel's set
        watched_ = false;
    }
    os::close_fd(watch_.fd);
    end();
    transport_->on_closed(cause);
    session_->on_closed();
    hub_.bury(*this);
}

int Connection::give_up_descriptor() {
    if (watched_) {
        hub_.loop().unwatch(watch_);
        watched_ = false;
    }
    end();
    hub_.bury(*this);
    return std::exchange(watch_.fd, -1);
}

void Connection::end() {
    closed_ = true;
    hub_.loop().disarm(timer_);
    queue_.drop();
    count_unsent();
    hub_.take_back(queue_.cork());
    DirtyNode::unlink();
    IterationNode::unlink();
    again_.unlink();
}

}  // namespace stampede::net
