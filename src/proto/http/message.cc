#include "proto/http/message.h"

#include <array>
#include <bit>
#include <cstring>

namespace stampede::proto::http {
namespace {

struct MethodName {
    std::string_view name;
    Method method;
};

constexpr MethodName kMethods[] = {
    {"GET", Method::kGet},         {"HEAD", Method::kHead},     {"POST", Method::kPost},
    {"PUT", Method::kPut},         {"DELETE", Method::kDelete}, {"CONNECT", Method::kConnect},
    {"OPTIONS", Method::kOptions}, {"TRACE", Method::kTrace},   {"PATCH", Method::kPatch},
};

// RFC 9110 5.6.2.
constexpr std::string_view kTokenMarks = "!#$%&'*+-.^_`|~";

constexpr std::array<bool, 256> make_token_table() {
    std::array<bool, 256> table{};
    for (int c = '0'; c <= '9'; c++) {
        table[static_cast<size_t>(c)] = true;
    }
    for (int c = 'a'; c <= 'z'; c++) {
        table[static_cast<size_t>(c)] = true;
        table[static_cast<size_t>(c - 'a' + 'A')] = true;
    }
    for (char c : kTokenMarks) {
        table[static_cast<unsigned char>(c)] = true;
    }
    return table;
}

constexpr std::array<bool, 256> kToken = make_token_table();

struct KnownName {
    std::string_view name;
    KnownField id;
};

// Sorted by length, so that a name is compared with the few of its own length only.
constexpr KnownName kNames[] = {
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

constexpr size_t kNameCount = sizeof(kNames) / sizeof(kNames[0]);
constexpr size_t kLongestName = kNames[kNameCount - 1].name.size();
static_assert(kLongestName <= 24, "three words must cover a name");

// Up to 24 bytes of a name as three words in lower case; they overlap when the name is shorter.
// Setting bit 5 is a faithful lower-casing here: no other two token characters differ in that bit
// alone.
struct NameWords {
    uint64_t first = 0;
    uint64_t middle = 0;
    uint64_t last = 0;

    bool operator==(const NameWords&) const = default;
};

constexpr uint64_t kLowerBits = 0x2020202020202020;

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

struct NameIndex {
    NameWords words[kNameCount];
    uint8_t first[kLongestName + 2];  // first[n] to first[n + 1]: the names of length n
};

constexpr NameIndex make_index() {
    NameIndex index{};
    size_t next = 0;
    for (size_t length = 0; length <= kLongestName + 1; length++) {
        index.first[length] = static_cast<uint8_t>(next);
        while (next < kNameCount && kNames[next].name.size() == length) {
            index.words[next] = constant_words(kNames[next].name);
            next++;
        }
    }
    return index;
}

constexpr NameIndex kIndex = make_index();
static_assert(kIndex.first[kLongestName + 1] == kNameCount, "kNames must be sorted by length");

constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

}  // namespace

KnownField identify_field(std::string_view name) {
    size_t length = name.size();
    if (length > kLongestName) {
        return KnownField::kOther;
    }
    size_t i = kIndex.first[length];
    size_t end = kIndex.first[length + 1];
    if (i == end) {
        return KnownField::kOther;
    }
    NameWords words = load_words(name.data(), length);
    for (; i < end; i++) {
        if (kIndex.words[i] == words) {
            return kNames[i].id;
        }
    }
    return KnownField::kOther;
}

std::string_view method_name(Method method) {
    auto index = static_cast<size_t>(method);
    return index < sizeof(kMethods) / sizeof(kMethods[0]) ? kMethods[index].name
                                                          : std::string_view();
}

Method method_from_name(std::string_view name) {
    for (const MethodName& entry : kMethods) {
        if (entry.name == name) {
            return entry.method;
        }
    }
    return Method::kOther;
}

bool is_token_char(char c) { return kToken[static_cast<unsigned char>(c)]; }

bool is_token(std::string_view text) {
    for (char c : text) {
        if (!is_token_char(c)) {
            return false;
        }
    }
    return !text.empty();
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) {
        return false;
    }
    for (size_t i = 0; i < a.size(); i++) {
        if (to_lower(a[i]) != to_lower(b[i])) {
            return false;
        }
    }
    return true;
}

}  // namespace stampede::proto::http
