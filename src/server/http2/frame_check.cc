#include "server/http2/frame_check.h"

#include <nghttp2/nghttp2.h>

#include "server/http2/stream.h"
#include "server/http2/wire.h"

namespace stampede::server {

void Http2FrameCheck::read(const char* data, size_t size) {
    size_t read = 0;
    bool fine = true;
    for (size_t watched = 0; watched < size && fine;) {
        FrameWatch::Stop stop = watch_.next(data + watched, size - watched);
        bool stops = stop.kind != FrameWatch::Kind::kNone;
        size_t end = stops ? watched + stop.before : size;
        watched += stop.used;
        reset_unread_ = reset_unread_ || stop.kind == FrameWatch::Kind::kReset;
        bool usual =
            stop.kind == FrameWatch::Kind::kData && !reset_unread_ && !is_closed(stop.stream);
        if (usual || stop.kind == FrameWatch::Kind::kReset) {
            continue;  // it is read together with the others
        }
        fine = wire_.take({data + read, end - read});
        read = end;
        if (fine && stops) {
            reset_unread_ = false;
            look_at(stop);
        }
    }
    if (fine && read < size) {
        wire_.take({data + read, size - read});
    }
}

void Http2FrameCheck::frame_begins(const nghttp2_frame_hd& header) {
    if (header.type == NGHTTP2_HEADERS) {
        head_open_ = true;
        if (!numbers_.use(header.stream_id)) {
            wire_.end(NGHTTP2_PROTOCOL_ERROR);
        }
        check_closed(header.stream_id, Penalty::kConnection);
    } else if (header.type != NGHTTP2_DATA && header.type != NGHTTP2_CONTINUATION) {
        idle_frame();
    }
    if (header.type == NGHTTP2_WINDOW_UPDATE) {
        check_closed(header.stream_id, Penalty::kNone);
    } else if (header.type == NGHTTP2_PRIORITY && header.stream_id == 0) {
        wire_.end(NGHTTP2_PROTOCOL_ERROR);
    }
}

bool Http2FrameCheck::is_closed(int32_t id) const {
    return numbers_.was_taken(id) && !wire_.knows(id);
}

// The library drops what comes for a stream that it does not know any more. Of a stream that was
// ended in order, or by its peer, nothing may come; of one that was reset here it may be on its
// way.
void Http2FrameCheck::check_closed(int32_t id, Penalty penalty) {
    if (!is_closed(id)) {
        return;
    }
    ClosedStreams::End end = closed_.end_of(id);
    if (end == ClosedStreams::End::kResetByPeer) {
        wire_.reset(id, NGHTTP2_STREAM_CLOSED);
    } else if (end == ClosedStreams::End::kInOrder && penalty == Penalty::kConnection) {
        wire_.end(NGHTTP2_STREAM_CLOSED);
    }
}

void Http2FrameCheck::look_at(const FrameWatch::Stop& stop) {
    if (stop.kind == FrameWatch::Kind::kData) {
        check_closed(stop.stream, Penalty::kConnection);
    } else if (stop.stream > numbers_.last_taken()) {  // there is nothing to reset yet
        wire_.end(NGHTTP2_PROTOCOL_ERROR);
    } else {
        wire_.reset(stop.stream, NGHTTP2_PROTOCOL_ERROR);
    }
}

void Http2FrameCheck::idle_frame() {
    if (!guard_.idle_frame()) {
        wire_.end(NGHTTP2_ENHANCE_YOUR_CALM);
    }
}

void Http2FrameCheck::count_reset() {
    if (!guard_.reset(wire_.now())) {
        wire_.end(NGHTTP2_ENHANCE_YOUR_CALM);
    }
}

void Http2FrameCheck::reset_came(int32_t id, const Http2Stream* stream) {
    bool expected = stream != nullptr ? stream->response.responded != 0 : guard_.reset_crossed();
    if (!expected) {
        count_reset();
    }
    if (wire_.knows(id)) {
        closed_.reset_by_peer(id);
    }
}

void Http2FrameCheck::reset_sent(int32_t id, uint32_t error) {
    bool own_doing = error == NGHTTP2_NO_ERROR || error == NGHTTP2_REFUSED_STREAM ||
                     error == NGHTTP2_INTERNAL_ERROR || error == NGHTTP2_CANCEL;
    if (!own_doing) {
        count_reset();
    }
    if (wire_.knows(id)) {
        closed_.reset(id);
    }
}

}  // namespace stampede::server
