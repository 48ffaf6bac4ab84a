#include "proto/ws/writer.h"

#include <cstring>

namespace stampede::proto::ws {

void append_frame(Buffer& out, FrameHeader header, std::string_view payload) {
    header.length = payload.size();
    char* to = out.reserve(kMaxHeader + payload.size());
    size_t head = write_frame_header(header, to);
    if (!payload.empty()) {
        std::memcpy(to + head, payload.data(), payload.size());
    }
    if (header.masked) {
        apply_mask(to + head, payload.size(), header.mask, 0);
    }
    out.commit(head + payload.size());
}

void append_frame_header(Buffer& out, FrameHeader header, uint64_t length) {
    header.masked = false;
    header.length = length;
    out.commit(write_frame_header(header, out.reserve(kMaxHeader)));
}

std::string_view make_close_payload(uint16_t code, std::string_view reason,
                                    char (&out)[kMaxControlPayload]) {
    if (code == kCloseNoStatus) {
        return {};
    }
    size_t room = sizeof(out) - 2;
    if (reason.size() > room) {
        size_t cut = room;
        while (cut > 0 && (static_cast<unsigned char>(reason[cut]) & 0xc0) == 0x80) {
            cut--;
        }
        reason = reason.substr(0, cut);
    }
    out[0] = static_cast<char>(code >> 8);
    out[1] = static_cast<char>(code & 0xff);
    if (!reason.empty()) {
        std::memcpy(out + 2, reason.data(), reason.size());
    }
    return {out, 2 + reason.size()};
}

}  // namespace stampede::proto::ws
