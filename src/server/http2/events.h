// What the protocol tells an Http2Session while it reads and writes: each event goes to the part
// that it concerns, with our stream. Everything that is called from here runs inside of the
// protocol, with nghttp2 on the stack: it may queue frames and remove streams, and must not make
// the protocol read or write, call a handler, or end the session. Owned by its session; loop
// thread; never parks.
#pragma once

#include "proto/http2/events.h"

namespace stampede::server {

class Http2FrameCheck;
class Http2Intake;
class Http2Responses;
struct Http2Stream;

class Http2Events final : public proto::http2::Events {
public:
    Http2Events(Http2FrameCheck& frames, Http2Intake& intake, Http2Responses& responses)
        : frames_(frames), intake_(intake), responses_(responses) {}

    void frame_begins(const proto::http2::FrameHead& head) override;
    void head_begins(int32_t id) override;
    proto::http2::FieldVerdict take_field(proto::http2::Stream& stream, proto::http2::HeadKind kind,
                                          const proto::http2::Field& field) override;
    void field_left_out(proto::http2::Stream& stream) override;
    void head_ended(proto::http2::Stream* stream, proto::http2::HeadKind kind,
                    const proto::http2::FrameHead& head) override;
    void take_data(proto::http2::Stream* stream, std::string_view bytes) override;
    void data_ended(proto::http2::Stream* stream, const proto::http2::DataFrame& frame) override;
    void reset_received(int32_t id, proto::http2::Stream* stream) override;

    proto::http2::DataOffer offer_data(proto::http2::Stream& stream, size_t most) override;
    bool send_data(proto::http2::Stream& stream, std::string_view frame_head, size_t size) override;
    void end_sent(proto::http2::Stream& stream) override;
    void reset_sent(int32_t id, proto::http2::ErrorCode error) override;

    void stream_closed(proto::http2::Stream& stream, proto::http2::ErrorCode error) override;

private:
    Http2FrameCheck& frames_;
    Http2Intake& intake_;
    Http2Responses& responses_;
};

}  // namespace stampede::server
