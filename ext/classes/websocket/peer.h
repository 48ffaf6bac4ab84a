// The PHP side of a server's WebSocket connection: fetching messages and sending frames, in
// coroutines. Owned by the Response that made the upgrade; the connection may go before it. PHP
// thread; receive() and send() park.
#pragma once

#include "classes/websocket/frame.h"
#include "ext/server/send_turns.h"
#include "runtime/runtime.h"
#include "server/exchange.h"
#include "server/settings.h"
#include "server/websocket_session.h"

namespace stampede::classes {

class WebSocketPeer final : private server::WebSocketOwner {
public:
    // Responds to the request with 101, these fields included, and takes the connection over.
    // Null when the request does not ask for it rightly: then it has its response.
    static WebSocketPeer* upgrade(server::Exchange& exchange, server::FieldList fields);
    // Says goodbye when that was not done.
    ~WebSocketPeer();
    WebSocketPeer(const WebSocketPeer&) = delete;
    WebSocketPeer& operator=(const WebSocketPeer&) = delete;

    bool open() const { return session_ != nullptr && !session_->close_sent(); }

    enum class Received : uint8_t { kFrame, kClosed, kFailed };
    // kFailed sets the API's last error.
    Received receive(Nanos deadline, zval* out);
    // Waits for room, behind others that do; outside of coroutines it fails with a warning when
    // there is none.
    bool send(const OutFrame& frame);
    // A close frame; receive() then sees the peer's.
    void close(uint16_t code, std::string_view reason);
    // The same, and nothing of the peer counts any more. Waiting coroutines go on.
    void shut();
    // It is not closed when the worker drains.
    void keep_open();
    runtime::Fiber* reader() const { return reader_; }

private:
    WebSocketPeer(server::WebSocketSession& session, const server::WebSocketSettings& settings,
                  zend_long fd);

    Received take(const proto::ws::ReadEvent& event, zval* out);
    class Frame;
    class Room;

    bool wait_for_input(Nanos deadline);
    Delivery::Step look_for_room();
    bool wait_for_room();
    void on_input() override;
    void on_drained() override { on_progress(); }
    void on_progress() override { turns_.look_again(); }
    void on_gone() override;

    server::WebSocketSession* session_;
    const server::WebSocketSettings settings_;
    zend_long fd_;
    runtime::Fiber* reader_ = nullptr;
    SendTurns turns_;
};

}  // namespace stampede::classes
