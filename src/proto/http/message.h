// The message model all HTTP versions share: slices, fields, methods, reasons, dates.
// Plain values owned by the code that holds them; offsets stay right when the bytes they point into
// are copied. Any thread, never parks, never allocates.
#pragma once

#include <cstdint>
#include <ctime>
#include <string_view>

namespace stampede::proto::http {

// A run of bytes inside a head, counted from the head's first byte.
struct Slice {
    uint32_t offset = 0;
    uint32_t length = 0;

    std::string_view in(const char* base) const { return {base + offset, length}; }
    bool empty() const { return length == 0; }
};

// Fields that the server itself reads or that nearly every request carries.
// A name that is not listed is kOther; two names are never given the same id.
enum class KnownField : uint8_t {
    kOther,
    kAccept,
    kAcceptEncoding,
    kAcceptLanguage,
    kAuthorization,
    kCacheControl,
    kConnection,
    kContentEncoding,
    kContentLength,
    kContentType,
    kCookie,
    kExpect,
    kHost,
    kIfModifiedSince,
    kIfNoneMatch,
    kIfRange,
    kKeepAlive,
    kOrigin,
    kProxy,
    kRange,
    kReferer,
    kSecWebSocketExtensions,
    kSecWebSocketKey,
    kSecWebSocketProtocol,
    kSecWebSocketVersion,
    kTe,
    kTrailer,
    kTransferEncoding,
    kUpgrade,
    kUserAgent,
    kXForwardedFor,
    kXRealIp,
};

// The id of a field name in any letter case; name must consist of token characters.
KnownField identify_field(std::string_view name);

enum FieldMark : uint8_t {
    kFieldPlain = 0,
    // The name would collide with another one once it is written as a CGI variable (X_Real_Ip,
    // X.Real.Ip) or is a known trap (Proxy): such a field is never shown to the application.
    kFieldDrop = 1,
};

struct Field {
    Slice name;
    Slice value;  // without the white space around it
    KnownField id = KnownField::kOther;
    uint8_t marks = kFieldPlain;

    bool dropped() const { return (marks & kFieldDrop) != 0; }
};

enum class Method : uint8_t {
    kGet,
    kHead,
    kPost,
    kPut,
    kDelete,
    kConnect,
    kOptions,
    kTrace,
    kPatch,
    kQuery,  // RFC 10008: safe, with a body
    kOther,  // a valid token; the text is in RequestHead::method_text
};

// The name of a method, "" for kOther.
std::string_view method_name(Method method);
// Methods are case-sensitive: "get" is kOther.
Method method_from_name(std::string_view name);

enum class ParseStatus : uint8_t { kDone, kNeedMore, kBad };

// The usual reason for a status, "" when it has none.
const char* reason_phrase(int status);

inline constexpr size_t kDateLength = 29;
// Writes "Sun, 06 Nov 1994 08:49:37 GMT", no terminating NUL.
void format_date(time_t when, char out[kDateLength]);
// Reads the form that format_date writes; false for anything else (a condition with such a date is
// ignored).
bool parse_date(std::string_view text, time_t& out);

// True for a character that may stand in a method or a field name.
bool is_token_char(char c);
bool is_token(std::string_view text);
// Without the blanks (space, tab) around it.
inline std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
        text.remove_prefix(1);
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
        text.remove_suffix(1);
    }
    return text;
}
// ASCII only, independent of the locale.
bool equals_ignoring_case(std::string_view a, std::string_view b);
// Whether the list, its elements separated by commas, has this one, in any letter case.
bool lists(std::string_view list, std::string_view element);

}  // namespace stampede::proto::http
