// One connection of a stream port: cuts what comes into packets and hands them over in order, each
// once; stops reading while the application has too much to do, and tells of what cannot be sent.
// Owned by its connection; loop thread; never parks.
#pragma once

#include "base/buffer.h"
#include "base/list.h"
#include "net/connection.h"
#include "server/stall.h"
#include "server/stream.h"

namespace stampede::server {

class Service;

class StreamSession final : public net::Session {
public:
    StreamSession(Service& service, net::Connection& connection, const StreamRules& rules);
    ~StreamSession() override;

    net::Connection& connection() { return connection_; }
    const StreamRules& rules() const { return rules_; }

    // The application's wish: nothing is delivered in between. Several in a row count once.
    void pause();
    void resume();
    // A call with so many bytes has been queued, or has ended.
    void call_begins(size_t bytes);
    void call_ends(size_t bytes);
    uint64_t bytes_in_calls() const { return queued_; }
    size_t bytes_kept() const { return in_.size(); }

    // What another worker needs to know of it beside the descriptor and the bytes that have come
    // and are no whole packet yet.
    struct Snapshot {
        Nanos last_sent_at;
        Nanos last_given_at;
        uint32_t uid;
        bool guarded;
        bool paused;
    };
    Snapshot snapshot() const { return {last_sent_at, last_given_at, uid, guarded, paused_}; }
    std::string_view kept() const { return in_.view(); }
    // No function works on it, and nothing waits to be sent.
    bool at_rest() const { return calls_ == 0 && !ended_ && connection_.pending() == 0; }
    // In the worker that has taken it over, before anything is read.
    void restore(const Snapshot& from, std::string_view kept);
    // A packet that could not be taken is offered again.
    void look_again();
    bool has_room() const { return connection_.pending() < rules_.room; }

    bool guarded = false;     // by protect(): silence does not close it
    uint32_t uid = 0;         // by bind()
    Nanos last_sent_at = 0;   // 0: nothing yet
    Nanos last_given_at = 0;  // a packet to the application
    bool told_full = false;   // the event full has been told, empty not yet
    // The worker that the last packets belonged to, by its line, when it was another.
    struct {
        uint32_t line = 0;
        uint32_t packets = 0;
    } forwarded;

    net::Spoken speaks() const override { return net::Spoken::kStream; }
    void on_bytes(const char* data, size_t size) override;
    net::Session::Room room() override;
    void on_read(size_t size) override;
    void on_end() override;
    void on_drained() override { on_blocked(); }
    void on_blocked() override;
    void on_stalled() override { log_stall(connection_); }
    void on_deadline() override;
    void on_closed() override;

    // Peers of raw protocols do not connect again by themselves: none is idle() and makes room for
    // another.
    void drain() override;
    // The worker that goes on with it takes what the peer sends from now on: there is nothing to
    // wait for.
    void announce_drain() override;

private:
    struct Pump : loop::Task {
        StreamSession* session;
    };

    // Of one connection. Each is a coroutine, and a peer can ask for many of them with few bytes.
    static constexpr uint32_t kMostCalls = 1024;

    bool held() const {
        return paused_ || stalled_ || calls_ >= kMostCalls || queued_ >= rules_.most_queued;
    }
    bool open() const { return !connection_.closed() && !connection_.closing(); }
    size_t deliver(std::string_view bytes);
    void refuse(proto::frame::Verdict verdict);
    void pump();
    void schedule();
    void settle_reading();
    void arm_idle(Nanos when);
    void arm_handshake();
    void leave();

    Service& service_;
    net::Connection& connection_;
    const StreamRules& rules_;
    proto::frame::Framer framer_;
    Buffer in_;  // what is no whole packet yet, or cannot be delivered now
    Pump pump_;
    uint64_t queued_ = 0;
    uint32_t calls_ = 0;
    bool paused_ = false;   // by the application
    bool stalled_ = false;  // the handler could not take a packet
    bool ended_ = false;    // nothing more is read
    bool draining_ = false;
};

}  // namespace stampede::server
