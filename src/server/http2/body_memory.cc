#include "server/http2/body_memory.h"

#include "server/http2/streams.h"
#include "server/http2/wire.h"
#include "server/settings.h"

namespace stampede::server {

using proto::http2::ErrorCode;

void Http2BodyMemory::give_window_back() {
    if (owed_ == 0 || wire_.over() || !make_room()) {
        return;
    }
    wire_.give_window(owed_);
    owed_ = 0;
    wire_.touch();
}

// Handlers that are at work will free some. Bodies that only wait for each other would wait for
// ever: the newest are refused, in a way that lets the peer send them again, so that the oldest can
// come to its end.
bool Http2BodyMemory::make_room() {
    while (streams_.body_bytes() > wire_.settings().body_memory) {
        Http2Stream* oldest = nullptr;
        Http2Stream* newest = nullptr;
        for (Http2Stream* stream = streams_.oldest(); stream; stream = streams_.after(*stream)) {
            if (stream->request.kept == 0) {
                continue;
            }
            if (stream->request.ended || stream->exchange->body.streams()) {
                return false;
            }
            oldest = oldest != nullptr ? oldest : stream;
            newest = stream;
        }
        if (newest == oldest) {
            return true;  // a single one is bounded by its own limit
        }
        // Its bytes go with its exchange, so that the next round finds fewer.
        wire_.reset(*newest, ErrorCode::kRefusedStream);
        streams_.lose_exchange(*newest);
    }
    return true;
}

}  // namespace stampede::server
