// Frames, gathered so that a usual response is one system call.
#include "request_loop/response.h"

#include <sys/uio.h>

#include <utility>

#include "ext/metrics/present.h"
#include "os/socket.h"

namespace stampede::request_loop {
namespace {

bool send_all(int connection, std::string_view first, std::string_view second) {
    iovec parts[] = {{const_cast<char*>(first.data()), first.size()},
                     {const_cast<char*>(second.data()), second.size()}};
    for (int from = parts[0].iov_len == 0 ? 1 : 0; from < 2;) {
        if (parts[from].iov_len == 0) {
            from++;
            continue;
        }
        long sent = os::send_vector(connection, parts + from, 2 - from);
        if (sent <= 0) {
            return false;
        }
        for (auto left = static_cast<size_t>(sent); left > 0;) {
            size_t taken = std::min(left, parts[from].iov_len);
            parts[from].iov_base = static_cast<char*>(parts[from].iov_base) + taken;
            parts[from].iov_len -= taken;
            left -= taken;
            from += parts[from].iov_len == 0 && from == 0 ? 1 : 0;
        }
    }
    return true;
}

}  // namespace

Response::Response(int connection) : connection_(connection) { body_.reserve(kCapacity); }

void Response::greet(int process) {
    append_frame_head('R', static_cast<size_t>(process));
    failed_ = !send_all(connection_, head_, {});
}

void Response::begin() {
    head_.clear();
    body_.clear();
    has_head_ = has_sent_ = ended_ = false;
    (void)metrics::take_route();  // given too late, by the script before
}

void Response::append_frame_head(char type, size_t size) {
    auto length = static_cast<uint32_t>(size);
    head_.append({type, static_cast<char>(length >> 24), static_cast<char>(length >> 16),
                  static_cast<char>(length >> 8), static_cast<char>(length)});
}

void Response::files(std::string_view paths) {
    append_frame_head('U', paths.size());
    failed_ = failed_ || !send_all(connection_, head_, paths);
    head_.clear();
}

void Response::head(std::string lines) {
    if (ended_ || std::exchange(has_head_, true)) {
        return;
    }
    if (std::string route = metrics::take_route(); !route.empty()) {
        append_frame_head('M', route.size());
        head_ += route;
    }
    append_frame_head('H', lines.size());
    head_ += lines;
}

void Response::failure(std::string_view text) {
    if (ended_ || has_sent_) {
        return;
    }
    std::string response = std::exchange(head_, {});
    append_frame_head('X', text.size());
    head_.append(text).append(response);
}

bool Response::write(std::string_view part) {
    if (ended_) {
        return true;
    }
    if (body_.size() + part.size() <= kCapacity) {
        body_ += part;
        return !failed_;
    }
    if (!flush()) {
        return false;
    }
    for (; part.size() > kCapacity; part.remove_prefix(std::min(part.size(), kMaxPart))) {
        if (!send_frames('D', part.substr(0, kMaxPart))) {
            return false;
        }
    }
    body_ += part;
    return true;
}

bool Response::flush() {
    if (ended_ || failed_ || (head_.empty() && body_.empty())) {
        return !failed_;
    }
    has_sent_ = true;
    bool sent = body_.empty() ? send_all(connection_, head_, {}) : send_frames('D', body_);
    head_.clear();
    body_.clear();
    failed_ = failed_ || !sent;
    return sent;
}

void Response::end(EndOf what) {
    (void)send_frames(static_cast<char>(what), body_);
    body_.clear();
    ended_ = true;
}

bool Response::send_frames(char type, std::string_view part) {
    append_frame_head(type, part.size());
    has_sent_ = true;
    failed_ = failed_ || !send_all(connection_, head_, part);
    head_.clear();
    return !failed_;
}

}  // namespace stampede::request_loop
