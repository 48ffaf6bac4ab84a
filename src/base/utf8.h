// Characters of UTF-8 in bytes that anybody may have sent. Any thread, never parks.
#pragma once

#include <cstddef>
#include <string_view>

namespace stampede {

// The length of the character at the beginning; 0: there is none.
inline size_t utf8_character_size(std::string_view text) {
    auto at = [&](size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
    auto follows = [&](size_t i) { return (at(i) & 0xc0) == 0x80; };
    unsigned char first = at(0);
    if (first < 0x80) {
        return text.empty() ? 0 : 1;
    }
    if (first >= 0xc2 && first <= 0xdf) {
        return follows(1) ? 2 : 0;
    }
    if ((first & 0xf0) == 0xe0) {
        bool good = follows(1) && follows(2) && (first != 0xe0 || at(1) >= 0xa0) &&
                    (first != 0xed || at(1) < 0xa0);
        return good ? 3 : 0;
    }
    if (first >= 0xf0 && first <= 0xf4) {
        bool good = follows(1) && follows(2) && follows(3) && (first != 0xf0 || at(1) >= 0x90) &&
                    (first != 0xf4 || at(1) < 0x90);
        return good ? 4 : 0;
    }
    return 0;
}

}  // namespace stampede
