#include "io/endpoint_sender.h"

#include <cerrno>

#include "error_numbers.h"
#include "os/fd.h"
#include "os/file.h"

namespace stampede::io {

long EndpointSender::send(std::string_view bytes, double timeout) {
    state_.clear_error();
    if (!state_.check_open()) {
        return -1;
    }
    long count = state_.stream().send(bytes.data(), bytes.size(), state_.write_deadline(timeout));
    if (UNEXPECTED(count < 0)) {
        state_.fail_as_stream();
    }
    return count;
}

long EndpointSender::send_all(std::string_view bytes, double timeout) {
    state_.clear_error();
    if (!state_.check_open()) {
        return -1;
    }
    size_t count = state_.stream().send_all(bytes, state_.write_deadline(timeout));
    if (EXPECTED(count == bytes.size())) {
        return static_cast<long>(count);
    }
    state_.fail_as_stream();
    return count > 0 ? static_cast<long>(count) : -1;
}

long EndpointSender::send_vector_all(const iovec* parts, int count, double timeout) {
    state_.clear_error();
    if (!state_.check_open()) {
        return -1;
    }
    size_t wanted = 0;
    for (int i = 0; i < count; i++) {
        wanted += parts[i].iov_len;
    }
    size_t sent = state_.stream().send_vector(parts, count, state_.write_deadline(timeout));
    if (sent == wanted) {
        return static_cast<long>(sent);
    }
    state_.fail_as_stream();
    return sent > 0 ? static_cast<long>(sent) : -1;
}

long EndpointSender::send_vector(const iovec* parts, int count, double timeout) {
    if (state_.stream().tls() != nullptr) {
        return send_vector_all(parts, count, timeout);
    }
    state_.clear_error();
    Nanos until = state_.write_deadline(timeout);
    while (state_.check_open()) {
        long sent = os::send_vector(state_.fd(), parts, count);
        if (sent >= 0) {
            return sent;
        }
        if (errno != EAGAIN) {
            state_.fail(errno);
            return -1;
        }
        state_.descriptor().blocked(Direction::kWrite);
        if (!state_.wait(Direction::kWrite, until)) {
            return -1;
        }
    }
    return -1;
}

long EndpointSender::send_to(std::string_view host, int port, std::string_view bytes) {
    state_.clear_error();
    Nanos until = state_.write_deadline(0);
    AddressList peer;
    if (!state_.check_open() || !state_.look_up(host, port, until, peer)) {
        return -1;
    }
    while (state_.check_open()) {
        long sent = os::send_to(state_.fd(), bytes.data(), bytes.size(), peer.items[0]);
        if (sent >= 0) {
            return sent;
        }
        if (errno != EAGAIN) {
            state_.fail(errno);
            return -1;
        }
        state_.descriptor().blocked(Direction::kWrite);
        if (!state_.wait(Direction::kWrite, until)) {
            return -1;
        }
    }
    return -1;
}

bool EndpointSender::send_file(const char* path, zend_long offset, zend_long count) {
    state_.clear_error();
    if (!state_.check_open()) {
        return false;
    }
    os::FileInfo file = os::open_regular(path);
    if (file.fd < 0) {
        return state_.fail(errno == ENOENT ? api_error::kFileNotExist : errno);
    }
    auto begin = static_cast<uint64_t>(offset > 0 ? offset : 0);
    uint64_t left = begin < file.size ? file.size - begin : 0;
    uint64_t wanted = count > 0 ? static_cast<uint64_t>(count) : left;
    if (offset < 0 || count < 0 || wanted > left || (count == 0 && begin > file.size)) {
        os::close_fd(file.fd);
        return state_.fail(EINVAL);
    }
    uint64_t sent = state_.stream().send_file(file.fd, begin, wanted, state_.write_deadline(0));
    os::close_fd(file.fd);
    if (sent == wanted) {
        return true;
    }
    if (state_.stream().error() == 0) {
        return state_.fail(EIO);  // the file has become shorter meanwhile
    }
    return state_.fail_as_stream();
}

}  // namespace stampede::io
