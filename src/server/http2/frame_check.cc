#include "server/http2/frame_check.h"

#include "server/http2/stream.h"
#include "server/http2/wire.h"

namespace stampede::server {

using proto::http2::ErrorCode;
using proto::http2::FrameHead;
using proto::http2::FrameType;

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

void Http2FrameCheck::frame_begins(const FrameHead& head) {
    if (head.type == FrameType::kHeaders) {
        head_open_ = true;
        if (!numbers_.use(head.stream)) {
            wire_.end(ErrorCode::kProtocolError);
        }
        check_closed(head.stream, Penalty::kConnection);
    } else if (head.type != FrameType::kData && head.type != FrameType::kContinuation) {
        idle_frame();
    }
    if (head.type == FrameType::kWindowUpdate) {
        check_closed(head.stream, Penalty::kNone);
    } else if (head.type == FrameType::kPriority && head.stream == 0) {
        wire_.end(ErrorCode::kProtocolError);
    }
}

void Http2FrameCheck::data_ends(const proto::http2::DataFrame& frame) {
    if (frame.payload == 0 && !frame.head.ends_stream()) {
        idle_frame();
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
        wire_.reset(id, ErrorCode::kStreamClosed);
    } else if (end == ClosedStreams::End::kInOrder && penalty == Penalty::kConnection) {
        wire_.end(ErrorCode::kStreamClosed);
    }
}

void Http2FrameCheck::look_at(const FrameWatch::Stop& stop) {
    if (stop.kind == FrameWatch::Kind::kData) {
        check_closed(stop.stream, Penalty::kConnection);
    } else if (stop.stream > numbers_.last_taken()) {  // there is nothing to reset yet
        wire_.end(ErrorCode::kProtocolError);
    } else {
        wire_.reset(stop.stream, ErrorCode::kProtocolError);
    }
}

void Http2FrameCheck::idle_frame() {
    if (!guard_.idle_frame()) {
        wire_.end(ErrorCode::kEnhanceYourCalm);
    }
}

void Http2FrameCheck::count_reset() {
    if (!guard_.reset(wire_.now())) {
        wire_.end(ErrorCode::kEnhanceYourCalm);
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

void Http2FrameCheck::reset_sent(int32_t id, ErrorCode error) {
    bool own_doing = error == ErrorCode::kNoError || error == ErrorCode::kRefusedStream ||
                     error == ErrorCode::kInternalError || error == ErrorCode::kCancel;
    if (!own_doing) {
        count_reset();
    }
    if (wire_.knows(id)) {
        closed_.reset(id);
    }
}

}  // namespace stampede::server
