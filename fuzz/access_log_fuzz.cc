// Fuzzes what the access log makes of bytes that peers sent: nothing ends the line or the string,
// nothing steers a terminal, and what comes out stands for what came in.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "server/access_log.h"

namespace {

void check(bool condition) {
    if (!condition) {
        std::abort();
    }
}

int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

std::string unescaped(std::string_view text) {
    std::string out;
    for (size_t i = 0; i < text.size(); i++) {
        check(text[i] >= 0x20 && text[i] < 0x7f && text[i] != '"');
        if (text[i] != '\\') {
            out += text[i];
            continue;
        }
        check(i + 3 < text.size() && text[i + 1] == 'x');
        out += static_cast<char>(digit(text[i + 2]) * 16 + digit(text[i + 3]));
        i += 3;
    }
    return out;
}

// The bytes of the character of more than one at the beginning; it must be UTF-8 in its shortest
// form, no half of a pair, and nothing that steers a terminal.
size_t length_of_character(std::string_view text) {
    auto first = static_cast<unsigned char>(text[0]);
    check(first >= 0xc2 && first <= 0xf4);
    size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    check(length <= text.size());
    uint32_t code = first & (0x7fu >> length);
    for (size_t at = 1; at < length; at++) {
        auto next = static_cast<unsigned char>(text[at]);
        check((next & 0xc0) == 0x80);
        code = code << 6 | (next & 0x3fu);
    }
    constexpr uint32_t kLeast[] = {0xa0, 0x800, 0x10000};
    check(code >= kLeast[length - 2] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff));
    return length;
}

// How many bytes of the input the characters of a JSON string stand for, at least and at most.
void check_json(std::string_view text, size_t bytes) {
    size_t least = 0;
    size_t most = 0;
    for (size_t i = 0; i < text.size();) {
        auto c = static_cast<unsigned char>(text[i]);
        check(c >= 0x20 && c != 0x7f && c != '"');
        size_t length = 1;
        if (c == '\\') {
            check(i + 1 < text.size());
            bool number = text[i + 1] == 'u';
            check(number || text[i + 1] == '"' || text[i + 1] == '\\');
            length = number ? 6 : 2;
            check(i + length <= text.size());
            bool lost = number && text.substr(i, length) == "\\ufffd";
            least += 1;
            most += lost ? 2 : 1;  // a character that steers terminals, or a byte that is none
        } else {
            length = c < 0x80 ? 1 : length_of_character(text.substr(i));
            least += length;
            most += length;
        }
        i += length;
    }
    check(least <= bytes && bytes <= most);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    std::string_view bytes(reinterpret_cast<const char*>(data), size);
    stampede::Buffer plain;
    stampede::server::append_escaped(plain, bytes);
    check(unescaped(plain.view()) == bytes);
    stampede::Buffer json;
    stampede::server::append_json_text(json, bytes);
    check_json(json.view(), size);
    return 0;
}
