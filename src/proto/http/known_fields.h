// Tells a known field by its name: one look into a table made at compile time, one comparison of
// words. Inline, since the head parser asks for every field. Any thread, never parks, never
// allocates.
#pragma once

#include <bit>
#include <cstring>

#include "proto/http/message.h"

namespace stampede::proto::http::known {

struct KnownName {
    std::string_view name;
    KnownField id;
};

inline constexpr KnownName kNames[] = {
    {"te", KnownField::kTe},
    {"host", KnownField::kHost},
    {"range", KnownField::kRange},
    {"proxy", KnownField::kProxy},
    {"accept", KnownField::kAccept},
    {"cookie", KnownField::kCookie},
    {"expect", KnownField::kExpect},
    {"origin", KnownField::kOrigin},
    {"referer", KnownField::kReferer},
    {"upgrade", KnownField::kUpgrade},
    {"trailer", KnownField::kTrailer},
    {"if-range", KnownField::kIfRange},
    {"x-real-ip", KnownField::kXRealIp},
    {"user-agent", KnownField::kUserAgent},
    {"connection", KnownField::kConnection},
    {"keep-alive", KnownField::kKeepAlive},
    {"content-type", KnownField::kContentType},
    {"cache-control", KnownField::kCacheControl},
    {"if-none-match", KnownField::kIfNoneMatch},
    {"authorization", KnownField::kAuthorization},
    {"content-length", KnownField::kContentLength},
    {"accept-encoding", KnownField::kAcceptEncoding},
    {"accept-language", KnownField::kAcceptLanguage},
    {"x-forwarded-for", KnownField::kXForwardedFor},
    {"content-encoding", KnownField::kContentEncoding},
    {"if-modified-since", KnownField::kIfModifiedSince},
    {"transfer-encoding", KnownField::kTransferEncoding},
    {"sec-websocket-key", KnownField::kSecWebSocketKey},
    {"sec-websocket-version", KnownField::kSecWebSocketVersion},
    {"sec-websocket-protocol", KnownField::kSecWebSocketProtocol},
    {"sec-websocket-extensions", KnownField::kSecWebSocketExtensions},
};

inline constexpr size_t kNameCount = sizeof(kNames) / sizeof(kNames[0]);
inline constexpr size_t kLongestName = kNames[kNameCount - 1].name.size();
static_assert(kLongestName == 24, "three words must cover a name");

// Up to 24 bytes of a name as three words in lower case; they overlap when the name is shorter.
// Setting bit 5 is a faithful lower-casing here: no other two token characters differ in that bit
// alone.
struct NameWords {
    uint64_t first = 0;
    uint64_t middle = 0;
    uint64_t last = 0;

    bool operator==(const NameWords&) const = default;
};

inline constexpr uint64_t kLowerBits = 0x2020202020202020;

constexpr uint64_t constant_load(const char* p, size_t count) {
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++) {
        word |= static_cast<uint64_t>(static_cast<unsigned char>(p[i])) << (8 * i);
    }
    return word;
}

inline uint64_t load8(const char* p) {
    uint64_t word;
    std::memcpy(&word, p, sizeof(word));
    if constexpr (std::endian::native == std::endian::big) {
        word = __builtin_bswap64(word);
    }
    return word;
}

inline uint64_t load4(const char* p) {
    uint32_t word;
    std::memcpy(&word, p, sizeof(word));
    if constexpr (std::endian::native == std::endian::big) {
        word = __builtin_bswap32(word);
    }
    return word;
}

constexpr NameWords constant_words(std::string_view name) {
    const char* p = name.data();
    size_t n = name.size();
    NameWords words;
    if (n >= 8) {
        words.first = constant_load(p, 8);
        words.last = constant_load(p + n - 8, 8);
        words.middle = n > 16 ? constant_load(p + 8, 8) : 0;
    } else if (n >= 4) {
        words.first = constant_load(p, 4);
        words.last = constant_load(p + n - 4, 4);
    } else {
        words.first = constant_load(p, n);
    }
    words.first |= kLowerBits;
    words.middle |= kLowerBits;
    words.last |= kLowerBits;
    return words;
}

inline NameWords load_words(const char* p, size_t n) {
    NameWords words;
    if (n >= 8) {
        words.first = load8(p);
        words.last = load8(p + n - 8);
        words.middle = n > 16 ? load8(p + 8) : 0;
    } else if (n >= 4) {
        words.first = load4(p);
        words.last = load4(p + n - 4);
    } else {
        words.first = constant_load(p, n);
    }
    words.first |= kLowerBits;
    words.middle |= kLowerBits;
    words.last |= kLowerBits;
    return words;
}

// A table without collisions over the words of a name; the multiplier is searched by the compiler.
inline constexpr size_t kSlots = 128;

constexpr size_t slot_of(const NameWords& words, size_t length, uint64_t multiplier) {
    return ((words.first + words.last + length) * multiplier) >> 57;
}

constexpr bool is_perfect(uint64_t multiplier) {
    bool used[kSlots] = {};
    for (const KnownName& known : kNames) {
        size_t slot = slot_of(constant_words(known.name), known.name.size(), multiplier);
        if (used[slot]) {
            return false;
        }
        used[slot] = true;
    }
    return true;
}

constexpr uint64_t find_multiplier() {
    uint64_t multiplier = 0x9e3779b97f4a7c15;
    while (!is_perfect(multiplier)) {
        multiplier = (multiplier * 6364136223846793005 + 1442695040888963407) | 1;
    }
    return multiplier;
}

struct alignas(32) Entry {
    NameWords words;
    uint32_t length;
    KnownField id;
};

struct Index {
    Entry entries[kSlots];
};

inline constexpr uint64_t kMultiplier = find_multiplier();

constexpr Index make_index() {
    Index index{};
    for (const KnownName& known : kNames) {
        NameWords words = constant_words(known.name);
        size_t length = known.name.size();
        index.entries[slot_of(words, length, kMultiplier)] = {words, static_cast<uint32_t>(length),
                                                              known.id};
    }
    return index;
}

inline constexpr Index kIndex = make_index();

// name must consist of token characters.
inline KnownField identify(const char* name, size_t length) {
    NameWords words = load_words(name, length);
    const Entry& entry = kIndex.entries[slot_of(words, length, kMultiplier)];
    bool same = entry.length == length && entry.words.first == words.first &&
                entry.words.last == words.last && entry.words.middle == words.middle;
    return same ? entry.id : KnownField::kOther;
}

// Whether text is Name (in lower case, at most 24 characters) in any letter case. text may be any
// field value.
template <const auto& Name>
inline bool equals(std::string_view text) {
    constexpr std::string_view kWanted(Name);
    constexpr NameWords kWords = constant_words(kWanted);
    return text.size() == kWanted.size() && load_words(text.data(), kWanted.size()) == kWords;
}

}  // namespace stampede::proto::http::known
