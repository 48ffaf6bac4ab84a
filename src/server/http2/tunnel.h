// A stream of HTTP/2 that becomes a connection of its own (RFC 8441, the WebSocket of a page that
// came by HTTP/2): a net::Connection with a number, whose transport is the stream. What the peer
// sends waits here until it is read, which gives back the stream's window; what is written becomes
// frames of the stream. Owned by its connection; the stream goes first or later. Loop thread; never
// parks.
#pragma once

#include "base/buffer.h"
#include "loop/loop.h"
#include "net/transport.h"
#include "server/http_session.h"
#include "server/upgraded_session.h"

namespace stampede::server {

class Http2Session;
struct Http2Stream;

class Http2Tunnel final : public net::Transport {
public:
    Http2Tunnel(Http2Session& session, Http2Stream& stream, bool encrypted);
    ~Http2Tunnel() override;

    // The stream says: bytes came, the peer ended, there is room again, the stream is gone.
    void receive(std::string_view bytes);
    void receive_end();
    void drained();
    void lose_stream();

    // The connection is gone: the stream ends, in order or not.
    void leave_stream(net::CloseCause cause);

    long read(char* out, size_t capacity) override;
    long write(const iovec* parts, int count) override;
    long send_file(int file, off_t& offset, size_t count) override;
    void shutdown_write() override;
    bool encrypted() const override { return encrypted_; }
    bool holds_bytes() const override { return !in_.empty() || (ended_ && !told_end_); }

    void set_connection(net::Connection& connection) { connection_ = &connection; }
    net::Connection& connection() { return *connection_; }

private:
    static constexpr uint64_t kMostUnsent = 256 * 1024;
    static constexpr uint64_t kAgainBelow = 64 * 1024;

    struct Event : loop::Task {
        Http2Tunnel* tunnel;
    };
    void look_later();
    void look();

    Http2Session& session_;
    Http2Stream* stream_;
    net::Connection* connection_ = nullptr;
    Buffer in_;
    Event event_;
    bool encrypted_;
    bool ended_ = false;  // by the peer
    bool told_end_ = false;
    bool blocked_ = false;
};

// What speaks on a tunnel: nothing until the response to the handshake was sent.
class TunnelSession final : public ServiceSession {
public:
    TunnelSession(Service& service, Http2Tunnel& tunnel) : service_(service), tunnel_(tunnel) {}

    void begin(std::unique_ptr<UpgradedSession> upgraded);

    void on_bytes(const char* data, size_t size) override;
    void on_end() override;
    void on_drained() override;
    void on_deadline() override;
    void on_closed() override;
    Exchange* open_exchange() const override { return nullptr; }
    void drain() override;
    bool idle() const override { return false; }

private:
    Service& service_;
    Http2Tunnel& tunnel_;
    std::unique_ptr<UpgradedSession> upgraded_;
};

}  // namespace stampede::server
