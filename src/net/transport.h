// How a connection's bytes reach the peer. One of the seams: plain sockets, TLS, memory (tests
// and fuzzers). Embedded in or owned by its Connection, used on the loop's thread, never parks:
// would-block is -1 with EAGAIN.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "os/socket.h"

namespace stampede::net {

// What a proxy said in front of the connection (the PROXY protocol).
struct ViaProxy {
    sockaddr_in6 destination{};  // that the client wanted; family 0: a unix socket
    bool encrypted = false;      // the client speaks TLS with the proxy
};

enum class CloseCause : uint8_t { kNone, kPeer, kServer, kReset, kTimeout, kError };

class Transport {
public:
    virtual ~Transport() = default;
    // Bytes moved, 0 at the peer's end (read), -1 with errno.
    virtual long read(char* out, size_t capacity) = 0;
    virtual long write(const iovec* parts, int count) = 0;
    virtual long send_file(int file, off_t& offset, size_t count) = 0;
    virtual void shutdown_write() = 0;
    // The next write offers the last bytes there are: the end can go out with them.
    virtual void expect_last_write() {}
    // The next write is followed by a file at once: its last packet can wait for that.
    virtual void expect_file() {}
    // Says that nothing more will come where the protocol has a word for it, as far as that goes
    // without waiting. Once.
    virtual void say_goodbye() {}
    // What the peer and this side agreed on before the first byte (ALPN), empty: nothing.
    virtual std::string_view protocol() const { return {}; }
    virtual bool encrypted() const { return false; }
    // PEM, empty when the peer has shown none.
    virtual std::string peer_certificate() const { return {}; }
    // False while a handshake or a header comes before the first byte.
    virtual bool ready() const { return true; }
    // Null: there was no proxy, or it said nothing.
    virtual const ViaProxy* via_proxy() const { return nullptr; }
    // Bytes that were taken from the descriptor wait inside: it will not become readable for them.
    virtual bool holds_bytes() const { return false; }
    // The connection is gone: the last call.
    virtual void on_closed(CloseCause cause) { (void)cause; }
};

class PlainTransport final : public Transport {
public:
    explicit PlainTransport(int fd) : fd_(fd) {}

    long read(char* out, size_t capacity) override { return os::receive(fd_, out, capacity); }
    long write(const iovec* parts, int count) override {
        if (std::exchange(file_follows_, false)) {
            return os::send_held(fd_, parts, count);
        }
        if (count == 1) {
            return os::send_bytes(fd_, static_cast<const char*>(parts->iov_base), parts->iov_len);
        }
        return os::send_vector(fd_, parts, count);
    }
    long send_file(int file, off_t& offset, size_t count) override {
        return os::send_file(fd_, file, offset, count);
    }
    void shutdown_write() override { os::shutdown_write(fd_); }
    void expect_file() override { file_follows_ = true; }

private:
    int fd_;
    bool file_follows_ = false;
};

}  // namespace stampede::net
