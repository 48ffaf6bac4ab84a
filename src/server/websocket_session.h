// The server's end of a WebSocket connection whose messages its owner fetches when he wants them;
// what is not fetched stays bounded, since reading pauses. Owned by the connection; loop thread;
// never parks.
#pragma once

#include "proto/ws/reader.h"
#include "net/connection.h"
#include "server/room.h"
#include "server/stall.h"

namespace stampede::server {

// The reader of messages. Called from the loop: it only wakes.
class WebSocketOwner {
public:
    virtual void on_input() = 0;     // something came, or the peer has ended
    virtual void on_drained() = 0;   // nothing is waiting to be written any more
    virtual void on_progress() = 0;  // a write has ended with bytes left
    virtual void on_gone() = 0;      // the session ends now: the last call; it may delete itself

protected:
    ~WebSocketOwner() = default;
};

class Service;

class WebSocketSession final : public net::Session {
public:
    WebSocketSession(Service& service, net::Connection& connection,
                     const proto::ws::ReadLimits& limits,
                     std::unique_ptr<proto::ws::Deflate> deflate);
    ~WebSocketSession() override;

    // A peer from whom nothing comes for so long is cut off; half-way it is sent a ping.
    void watch_silence(Nanos most);
    // So is one that has begun a message and does not finish it in this time.
    void limit_messages(Nanos most) { most_of_message_ = most; }
    // Null: nobody reads.
    void set_owner(WebSocketOwner* owner) { owner_ = owner; }
    proto::ws::Deflate* deflate() { return deflate_.get(); }
    net::Connection& connection() { return connection_; }

    // Of what has come. Its payload stays until the next call.
    proto::ws::ReadEvent next();
    // The peer will send nothing more; what came before can still be fetched.
    bool ended() const { return connection_.peer_ended(); }

    // Frames are appended here; sent() follows.
    Buffer& out() { return connection_.cork(); }
    void sent() { connection_.mark_dirty(); }
    // Sends a close frame once, then closes when it is out.
    void send_close(uint16_t code, std::string_view reason);
    bool close_sent() const { return close_sent_; }
    // The owner closes it: a worker that drains leaves it alone.
    void keep_open() { kept_open_ = true; }
    void close_after_flush() { connection_.close_after_flush(); }

    net::Spoken speaks() const override { return net::Spoken::kWebSocket; }
    void on_bytes(const char* data, size_t size) override;
    net::Session::Room room() override;
    void on_read(size_t size) override;
    void on_end() override;
    void on_drained() override;
    void on_blocked() override;
    void on_stalled() override { log_stall(connection_); }
    void on_deadline() override;
    void on_closed() override;
    void drain() override;

private:
    static constexpr size_t kSlack = 64 * 1024;

    bool has_room() {
        size_t size = in_.size() + reader_.kept();
        return (held_ == 0 && size <= server::Room::kFree) || take_room(size);
    }
    bool take_room(size_t size);
    void has_come();
    bool has_much() const { return in_.size() > reader_.limits().message_bytes + kSlack; }
    void note_progress(const proto::ws::ReadEvent& event);
    void look_for_silence_at(Nanos when);

    Service& service_;
    net::Connection& connection_;
    std::unique_ptr<proto::ws::Deflate> deflate_;
    proto::ws::Reader reader_;
    Buffer in_;
    uint64_t held_ = 0;  // of the service's room for bodies
    WebSocketOwner* owner_ = nullptr;
    Nanos most_silence_ = 0;
    Nanos most_of_message_ = 0;
    Nanos message_ends_ = kNever;  // the present one must
    bool close_sent_ = false;
    bool kept_open_ = false;
};

}  // namespace stampede::server
