#include "server/proxied_transport.h"

#include <algorithm>
#include <cerrno>

#include "proto/proxy/header.h"
#include "server/service.h"

namespace stampede::server {

using proto::proxy::HeaderStatus;

// 1: the header is there. Otherwise what read() returns.
long ProxiedTransport::take_header(char* out, size_t capacity) {
    int fd = connection_.fd();
    long count = os::peek(fd, out, std::min(capacity, proto::proxy::kMostHeader));
    if (count <= 0) {
        return count;
    }
    proto::proxy::Header header;
    auto result = proto::proxy::parse_header(out, static_cast<size_t>(count), header);
    if (result.status == HeaderStatus::kNeedMore) {
        errno = EAGAIN;
        return -1;
    }
    bool good = result.status == HeaderStatus::kDone &&
                os::receive(fd, out, result.size) == static_cast<long>(result.size);
    if (!good) {
        service_.admission().note_bad_header(connection_);
        errno = EPROTO;
        return -1;
    }
    open_ = true;
    if (!header.own) {
        told_ = true;
        via_.destination = header.destination;
        via_.encrypted = header.encrypted;
        connection_.peer = header.source;
    }
    if (!service_.let_in(connection_)) {
        errno = ECONNREFUSED;
        return -1;
    }
    return 1;
}

long ProxiedTransport::read(char* out, size_t capacity) {
    if (!open_) {
        long result = take_header(out, capacity);
        if (result <= 0) {
            return result;
        }
    }
    return inner_.read(out, capacity);
}

long ProxiedTransport::write(const iovec* parts, int count) {
    if (!open_) {
        errno = EPROTO;
        return -1;
    }
    return inner_.write(parts, count);
}

long ProxiedTransport::send_file(int file, off_t& offset, size_t count) {
    if (!open_) {
        errno = EPROTO;
        return -1;
    }
    return inner_.send_file(file, offset, count);
}

void ProxiedTransport::shutdown_write() {
    if (open_) {
        inner_.shutdown_write();
    }
}

}  // namespace stampede::server
