#include "server/http2/lingering.h"

#include <algorithm>

#include "server/http2/guard.h"
#include "server/http2/streams.h"
#include "server/http2/wire.h"
#include "server/settings.h"

namespace stampede::server {

using proto::http2::ErrorCode;

Nanos Http2Lingering::end_of(const Http2Stream& stream) const {
    return stream.response.responded + wire_.times().linger;
}

Nanos Http2Lingering::first_end() {
    const Http2Stream* oldest = waiting_.front();
    return oldest != nullptr ? end_of(*oldest) : kNever;
}

// The rest of the request is not wanted. But there are peers (curl 7) that take a reset, of
// whatever kind, for a failure and never look at the response: they may stop by themselves first.
void Http2Lingering::add(Http2Stream& stream) {
    stream.response.responded = wire_.now();
    waiting_.push_back(stream);
    if (!wire_.over()) {
        net::Connection& connection = wire_.connection();
        connection.set_deadline(std::min(connection.deadline(), end_of(stream)));
        keep_places_free();
    }
}

// The reset leaves with the next frames, and the protocol closes the stream then: the object stays
// until it does. The peer's own reset may cross it, which is no fault of the peer.
void Http2Lingering::dismiss(Http2Stream& stream) {
    stream.LingeringNode::unlink();
    streams_.dismiss(stream);
    guard_.dismissed();
    wire_.reset(stream, ErrorCode::kNoError);
}

// To the peer a stream that it has not ended takes a place, so it may wait with its next request
// before it asks for one too many. A quarter of the places is kept free of streams that
// have their response; the stream whose response was sent longest ago is reset first.
void Http2Lingering::keep_places_free() {
    uint32_t places = wire_.settings().max_concurrent_streams;
    uint32_t most = places - places / 4;
    while (streams_.staying() > most && !waiting_.empty()) {
        dismiss(*waiting_.front());
    }
}

void Http2Lingering::check(Nanos now) {
    while (Http2Stream* oldest = waiting_.front()) {
        if (now < end_of(*oldest)) {
            break;
        }
        dismiss(*oldest);
    }
}

}  // namespace stampede::server
