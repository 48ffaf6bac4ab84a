#include "io/websocket_frames.h"

#include <openssl/rand.h>

#include "loop/memory_keeper.h"
#include "runtime/runtime.h"
#include "zend/view.h"

namespace stampede::io {

using proto::ws::FrameHeader;
using proto::ws::Role;
using zend::view;

namespace {

loop::SpareMemory spare_memory{{}, [] { proto::ws::deflate_memory().trim(); }};

}  // namespace

std::unique_ptr<proto::ws::Deflate> make_deflate(Role role, const proto::ws::DeflateTerms& terms) {
    constexpr int kUsualLevel = -1;
    if (!spare_memory.linked()) {
        runtime::Runtime::get().memory().add(spare_memory);
    }
    return proto::ws::Deflate::create(role, terms, kUsualLevel);
}

FrameHeader frame_header(const OutFrame& frame, Role role) {
    FrameHeader header;
    header.opcode = static_cast<uint8_t>(frame.opcode);
    header.fin = (frame.flags & kFlagFin) != 0;
    header.rsv = static_cast<uint8_t>(((frame.flags & kFlagRsv1) != 0 ? 4 : 0) |
                                      ((frame.flags & kFlagRsv2) != 0 ? 2 : 0) |
                                      ((frame.flags & kFlagRsv3) != 0 ? 1 : 0));
    header.masked = role == Role::kClient || (frame.flags & kFlagMask) != 0;
    if (header.masked) {
        RAND_bytes(header.mask, sizeof(header.mask));
    }
    return header;
}

bool asks_for_compression(const OutFrame& frame) {
    return (frame.flags & kFlagCompress) != 0 && (frame.flags & kFlagFin) != 0 &&
           (frame.opcode == proto::ws::kText || frame.opcode == proto::ws::kBinary);
}

bool append_out_frame(Buffer& out, const OutFrame& frame, Role role, proto::ws::Deflate* deflate) {
    if (frame.opcode == proto::ws::kClose) {
        append_close(out, frame.close_code, view(frame.data), role);
        return true;
    }
    FrameHeader header = frame_header(frame, role);
    if (deflate == nullptr || !asks_for_compression(frame)) {
        append_frame(out, header, view(frame.data));
        return true;
    }
    Buffer compressed;
    if (!deflate->compress(view(frame.data), compressed)) {
        return false;
    }
    header.rsv |= 4;
    append_frame(out, header, compressed.view());
    return true;
}

void append_control(Buffer& out, uint8_t opcode, std::string_view payload, Role role) {
    FrameHeader header;
    header.opcode = opcode;
    header.masked = role == Role::kClient;
    if (header.masked) {
        RAND_bytes(header.mask, sizeof(header.mask));
    }
    append_frame(out, header, payload);
}

void append_close(Buffer& out, uint16_t code, std::string_view reason, Role role) {
    char bytes[proto::ws::kMaxControlPayload];
    append_control(out, proto::ws::kClose, proto::ws::make_close_payload(code, reason, bytes),
                   role);
}

}  // namespace stampede::io
