#include "server/http2/tunnel.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "os/socket_io.h"
#include "server/http2/session.h"
#include "server/service.h"

namespace stampede::server {

Http2Tunnel::Http2Tunnel(Http2Session& session, Http2Stream& stream, bool encrypted)
    : session_(session), stream_(&stream), encrypted_(encrypted) {
    event_.tunnel = this;
    event_.run = [](loop::Task& task) { static_cast<Event&>(task).tunnel->look(); };
}

Http2Tunnel::~Http2Tunnel() { event_.unlink(); }

void Http2Tunnel::receive(std::string_view bytes) {
    in_.append(bytes);
    look_later();
}

void Http2Tunnel::receive_end() {
    ended_ = true;
    look_later();
}

void Http2Tunnel::drained() {
    if (blocked_) {
        look_later();
    }
}

void Http2Tunnel::look_later() {
    if (!event_.linked()) {
        connection_->hub().loop().enqueue(event_);
    }
}

void Http2Tunnel::look() {
    uint32_t events = holds_bytes() ? uint32_t{loop::kReadable} : 0;
    if (blocked_) {
        blocked_ = false;
        events |= loop::kWritable;
    }
    if (!connection_->closed() && events != 0) {
        connection_->on_ready(events);
    }
}

// The connection may still have bytes to write; write() finds that there is no stream.
void Http2Tunnel::lose_stream() {
    stream_ = nullptr;
    connection_->close_now(net::CloseCause::kPeer);
}

void Http2Tunnel::on_closed(net::CloseCause cause) {
    event_.unlink();
    if (Http2Stream* stream = std::exchange(stream_, nullptr)) {
        session_.end_tunnel(*stream, cause);
    }
}

// What is read makes room for as much more: the peer's window of this stream is all that limits
// `in_`.
long Http2Tunnel::read(char* out, size_t capacity) {
    size_t count = std::min(capacity, in_.size());
    if (count > 0) {
        std::memcpy(out, in_.data(), count);
        in_.consume(count);
        if (in_.empty()) {
            in_.release();
        }
        if (stream_ != nullptr) {
            session_.give_back_window(*stream_, count);
        }
        return static_cast<long>(count);
    }
    if (ended_) {
        told_end_ = true;
        return 0;
    }
    errno = EAGAIN;
    return -1;
}

// The bytes are copied: there is no other place where they could wait until windows let them go.
// Above the limit the connection is told to wait, as by a socket whose buffer is full.
long Http2Tunnel::write(const iovec* parts, int count) {
    if (stream_ == nullptr) {
        errno = EPIPE;
        return -1;
    }
    uint64_t unsent = stream_->response.body.size();
    size_t room = unsent < kMostUnsent ? static_cast<size_t>(kMostUnsent - unsent) : 0;
    size_t taken = 0;
    for (int i = 0; i < count && taken < room; i++) {
        size_t piece = std::min(parts[i].iov_len, room - taken);
        stream_->response.body.append({static_cast<const char*>(parts[i].iov_base), piece});
        taken += piece;
        blocked_ = piece < parts[i].iov_len;
    }
    if (taken == 0) {
        blocked_ = true;
        errno = EAGAIN;
        return -1;
    }
    session_.more_to_send(*stream_);
    return static_cast<long>(taken);
}

long Http2Tunnel::send_file(int file, off_t& offset, size_t count) {
    char piece[16 * 1024];
    long got =
        os::read_at(file, piece, std::min(count, sizeof(piece)), static_cast<uint64_t>(offset));
    if (got <= 0) {
        return got;
    }
    iovec part{piece, static_cast<size_t>(got)};
    long sent = write(&part, 1);
    offset += std::max(sent, 0L);
    return sent;
}

void Http2Tunnel::shutdown_write() {
    if (stream_ != nullptr) {
        stream_->response.ended = true;
        session_.more_to_send(*stream_);
    }
}

void TunnelSession::on_closed() { service_.forget(connection_); }

}  // namespace stampede::server
