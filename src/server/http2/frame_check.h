// What nghttp2 lets a peer do and the server does not: frames for streams that have ended,
// streams that depend on themselves, more resets and frames without use than a peer in good faith
// sends. A client that breaks a rule loses the stream or the connection. Owned by its session; loop
// thread; never parks.
#pragma once

#include <cstdint>

#include "proto/http2/types.h"
#include "server/http2/closed_streams.h"
#include "server/http2/frame_watch.h"
#include "server/http2/guard.h"
#include "server/http2/stream_numbers.h"

namespace stampede::server {

class Http2Wire;
struct Http2Stream;

class Http2FrameCheck {
public:
    explicit Http2FrameCheck(Http2Wire& wire) : wire_(wire) {}

    // Hands the bytes to the protocol, and looks at frames of which that may tell nothing.
    void read(const char* data, size_t size);

    // The protocol says: a frame begins, a head or a frame of DATA is complete, a frame was of no
    // use; RST_STREAM came or was sent. stream: null when it is none of ours.
    void frame_begins(const proto::http2::FrameHead& head);
    void head_ends() { head_open_ = false; }
    void data_ends(const proto::http2::DataFrame& frame);
    void idle_frame();
    void reset_came(int32_t id, const Http2Stream* stream);
    void reset_sent(int32_t id, proto::http2::ErrorCode error);

    // A head has begun that is not complete.
    bool head_open() const { return head_open_; }
    Http2Guard& guard() { return guard_; }
    StreamNumbers& numbers() { return numbers_; }

private:
    // How much a frame for a stream that has ended costs its sender.
    enum class Penalty : uint8_t { kConnection, kNone };

    bool is_closed(int32_t id) const;
    void check_closed(int32_t id, Penalty penalty);
    void look_at(const FrameWatch::Stop& stop);
    void count_reset();

    Http2Wire& wire_;
    Http2Guard guard_;
    StreamNumbers numbers_;
    ClosedStreams closed_;
    FrameWatch watch_;
    bool reset_unread_ = false;  // watched, while the protocol may not have read all of it
    bool head_open_ = false;
};

}  // namespace stampede::server
