// The WebSocket connections of a worker whose application wants events: open, message, and pushing
// by number. Messages become coroutines in the ready phase; a peer whose messages are not finished,
// or which does not read, is not read from. Owned by the worker's handler; PHP thread; never parks.
#pragma once

#include <unordered_map>
#include <vector>

#include "ext/server/request_jobs.h"
#include "ext/server/state.h"
#include "io/websocket_frames.h"
#include "proto/ws/reader.h"
#include "server/websocket_session.h"

namespace stampede::classes {

class WebSocketHub {
public:
    WebSocketHub(ServerState& state, RequestJobs& jobs, const RequestOptions& options)
        : state_(state), jobs_(jobs), options_(options) {}
    ~WebSocketHub();
    WebSocketHub(const WebSocketHub&) = delete;
    WebSocketHub& operator=(const WebSocketHub&) = delete;

    // A request that asks for WebSocket: the application's handshake, or ours and the event open.
    void handle(server::Exchange& exchange);
    // Takes over an exchange whose handshake the application responds to itself with these fields.
    void finish_handshake(server::Exchange& exchange, server::FieldList fields);

    bool established(zend_long fd) const { return members_.count(fd) > 0; }
    // It has not been sent a close frame.
    bool takes_frames(zend_long fd) const;
    // However much waits for the peer. False with the API's last error.
    bool push(zend_long fd, const io::OutFrame& frame);
    // What another process has pushed, and was told that it will arrive: when it cannot, the
    // connection is closed.
    void push_for_others(zend_long fd, const io::OutFrame& frame);
    bool disconnect(zend_long fd, uint16_t code, std::string_view reason);
    // Whether the connection that has just gone was one of them.
    bool had(uint64_t connection) const { return last_gone_ == connection; }

private:
    using Outcome = runtime::Outcome;
    struct Member;
    struct InputTask : loop::Task {
        Member* member;
    };
    struct Member final : server::WebSocketOwner {
        void on_input() override;
        void on_drained() override;
        void on_progress() override;
        void on_gone() override;

        WebSocketHub* hub;
        server::WebSocketSession* session;
        zend_long fd;
        uint32_t port_index;
        uint32_t calls = 0;  // of its messages, under way
        InputTask input;
    };
    class Call;
    class Handshake;

    static constexpr uint32_t kMostCalls = 128;        // messages of one peer under way
    static constexpr uint64_t kPauseAbove = 1u << 20;  // unread bytes: such a peer is not read from

    Member& admit(server::Exchange& exchange, server::FieldList fields);
    void call_before_response(server::Exchange& exchange, zend::Callable& before);
    std::vector<server::FieldRef> fields_for(const server::Exchange& exchange,
                                             server::FieldList given) const;
    Member* find(zend_long fd) const;
    zend::Callable& callback(uint32_t port_index, ServerEvent event);
    void tell(Member& member, ServerEvent event, zval* argument);
    void take_input(Member& member);
    bool take(Member& member, const proto::ws::ReadEvent& event);
    void call_ended(zend_long fd);

    ServerState& state_;
    RequestJobs& jobs_;
    const RequestOptions& options_;
    std::unordered_map<zend_long, Member*> members_;
    uint64_t last_gone_ = 0;
};

// Of this worker; null when its server has none.
WebSocketHub* websocket_hub();

}  // namespace stampede::classes
