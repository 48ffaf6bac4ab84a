#include "ext/server/websocket_sending.h"

#include "runtime/runtime.h"
#include "subsystems.h"
#include "zend/view.h"

namespace stampede::classes {

using proto::ws::FrameHeader;
using proto::ws::Role;

namespace {

// Below, a copy costs less than one more piece in the queue of what is to be written.
constexpr size_t kShareFrom = 4096;

using zend::view;

// The bytes of a frame for any number of connections.
struct EncodedFrame {
    Buffer bytes;
    uint32_t holders = 1;

    static void let_go(void* self) {
        auto* frame = static_cast<EncodedFrame*>(self);
        if (--frame->holders == 0) {
            delete frame;
        }
    }
};

void send_encoded(server::WebSocketSession& session, EncodedFrame& frame) {
    if (frame.bytes.size() < kShareFrom) {
        session.out().append(frame.bytes.view());
        return;
    }
    frame.holders++;
    session.connection().write_ref({frame.bytes.view(), &frame, EncodedFrame::let_go});
}

// What was compressed last, for the next peer that gets the same string. It is held no longer than
// what pushes it runs: nobody else can change it meanwhile, and nothing lies around.
struct LastCompressed : loop::Task {
    zend_string* data = nullptr;
    zend_long opcode = 0;
    zend_long flags = 0;
    uint8_t window_bits = 0;
    EncodedFrame* frame = nullptr;

    LastCompressed() {
        run = [](loop::Task& task) { static_cast<LastCompressed&>(task).drop(); };
    }
    bool is(const io::OutFrame& wanted, uint8_t bits) const {
        return data == wanted.data && opcode == wanted.opcode && flags == wanted.flags &&
               window_bits == bits;
    }
    void drop() {
        if (data != nullptr) {
            zend_string_release(data);
            data = nullptr;
            EncodedFrame::let_go(frame);
        }
    }
    bool make(const io::OutFrame& wanted, proto::ws::Deflate& deflate);
};

bool LastCompressed::make(const io::OutFrame& wanted, proto::ws::Deflate& deflate) {
    drop();
    Buffer compressed;
    if (!deflate.compress(view(wanted.data), compressed)) {
        return false;
    }
    frame = new EncodedFrame();
    FrameHeader header = io::frame_header(wanted, Role::kServer);
    header.rsv |= 4;
    append_frame(frame->bytes, header, compressed.view());
    data = zend_string_copy(wanted.data);
    opcode = wanted.opcode;
    flags = wanted.flags;
    window_bits = deflate.window_bits();
    if (!linked()) {
        runtime::Runtime::get().loop().enqueue(*this);
    }
    return true;
}

LastCompressed last_compressed;

bool send_compressed(server::WebSocketSession& session, const io::OutFrame& frame) {
    proto::ws::Deflate& deflate = *session.deflate();
    bool shareable = deflate.forgets() && (frame.flags & io::kFlagMask) == 0;
    if (!shareable) {
        return io::append_out_frame(session.out(), frame, Role::kServer, &deflate);
    }
    if (!last_compressed.is(frame, deflate.window_bits()) &&
        !last_compressed.make(frame, deflate)) {
        return false;
    }
    send_encoded(session, *last_compressed.frame);
    return true;
}

void send_plain(server::WebSocketSession& session, const io::OutFrame& frame) {
    FrameHeader header = io::frame_header(frame, Role::kServer);
    if (ZSTR_LEN(frame.data) < kShareFrom || header.masked) {
        append_frame(session.out(), header, view(frame.data));
        return;
    }
    append_frame_header(session.out(), header, ZSTR_LEN(frame.data));
    net::BytesRef bytes;
    bytes.bytes = view(frame.data);
    bytes.owner = zend_string_copy(frame.data);
    bytes.release = [](void* owner) { zend_string_release(static_cast<zend_string*>(owner)); };
    session.connection().write_ref(bytes);
}

}  // namespace

bool send_frame(server::WebSocketSession& session, const io::OutFrame& frame) {
    bool sent = true;
    if (session.deflate() != nullptr && io::asks_for_compression(frame)) {
        sent = send_compressed(session, frame);
    } else {
        send_plain(session, frame);
    }
    session.sent();
    return sent;
}

zend_result websocket_sending_rshutdown(int, int) {
    last_compressed.unlink();
    last_compressed.drop();
    return SUCCESS;
}

}  // namespace stampede::classes
