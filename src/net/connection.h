// One accepted connection: reads into the hub's buffer and hands the span to its Session, gathers
// what is written and flushes it, watches its deadlines, and closes in one place. Owned by the Hub
// from accept until the end of the iteration in which it closes; loop thread; never parks.
#pragma once

#include <cstdint>
#include <memory>

#include "base/clock.h"
#include "net/hub.h"
#include "net/transport.h"
#include "net/write_queue.h"
#include "os/socket.h"

namespace stampede::net {

class Connection;

// As operators count them. kNothing: it is not known yet, or is a refusal.
enum class Spoken : uint8_t { kNothing, kHttp1, kHttp2, kWebSocket, kStream };

// What speaks on a connection. One of the seams: http1, http2, ws, raw. Owned by its
// Connection.
class Session {
public:
    virtual ~Session() = default;
    virtual Spoken speaks() const { return Spoken::kNothing; }
    // A span into the hub's buffer: valid in this call only, readable for Hub::kPadding bytes past
    // its end.
    virtual void on_bytes(const char* data, size_t size) = 0;
    // Where the next read goes, and how much it takes at most, asked before each. A session that
    // knows where bytes end up gives that place, and on_read() says how many came; bytes == null:
    // the hub's buffer, and on_bytes().
    struct Room {
        char* bytes = nullptr;
        size_t size = Hub::kReadSize;
    };
    virtual Room room() { return {}; }
    // The room for the rest of something large of which so many bytes are missing; of what is small
    // the next read may bring more than that.
    static Room room_for_announced(Buffer& in, size_t missing);
    virtual void on_read(size_t size) { (void)size; }
    // The peer will send nothing more.
    virtual void on_end() = 0;
    // Nothing is waiting to be written any more, after it had blocked.
    virtual void on_drained() = 0;
    // A write has ended with bytes left that the peer does not take now.
    virtual void on_blocked() {}
    // The peer has taken nothing for as long as it may: the connection is closed after this call,
    // and what is pending is lost.
    virtual void on_stalled() {}
    // The deadline set by the session has passed.
    virtual void on_deadline() = 0;
    // The connection is gone: the last call.
    virtual void on_closed() = 0;
    // For sessions that write_from_session(): the connection can take more. True when something was
    // appended.
    virtual bool fill() { return false; }

    // Nothing is at work on the connection: who needs room may drain it.
    virtual bool idle() const { return false; }
    // The worker drains: the connection closes at once when it is idle, else after what is at work.
    virtual void drain() = 0;
    // The same comes soon: a peer that can be told to bring nothing new is.
    virtual void announce_drain() {}
    virtual bool drain_announced() const { return false; }
};

// How long the parts of a close and of a blocked write may last.
struct ConnectionTimes {
    Nanos write_stall = 10 * kSecond;  // a response that makes no progress
    Nanos linger = 2 * kSecond;        // reading what the peer still sends after our last byte
};

class Connection : public DirtyNode, public IterationNode {
public:
    Connection(Hub& hub, int fd, uint64_t id, const ConnectionTimes& times);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // Replaces the plain transport (TLS, memory). Before start().
    void set_transport(std::unique_ptr<Transport> transport);
    // What was set, for one that is put in front of it; null: the plain one.
    std::unique_ptr<Transport> take_transport();
    void set_session(std::unique_ptr<Session> session) { session_ = std::move(session); }
    Session& session() { return *session_; }
    // Another protocol from now on. The present session gets no further call; it stays until the
    // connection goes, since it may be on the stack.
    void replace_session(std::unique_ptr<Session> session);
    // What is to be sent is asked of the session (fill) when the connection writes.
    void write_from_session() { fills_ = true; }
    Transport& transport() { return *transport_; }
    const Transport& transport() const { return *transport_; }
    // Reads what the peer has sent already; if the connection is still open at the end of the
    // iteration, it is registered with the loop. With a descriptor of -1 (tests) neither happens.
    void start();
    // Called by the hub.
    void register_with_loop();

    uint64_t id() const { return id_; }
    int fd() const { return watch_.fd; }
    Hub& hub() const { return hub_; }
    bool closed() const { return closed_; }
    bool closing() const { return closing_ != Closing::kNo; }
    bool peer_ended() const { return peer_ended_; }
    // What the client connected to; family 0 where there is no address. The kernel is asked once.
    const sockaddr_in6& local();
    CloseCause close_cause() const { return cause_; }

    // Writing. cork() is where small pieces are appended; flush() or mark_dirty() must follow.
    Buffer& cork() {
        if (queue_.cork().capacity() == 0) {
            hub_.lend(queue_.cork());
        }
        return queue_.cork();
    }
    // The same, for callers that append files.
    Buffer& large_cork() {
        if (queue_.cork().capacity() <= Hub::kSpareCapacity) {
            hub_.enlarge(queue_.cork());
        }
        return queue_.cork();
    }
    void write_ref(const BytesRef& bytes) { queue_.add(bytes); }
    void write_file(const FileRange& file);
    uint64_t pending() const { return queue_.pending(); }
    // Whether a sender that waits for room may send more: less than so much waits for the peer, and
    // the hub's connections together do not keep too much. From now on this one counts for that.
    bool has_room(uint64_t usual);
    uint32_t pending_files() const { return queue_.pending_files(); }
    bool write_blocked() const { return blocked_; }
    void mark_dirty() {
        count_unsent();
        hub_.mark_dirty(*this);
    }
    void flush();

    // Reading on and off: the whole of input back-pressure.
    bool reading() const { return reading_; }
    void pause_reading();
    void resume_reading();

    // kNever removes it. Setting a later one costs two stores.
    void set_deadline(Nanos when);
    Nanos deadline() const { return deadline_; }

    // Everything queued is still sent. linger: read and drop what the peer still sends, so that it
    // can read the response.
    void close_after_flush();
    void close_lingering();
    void close_now(CloseCause cause);
    void close_with_reset(CloseCause cause);
    // The descriptor is somebody else's from now on: as close_now(), but nothing is closed, and the
    // session hears nothing. For a plain transport with nothing to be sent.
    int give_up_descriptor();
    bool is_plain() const { return transport_ == &plain_ && watch_.fd >= 0; }

    // Readiness, also called by tests that have no descriptor.
    void on_ready(uint32_t events);

    uint64_t bytes_in = 0;
    uint64_t bytes_out = 0;
    // How many of them are in the counters of its worker.
    uint64_t noted_bytes_in = 0;
    uint64_t noted_bytes_out = 0;
    Nanos opened_at = 0;
    Nanos last_read_at = 0;
    uint32_t port_index = 0;   // which listener it came from
    sockaddr_in6 peer{};       // big enough for IPv4 too; family 0 when the peer has no address
    uint64_t address_key = 0;  // what it is counted under; 0: it is not
    bool announced = false;    // the handler has heard of it
    bool left = false;         // the peer has said goodbye in the words of its protocol

private:
    enum class Closing : uint8_t { kNo, kAfterFlush, kLingerAfterFlush, kLingering };

    struct Socket : loop::Watch {
        Connection* connection;
    };
    struct Again : loop::Task {
        Connection* connection;
    };
    struct Deadline : loop::Timer {
        Connection* connection;
    };

    void read_ready(uint32_t events);
    bool read_some(bool more_behind);
    void on_read_end();
    void read_again();
    // Without an event that says there is something.
    void read_unasked();
    uint32_t interest() const;
    void update_interest();
    void end();
    void on_drained();
    void count_unsent() {
        if (unsent_.counts()) {
            unsent_.set(queue_.pending_in_memory());
        }
    }
    void finish_close();
    void on_timer();
    void arm_for(Nanos when);

    static constexpr int kReadsPerEvent = 16;  // then others are served
    static constexpr long kMuch = 32 * 1024;   // several reads of that leave the cache
    static constexpr uint64_t kLingerBytes = 4u << 20;

    Hub& hub_;
    Socket watch_;
    Deadline timer_;
    Again again_;  // reads what the transport still holds
    Nanos armed_for_ = kNever;
    Nanos deadline_ = kNever;
    Nanos write_deadline_ = kNever;
    const ConnectionTimes& times_;
    PlainTransport plain_;
    Transport* transport_;
    std::unique_ptr<Transport> other_transport_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<Session> former_session_;
    WriteQueue queue_;
    uint64_t id_;
    sockaddr_in6 local_{};
    bool local_is_known_ = false;
    uint64_t lingered_ = 0;
    UnsentShare unsent_;
    Closing closing_ = Closing::kNo;
    CloseCause cause_ = CloseCause::kNone;
    bool watched_ = false;
    bool reading_ = true;
    bool blocked_ = false;
    bool closed_ = false;
    bool peer_ended_ = false;
    bool fills_ = false;
};

}  // namespace stampede::net
