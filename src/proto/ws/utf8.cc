#include "proto/ws/utf8.h"

#include <cstring>

namespace stampede::proto::ws {

bool Utf8Check::step(unsigned char byte) {
    if (missing_ > 0) {
        bool fits = byte >= low_ && byte <= high_;
        low_ = 0x80;
        high_ = 0xbf;
        missing_--;
        return fits;
    }
    if (byte < 0x80) {
        return true;
    }
    if (byte < 0xc2 || byte > 0xf4) {
        return false;
    }
    missing_ = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    // Neither longer than needed, nor a surrogate, nor above U+10FFFF.
    low_ = byte == 0xe0 ? 0xa0 : byte == 0xf0 ? 0x90 : 0x80;
    high_ = byte == 0xed ? 0x9f : byte == 0xf4 ? 0x8f : 0xbf;
    return true;
}

bool Utf8Check::feed(std::string_view text) {
    constexpr uint64_t kHighBits = 0x8080808080808080;
    size_t i = 0;
    while (i < text.size()) {
        uint64_t word = 0;
        while (missing_ == 0 && i + sizeof(word) <= text.size()) {
            std::memcpy(&word, text.data() + i, sizeof(word));
            if ((word & kHighBits) != 0) {
                break;
            }
            i += sizeof(word);
        }
        if (i < text.size() && !step(static_cast<unsigned char>(text[i++]))) {
            return false;
        }
    }
    return true;
}

bool is_utf8(std::string_view text) {
    Utf8Check check;
    return check.feed(text) && check.complete();
}

}  // namespace stampede::proto::ws
