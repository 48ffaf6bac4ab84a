// TLS between a connection and its descriptor. Owned by its Connection, loop thread, never parks:
// the handshake goes on with each read. Several records leave in one system call: what ends the
// handshake (tickets) goes with the first response, the closing alert with the last. What the
// socket does not take of them stays here, and so long the caller is told that as many of its bytes
// are not sent yet. It offers them again, as it does anyway, and they are passed over.
//
// Where the kernel makes the records (kTLS), bytes and files go straight to the descriptor.
#pragma once

#include <memory>

#include "base/buffer.h"
#include "net/transport.h"
#include "tls/session.h"

namespace stampede::net {

// Handshakes that have ended, of all connections of a process.
struct HandshakeCounts {
    uint64_t full = 0;
    uint64_t resumed = 0;
    uint64_t failed = 0;
};

class TlsTransport final : public Transport {
public:
    // counts: null where nobody wants to know.
    TlsTransport(int fd, std::unique_ptr<tls::Session> session, HandshakeCounts* counts = nullptr)
        : descriptor_(fd), session_(std::move(session)), counts_(counts) {
        session_->read_ahead();
    }

    long read(char* out, size_t capacity) override;
    long write(const iovec* parts, int count) override;
    long send_file(int file, off_t& offset, size_t count) override;
    void shutdown_write() override;
    void expect_last_write() override { last_ = true; }
    void say_goodbye() override;
    std::string_view protocol() const override { return session_->alpn(); }
    bool encrypted() const override { return true; }
    bool ready() const override { return session_->established(); }
    std::string peer_certificate() const override { return session_->peer_certificate_pem(); }
    bool holds_bytes() const override { return session_->holds_bytes(); }
    tls::Session& session() { return *session_; }

private:
    static constexpr size_t kRecord = 16 * 1024;
    static constexpr size_t kBatch = 2 * kRecord;  // more leaves the cache before it is sent
    static constexpr size_t kLittle = 1024;        // is kept in a buffer of its size

    long fail(tls::Step step);
    bool shake_hands();
    void count_handshake(tls::Step step);
    tls::Step encrypt(std::string_view bytes, size_t& taken);
    tls::Step send_records();
    void begin_records();
    long end_records(tls::Step step, size_t taken);
    void put_records_away();
    void send_held();
    void make_goodbye();
    static Buffer& spare();

    PlainTransport descriptor_;
    std::unique_ptr<tls::Session> session_;
    HandshakeCounts* counts_;  // null once this one is counted
    Buffer records_;           // made, and not sent
    size_t offered_ = 0;  // bytes of the caller that are in records_, of which it was told nothing
    bool ended_ = false;
    bool last_ = false;          // the bytes of the next write are the last
    bool said_goodbye_ = false;  // the closing alert is made
};

}  // namespace stampede::net
