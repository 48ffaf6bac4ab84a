#include "server/http2/events.h"

#include "server/http2/frame_check.h"
#include "server/http2/intake.h"
#include "server/http2/responses.h"
#include "server/http2/stream.h"

namespace stampede::server {

namespace protocol = proto::http2;

namespace {

// Every stream that is attached is one of ours: Http2Streams::open() and Http2Session::adopt() do
// it.
Http2Stream& ours(protocol::Stream& stream) { return static_cast<Http2Stream&>(stream); }
Http2Stream* ours(protocol::Stream* stream) { return static_cast<Http2Stream*>(stream); }

}  // namespace

void Http2Events::frame_begins(const protocol::FrameHead& head) { frames_.frame_begins(head); }

void Http2Events::head_begins(int32_t id) { intake_.begin_head(id); }

protocol::FieldVerdict Http2Events::take_field(protocol::Stream& stream, protocol::HeadKind kind,
                                               const protocol::Field& field) {
    return intake_.take_field(ours(stream), kind, field);
}

// A message with such a field is malformed.
void Http2Events::field_left_out(protocol::Stream& stream) {
    ours(stream).request.head.set_malformed();
}

// The check first, for every head: also one whose stream is gone ends what head_open() says.
void Http2Events::head_ended(protocol::Stream* stream, protocol::HeadKind kind,
                             const protocol::FrameHead& head) {
    frames_.head_ends();
    intake_.end_head(ours(stream), kind, head);
}

void Http2Events::take_data(protocol::Stream* stream, std::string_view bytes) {
    intake_.take_data(ours(stream), bytes);
}

void Http2Events::data_ended(protocol::Stream* stream, const protocol::DataFrame& frame) {
    frames_.data_ends(frame);
    intake_.end_data(ours(stream), frame.head);
}

void Http2Events::reset_received(int32_t id, protocol::Stream* stream) {
    frames_.reset_came(id, ours(stream));
}

protocol::DataOffer Http2Events::offer_data(protocol::Stream& stream, size_t most) {
    return responses_.offer_frame(ours(stream), most);
}

bool Http2Events::send_data(protocol::Stream& stream, std::string_view frame_head, size_t size) {
    return responses_.send_frame(ours(stream), frame_head, size);
}

void Http2Events::end_sent(protocol::Stream& stream) { responses_.end_sent(ours(stream)); }

void Http2Events::reset_sent(int32_t id, protocol::ErrorCode error) {
    frames_.reset_sent(id, error);
}

void Http2Events::stream_closed(protocol::Stream& stream, protocol::ErrorCode error) {
    responses_.stream_closed(ours(stream), error);
}

}  // namespace stampede::server
