// Ports that bring byte streams and datagrams instead of HTTP: their rules, and the interface of
// what takes their packets. Rules are plain values, constant while a service runs. Loop thread,
// never parks.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/clock.h"
#include "os/socket.h"
#include "proto/frame/frame.h"

namespace stampede::server {

class StreamSession;

struct StreamRules {
    bool used = false;  // otherwise the port speaks HTTP
    proto::frame::Rules framing;
    bool in_ready_phase = false;       // packets are cut and handed over where user code may run
    bool delayed = false;              // nothing is delivered before the application resumes
    Nanos idle_time = 0;               // a peer that is silent for longer is closed; 0: never
    uint64_t high_watermark = 0;       // unsent bytes: the event full; 0: never
    uint64_t low_watermark = 0;        // and the event empty after it
    uint64_t room = 8u << 20;          // unsent bytes from which a sender has to wait
    uint64_t most_queued = 16u << 20;  // bytes of unfinished calls: reading pauses
};

class StreamHandler {
public:
    virtual ~StreamHandler() = default;

    // A packet, or what has come where there is no framing. In the dispatch phase, where no user
    // code runs, unless the rules say otherwise. The bytes are valid in this call only. False: it
    // cannot be taken now and is offered again after StreamSession::look_again().
    virtual bool received(StreamSession& session, std::string_view bytes) = 0;
    // The bytes are no packet, or one that is too large: the connection is being closed.
    virtual void malformed(StreamSession& session, proto::frame::Verdict verdict) = 0;
    // The watermarks: full, and empty again.
    virtual void buffer_changed(StreamSession& session, bool full) = 0;
    // Unsent bytes became fewer, or the connection has closed: senders that wait look again.
    virtual void progressed(StreamSession& session) = 0;

    // In the dispatch phase; the bytes are valid in this call only.
    virtual void datagram(uint32_t port_index, std::string_view bytes, const os::Address& peer) = 0;
    // False: as many are being handled as may be; the rest waits in the kernel's buffer.
    virtual bool takes_datagrams() const = 0;
};

}  // namespace stampede::server
