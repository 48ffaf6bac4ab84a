#include "proto/ws/frame.h"

#include <cstring>

namespace stampede::proto::ws {

namespace {

uint64_t read_big_endian(const char* from, size_t count) {
    uint64_t value = 0;
    for (size_t i = 0; i < count; i++) {
        value = value << 8 | static_cast<unsigned char>(from[i]);
    }
    return value;
}

char* put_big_endian(char* to, uint64_t value, size_t count) {
    for (size_t i = count; i > 0; i--) {
        *to++ = static_cast<char>(value >> (8 * (i - 1)));
    }
    return to;
}

}  // namespace

http::ParseStatus parse_frame_header(std::string_view in, FrameHeader& out) {
    if (in.size() < 2) {
        return http::ParseStatus::kNeedMore;
    }
    auto first = static_cast<unsigned char>(in[0]);
    auto second = static_cast<unsigned char>(in[1]);
    uint64_t length = second & 0x7f;
    size_t extra = length == 126 ? 2 : length == 127 ? 8 : 0;
    out.masked = (second & 0x80) != 0;
    out.size = static_cast<uint32_t>(2 + extra + (out.masked ? 4 : 0));
    if (in.size() < out.size) {
        return http::ParseStatus::kNeedMore;
    }
    out.fin = (first & 0x80) != 0;
    out.rsv = first >> 4 & 7;
    out.opcode = first & 0x0f;
    if (extra > 0) {
        length = read_big_endian(in.data() + 2, extra);
        bool too_long = length >> 63 != 0;
        if (too_long || length < (extra == 2 ? 126u : 65536u)) {
            return http::ParseStatus::kBad;
        }
    }
    out.length = length;
    if (out.masked) {
        std::memcpy(out.mask, in.data() + 2 + extra, 4);
    }
    return http::ParseStatus::kDone;
}

size_t write_frame_header(const FrameHeader& header, char* out) {
    char* to = out;
    *to++ =
        static_cast<char>((header.fin ? 0x80 : 0) | (header.rsv & 7) << 4 | (header.opcode & 0x0f));
    int mask_bit = header.masked ? 0x80 : 0;
    if (header.length < 126) {
        *to++ = static_cast<char>(mask_bit | static_cast<int>(header.length));
    } else if (header.length < 65536) {
        *to++ = static_cast<char>(mask_bit | 126);
        to = put_big_endian(to, header.length, 2);
    } else {
        *to++ = static_cast<char>(mask_bit | 127);
        to = put_big_endian(to, header.length, 8);
    }
    if (header.masked) {
        std::memcpy(to, header.mask, 4);
        to += 4;
    }
    return static_cast<size_t>(to - out);
}

void apply_mask(char* data, size_t size, const unsigned char (&mask)[4], size_t offset) {
    // 32 bytes at a time, in whatever registers the processor has; the mask repeats every four.
    using Block = uint64_t __attribute__((vector_size(32)));
    unsigned char turned[32];
    for (size_t i = 0; i < sizeof(turned); i++) {
        turned[i] = mask[(offset + i) & 3];
    }
    Block pattern;
    std::memcpy(&pattern, turned, sizeof(pattern));
    size_t i = 0;
    for (; i + sizeof(Block) <= size; i += sizeof(Block)) {
        Block block;
        std::memcpy(&block, data + i, sizeof(block));
        block ^= pattern;
        std::memcpy(data + i, &block, sizeof(block));
    }
    uint64_t word_mask;
    std::memcpy(&word_mask, turned, sizeof(word_mask));
    for (; i + sizeof(word_mask) <= size; i += sizeof(word_mask)) {
        uint64_t word;
        std::memcpy(&word, data + i, sizeof(word));
        word ^= word_mask;
        std::memcpy(data + i, &word, sizeof(word));
    }
    for (; i < size; i++) {
        data[i] = static_cast<char>(data[i] ^ static_cast<char>(turned[i & 3]));
    }
}

bool valid_close_code(uint16_t code) {
    bool defined = code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006;
    return defined || (code >= 3000 && code <= 4999);
}

}  // namespace stampede::proto::ws
