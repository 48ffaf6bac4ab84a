// Frames of HTTP/2 as a peer makes and reads them, for tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace stampede::testing::http2 {

enum FrameType : char {
    kData = 0,
    kHeaders = 1,
    kReset = 3,
    kSettings = 4,
    kGoaway = 7,
    kWindow = 8
};
enum FrameFlag : char { kEndStream = 1, kEndHeaders = 4 };

inline std::string frame(char type, char flags, int32_t stream, std::string_view payload) {
    auto byte = [](size_t value) { return static_cast<char>(value & 0xff); };
    auto id = static_cast<size_t>(stream);
    std::string text{byte(payload.size() >> 16),
                     byte(payload.size() >> 8),
                     byte(payload.size()),
                     type,
                     flags,
                     byte(id >> 24),
                     byte(id >> 16),
                     byte(id >> 8),
                     byte(id)};
    return text.append(payload);
}

// A literal field that enters no table; both texts are shorter than 127 bytes.
inline std::string field(std::string_view name, std::string_view value) {
    std::string text(1, '\0');
    text.append(1, static_cast<char>(name.size())).append(name);
    return text.append(1, static_cast<char>(value.size())).append(value);
}

inline std::string greeting() {
    return "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(kSettings, 0, 0, "");
}

// How many frames of the type went to the stream.
inline int count_frames(std::string_view out, char type, int32_t stream) {
    int count = 0;
    while (out.size() >= 9) {
        auto byte = [&](size_t at) { return static_cast<uint8_t>(out[at]); };
        size_t length = size_t{byte(0)} << 16 | size_t{byte(1)} << 8 | byte(2);
        bool is_type = out[3] == type && byte(8) == stream && byte(7) == 0;
        count += is_type ? 1 : 0;
        out.remove_prefix(std::min(out.size(), 9 + length));
    }
    return count;
}

// The bytes of a stream's body.
inline size_t data_bytes(std::string_view out, int32_t stream) {
    size_t bytes = 0;
    while (out.size() >= 9) {
        auto byte = [&](size_t at) { return static_cast<uint8_t>(out[at]); };
        size_t length = size_t{byte(0)} << 16 | size_t{byte(1)} << 8 | byte(2);
        bytes += out[3] == kData && byte(8) == stream ? length : 0;
        out.remove_prefix(std::min(out.size(), 9 + length));
    }
    return bytes;
}

}  // namespace stampede::testing::http2
