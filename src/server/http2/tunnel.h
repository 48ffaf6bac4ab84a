// A stream of HTTP/2 that becomes a connection of its own (RFC 8441, the WebSocket of a page that
// came by HTTP/2): a net::Connection with a number, whose transport is the stream. What the peer
// sends waits here until it is read, which gives back the stream's window; what is written becomes
// frames of the stream. Owned by its connection; the stream goes first or later, and whichever does
// clears both pointers before anything else. Loop thread; never parks.
//
//   the peer's connection -> Http2Session -> Http2Stream
//                                               ^ |
//                                               | v   plain pointers, none of them owns
//   a connection of its own -> WebSocketSession
//                           -> Http2Tunnel, its transport
#pragma once

#include "base/buffer.h"
#include "loop/loop.h"
#include "net/connection.h"

namespace stampede::server {

class Http2Session;
class Service;
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

    long read(char* out, size_t capacity) override;
    long write(const iovec* parts, int count) override;
    long send_file(int file, off_t& offset, size_t count) override;
    void shutdown_write() override;
    bool encrypted() const override { return encrypted_; }
    bool holds_bytes() const override { return !in_.empty() || (ended_ && !told_end_); }
    // The stream ends, in order or not.
    void on_closed(net::CloseCause cause) override;

    void set_connection(net::Connection& connection) { connection_ = &connection; }
    net::Connection& connection() { return *connection_; }

private:
    static constexpr uint64_t kMostUnsent = 256 * 1024;
    static constexpr uint64_t kAgainBelow = 64 * 1024;

    struct Event : loop::Task {
        Http2Tunnel* tunnel;
    };
    // What is to be told to the connection is told by a task: it reads and writes at once, and the
    // protocol of the carrier may be on the stack now.
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
    bool blocked_ = false;  // the connection has more to write than there was room for
};

// What speaks on a tunnel until the response to the handshake is sent: nothing.
class TunnelSession final : public net::Session {
public:
    TunnelSession(Service& service, net::Connection& connection)
        : service_(service), connection_(connection) {}

    void on_bytes(const char*, size_t) override {}
    void on_end() override {}
    void on_drained() override {}
    void on_deadline() override {}
    void on_closed() override;
    void drain() override {}

private:
    Service& service_;
    net::Connection& connection_;
};

}  // namespace stampede::server
