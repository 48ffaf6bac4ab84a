// What a Session tells its user, and asks it for. Each function is called inside of
// Session::feed() or Session::next_frames(), on the thread of that call.
//
// nghttp2 is at work then and has pointers into its own state on the stack. The user may submit
// (respond, reset, resume, give windows, send GOAWAY: that only queues frames), and may detach
// streams, but must neither feed the session, nor ask it for frames, nor destroy it: that would
// free what nghttp2 goes on to use. What needs one of these is noted and done after the call.
//
// Order for one stream:
//
//   head_begins -> take_field ... -> head_ended -> take_data ... data_ended -> (a further head)
//                     stream_closed: at any time, and last of all that have its Stream
//
// A Stream that is null was never attached, or was detached, or has been closed already: HEADERS
// and DATA may still be read to their end for a stream that their own beginning has closed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "proto/http2/types.h"

namespace stampede::proto::http2 {

class Session;

// What the user keeps for a stream derives from this, so that a session leads from the stream to it
// without looking it up. Owned by the user, who keeps it alive until stream_closed() or
// Session::detach(): the session has a plain pointer to it.
class Stream {
public:
    int32_t id() const { return id_; }

protected:
    Stream() = default;
    ~Stream() = default;

private:
    friend class Session;
    friend struct Callbacks;

    int32_t id_ = 0;
    bool deferred_ = false;  // offer_data() had nothing: nghttp2 asks again after resume()
};

enum class FieldVerdict : uint8_t {
    kTaken,
    kResetStream,    // the stream ends, and nothing more is said of its head
    kEndConnection,  // feed() says that it is excessive
};

// What a stream has to send now.
struct DataOffer {
    enum class Kind : uint8_t {
        kBytes,    // perhaps none, when they end the stream
        kNothing,  // until Session::resume()
        kNoRoom,   // there is something, but not now: next_frames() ends, and asks again next time
    };
    enum class End : uint8_t {
        kMore,
        kLast,      // the stream ends with these bytes
        kTrailers,  // the bytes are the last; Session::send_trailers() was called by the offer
    };

    Kind kind = Kind::kNothing;
    End end = End::kMore;
    size_t size = 0;
};

class Events {
public:
    // ---- frames of the peer --------------------------------------------------------------------

    // Also for streams that are not there; before anything else is said of the frame. Not told are
    // frames that nghttp2 drops unread: those of types that it does not know, and DATA for streams
    // that have been closed.
    virtual void frame_begins(const FrameHead&) {}
    // A request begins (at a server). Here the user attaches its object, or resets the stream, of
    // which it then hears little more.
    virtual void head_begins(int32_t) {}
    virtual FieldVerdict take_field(Stream& stream, HeadKind kind, const Field& field) = 0;
    // A field with a name or a value that is not allowed was left out.
    virtual void field_left_out(Stream&) {}
    virtual void head_ended(Stream* stream, HeadKind kind, const FrameHead& head) = 0;
    // Bytes of a body. They have used up window, also when the stream is null.
    virtual void take_data(Stream* stream, std::string_view bytes) = 0;
    virtual void data_ended(Stream* stream, const DataFrame& frame) = 0;
    virtual void reset_received(int32_t, Stream*) {}
    virtual void goaway_received(const Goaway&) {}
    virtual void ping_answered() {}

    // ---- frames of this side -------------------------------------------------------------------

    // There is room for a frame of DATA with at most so many bytes.
    virtual DataOffer offer_data(Stream& stream, size_t most) = 0;
    // Now its head and exactly the bytes that were offered are to be written after the frames
    // that next_frames() has returned before. False: they cannot be; nothing was written, and the
    // stream is reset.
    virtual bool send_data(Stream& stream, std::string_view frame_head, size_t size) = 0;
    // A frame left that ends this side of the stream.
    virtual void end_sent(Stream&) {}
    virtual void reset_sent(int32_t, ErrorCode) {}

    // ---- ends ----------------------------------------------------------------------------------

    // The stream has ended in both directions, or was reset. The session forgets its object.
    virtual void stream_closed(Stream& stream, ErrorCode error) = 0;

protected:
    ~Events() = default;
};

}  // namespace stampede::proto::http2
