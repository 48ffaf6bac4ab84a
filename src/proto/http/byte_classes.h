// What a byte may be in the head of a message: one table for all versions. Constants; any thread.
#pragma once

#include <array>
#include <cstdint>

namespace stampede::proto::http {

enum ByteClass : uint8_t {
    kControl = 1,        // ends a line or has no place in it: below 0x20 but TAB, and 0x7f
    kTargetStop = 2,     // not in a request target: 0 to 0x20, 0x7f and above
    kTargetSpecial = 4,  // in a target, but with a meaning there: ? # % and backslash
    kNameStop = 8,       // not a token character
    kNameOdd = 16,       // a token character, but neither letter, digit nor '-'
};

constexpr bool is_name_plain(int c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

constexpr bool is_name_odd(int c) {
    constexpr char kOdd[] = "!#$%&'*+.^_`|~";
    for (const char* p = kOdd; *p != 0; p++) {
        if (c == *p) {
            return true;
        }
    }
    return false;
}

constexpr uint8_t classify(int c) {
    uint8_t result = 0;
    result |= (c < 0x20 && c != '\t') || c == 0x7f ? kControl : 0;
    result |= c <= 0x20 || c >= 0x7f ? kTargetStop : 0;
    result |= c == '?' || c == '#' || c == '%' || c == '\\' ? kTargetSpecial : 0;
    result |= is_name_plain(c) || is_name_odd(c) ? 0 : kNameStop;
    result |= is_name_odd(c) ? kNameOdd : 0;
    return result;
}

constexpr std::array<uint8_t, 256> make_classes() {
    std::array<uint8_t, 256> classes{};
    for (int c = 0; c < 256; c++) {
        classes[static_cast<size_t>(c)] = classify(c);
    }
    return classes;
}

inline constexpr std::array<uint8_t, 256> kClasses = make_classes();

inline uint8_t class_of(char c) { return kClasses[static_cast<unsigned char>(c)]; }

}  // namespace stampede::proto::http
