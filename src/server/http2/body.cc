#include "server/http2/body.h"

#include <algorithm>

#include "os/fd.h"
#include "os/socket_io.h"

namespace stampede::server {

void Http2Body::let_go(void* argument) {
    auto* shared = static_cast<Shared*>(argument);
    if (--shared->holders == 0) {
        shared->bytes.release(shared->bytes.owner);
        delete shared;
    }
}

void Http2Body::add(const net::BytesRef& bytes) {
    segments_.push_back({copied_.size() - claimed_, new Shared{bytes, 1}, {}});
    claimed_ = copied_.size();
    size_ += bytes.bytes.size();
}

// The descriptor is the body's from here on.
void Http2Body::add(const net::FileRange& file) {
    segments_.push_back({copied_.size() - claimed_, nullptr, file});
    claimed_ = copied_.size();
    size_ += file.length;
}

// The size is what the protocol was offered, so it is there, unless a file was cut short: what then
// has been moved already is for the caller to take back, and the body is of no more use.
bool Http2Body::move_to(net::Connection& connection, size_t count) {
    size_ -= count;
    while (count > 0) {
        bool copied_next = segments_.empty() || segments_.front().copied_before > 0;
        size_t moved = copied_next ? move_copied(connection, count)
                       : segments_.front().shared != nullptr
                           ? move_shared(connection, segments_.front(), count)
                           : move_file(connection, segments_.front(), count);
        if (moved == 0) {
            return false;
        }
        count -= moved;
    }
    return true;
}

size_t Http2Body::move_copied(net::Connection& connection, size_t most) {
    size_t here = segments_.empty() ? copied_.size() : segments_.front().copied_before;
    size_t count = std::min(most, here);
    connection.cork().append({copied_.data(), count});
    copied_.consume(count);
    if (!segments_.empty()) {
        segments_.front().copied_before -= count;
        claimed_ -= count;
    }
    return count;
}

size_t Http2Body::move_shared(net::Connection& connection, Segment& segment, size_t most) {
    std::string_view& rest = segment.shared->bytes.bytes;
    size_t count = std::min(most, rest.size());
    segment.shared->holders++;  // first: write_ref() may let go of it at once
    connection.write_ref({rest.substr(0, count), segment.shared, let_go});
    rest.remove_prefix(count);
    if (rest.empty()) {
        pop_front();
    }
    return count;
}

// Read into the frame: what is sent encrypted or in frames cannot go past this process anyway.
size_t Http2Body::move_file(net::Connection& connection, Segment& segment, size_t most) {
    net::FileRange& file = segment.file;
    size_t count = static_cast<size_t>(std::min<uint64_t>(most, file.length));
    char* to = connection.large_cork().reserve(count);
    long got = os::read_at(file.fd, to, count, static_cast<uint64_t>(file.offset));
    if (got <= 0) {
        return 0;
    }
    connection.cork().commit(static_cast<size_t>(got));
    file.offset += got;
    file.length -= static_cast<uint64_t>(got);
    if (file.length == 0) {
        pop_front();
    }
    return static_cast<size_t>(got);
}

void Http2Body::pop_front() {
    Segment& segment = segments_.front();
    if (segment.shared != nullptr) {
        let_go(segment.shared);
    } else {
        os::close_fd(segment.file.fd);
    }
    segments_.erase(segments_.begin());
}

void Http2Body::clear() {
    while (!segments_.empty()) {
        pop_front();
    }
    copied_.clear();
    claimed_ = size_ = 0;
}

void Http2Body::reuse() {
    clear();
    if (copied_.capacity() > kKept) {
        copied_.release();
    }
    if (segments_.capacity() > 8) {
        segments_ = {};
    }
}

}  // namespace stampede::server
