#include "server/http2/frame_check.h"

#include "server/http2/stream.h"
#include "server/http2/wire.h"

namespace stampede::server {

using proto::http2::ErrorCode;
using proto::http2::FrameHead;
using proto::http2::FrameType;

// Whether a frame is for a stream that has ended can be said only when everything before it was
// read; and nghttp2 drops such a frame without a word. So the bytes are watched ahead of it and
// read up to a frame that may be one:
//
//   | HEADERS 5 | DATA 1 | RST_STREAM 3 | DATA 3 | WINDOW_UPDATE |
//   read -------------------------------^  is 3 closed now? then the rest
//
// Cutting costs a call of the protocol for each piece, so it is done only where the answer can be
// other than "open": the stream has ended already, or a reset was watched that is not read yet. All
// DATA of ordinary requests is read together. When an event inside of take() has ended the
// connection, the protocol drops the pieces that follow.
void Http2FrameCheck::read(const char* data, size_t size) {
    size_t read = 0;
    bool fine = true;
    for (size_t watched = 0; watched < size && fine;) {
        FrameWatch::Stop stop = watch_.next(data + watched, size - watched);
        bool stops = stop.kind != FrameWatch::Kind::kNone;
        size_t end = stops ? watched + stop.before : size;
        watched += stop.used;
        reset_unread_ = reset_unread_ || stop.kind == FrameWatch::Kind::kReset;
        if (stop.kind == FrameWatch::Kind::kUnknown) {
            idle_frame();
            continue;
        }
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

// Inside of the protocol, before it acts on the frame. end() does not stop the reading: it queues a
// GOAWAY and makes the protocol drop the rest.
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

// nghttp2 drops what comes for a stream that it does not know any more. Of a stream that was
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

// A peer that resets what it asks for makes work that nobody wants (CVE-2023-44487), so its resets
// are counted; not those that stop a request whose response it has, nor those that cross one of
// ours. The stream is still known when its reset comes, and gone when the next frame does.
void Http2FrameCheck::reset_came(int32_t id, const Http2Stream* stream) {
    bool expected = stream != nullptr ? stream->response.responded != 0 : guard_.reset_crossed();
    if (!expected) {
        count_reset();
    }
    if (wire_.knows(id)) {
        closed_.reset_by_peer(id);
    }
}

// Resets that the peer provokes by breaking the rules on a stream count as its own: they stop a
// request just as cheaply (CVE-2025-8671). Those that are the server's decision do not.
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
