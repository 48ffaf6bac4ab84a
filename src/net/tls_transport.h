// TLS between a connection and its descriptor. Owned by its Connection, loop thread, never parks:
// the handshake goes on with each read.
#pragma once

#include <memory>

#include "net/transport.h"
#include "tls/session.h"

namespace stampede::net {

class TlsTransport final : public Transport {
public:
    TlsTransport(int fd, std::unique_ptr<tls::Session> session)
        : fd_(fd), session_(std::move(session)) {
        session_->read_ahead();
    }

    long read(char* out, size_t capacity) override;
    long write(const iovec* parts, int count) override;
    long send_file(int file, off_t& offset, size_t count) override;
    void shutdown_write() override;
    std::string_view protocol() const override { return session_->alpn(); }
    bool encrypted() const override { return true; }
    bool holds_bytes() const override { return session_->holds_bytes(); }
    tls::Session& session() { return *session_; }

private:
    static constexpr size_t kRecord = 16 * 1024;

    long fail(tls::Step step);
    bool shake_hands();
    tls::Step write_all(const char* data, size_t size, size_t& done);

    int fd_;
    std::unique_ptr<tls::Session> session_;
    bool ended_ = false;
};

}  // namespace stampede::net
