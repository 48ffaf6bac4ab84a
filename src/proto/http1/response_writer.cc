#include "proto/http1/response_writer.h"

#include <charconv>
#include <cstring>

#include "proto/http/message.h"

namespace stampede::proto::http1 {
namespace {

constexpr std::string_view kVersion = "HTTP/1.1 ";

struct StatusLine {
    int status;
    std::string_view line;
};

// The lines nearly every response has, whole.
constexpr StatusLine kStatusLines[] = {
    {200, "HTTP/1.1 200 OK\r\n"},
    {201, "HTTP/1.1 201 Created\r\n"},
    {204, "HTTP/1.1 204 No Content\r\n"},
    {206, "HTTP/1.1 206 Partial Content\r\n"},
    {301, "HTTP/1.1 301 Moved Permanently\r\n"},
    {302, "HTTP/1.1 302 Found\r\n"},
    {304, "HTTP/1.1 304 Not Modified\r\n"},
    {400, "HTTP/1.1 400 Bad Request\r\n"},
    {403, "HTTP/1.1 403 Forbidden\r\n"},
    {404, "HTTP/1.1 404 Not Found\r\n"},
    {500, "HTTP/1.1 500 Internal Server Error\r\n"},
};

char* put(char* to, std::string_view text) {
    std::memcpy(to, text.data(), text.size());
    return to + text.size();
}

struct CannedError {
    int status;
    std::string_view response;
};

#define STAMPEDE_CANNED(status, reason, fields, length, text)          \
    {                                                                  \
        status, "HTTP/1.1 " #status " " reason "\r\n" fields           \
                "Content-Type: text/plain\r\nContent-Length: " #length \
                "\r\nConnection: close\r\n\r\n" text "\n"              \
    }

constexpr CannedError kCannedErrors[] = {
    STAMPEDE_CANNED(400, "Bad Request", "", 16, "400 Bad Request"),
    STAMPEDE_CANNED(403, "Forbidden", "", 14, "403 Forbidden"),
    STAMPEDE_CANNED(404, "Not Found", "", 14, "404 Not Found"),
    STAMPEDE_CANNED(405, "Method Not Allowed",
                    "Allow: GET, HEAD, POST, PUT, PATCH, DELETE, QUERY, OPTIONS\r\n", 23,
                    "405 Method Not Allowed"),
    STAMPEDE_CANNED(408, "Request Timeout", "", 20, "408 Request Timeout"),
    STAMPEDE_CANNED(411, "Length Required", "", 20, "411 Length Required"),
    STAMPEDE_CANNED(413, "Content Too Large", "", 22, "413 Content Too Large"),
    STAMPEDE_CANNED(414, "URI Too Long", "", 17, "414 URI Too Long"),
    STAMPEDE_CANNED(415, "Unsupported Media Type", "Accept-Encoding: gzip, deflate, br, zstd\r\n",
                    27, "415 Unsupported Media Type"),
    STAMPEDE_CANNED(417, "Expectation Failed", "", 23, "417 Expectation Failed"),
    STAMPEDE_CANNED(421, "Misdirected Request", "", 24, "421 Misdirected Request"),
    STAMPEDE_CANNED(426, "Upgrade Required", "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n",
                    21, "426 Upgrade Required"),
    STAMPEDE_CANNED(429, "Too Many Requests", "", 22, "429 Too Many Requests"),
    STAMPEDE_CANNED(431, "Request Header Fields Too Large", "", 36,
                    "431 Request Header Fields Too Large"),
    STAMPEDE_CANNED(500, "Internal Server Error", "", 26, "500 Internal Server Error"),
    STAMPEDE_CANNED(501, "Not Implemented", "", 20, "501 Not Implemented"),
    STAMPEDE_CANNED(502, "Bad Gateway", "", 16, "502 Bad Gateway"),
    STAMPEDE_CANNED(503, "Service Unavailable", "Retry-After: 1\r\n", 24,
                    "503 Service Unavailable"),
    STAMPEDE_CANNED(504, "Gateway Timeout", "", 20, "504 Gateway Timeout"),
    STAMPEDE_CANNED(505, "HTTP Version Not Supported", "", 31, "505 HTTP Version Not Supported"),
    STAMPEDE_CANNED(507, "Insufficient Storage", "", 25, "507 Insufficient Storage"),
};

#undef STAMPEDE_CANNED

// A wrong Content-Length in the table above does not compile.
constexpr bool lengths_are_right() {
    for (const CannedError& error : kCannedErrors) {
        constexpr std::string_view kField = "Content-Length: ";
        size_t digits = error.response.find(kField) + kField.size();
        size_t length = 0;
        for (; error.response[digits] != '\r'; digits++) {
            length = length * 10 + static_cast<size_t>(error.response[digits] - '0');
        }
        if (error.response.size() - (error.response.find("\r\n\r\n") + 4) != length) {
            return false;
        }
    }
    return true;
}
static_assert(lengths_are_right());

}  // namespace

void append_status_line(Buffer& out, int status) {
    for (const StatusLine& known : kStatusLines) {
        if (known.status == status) {
            out.append(known.line);
            return;
        }
    }
    append_status_line(out, status, http::reason_phrase(status));
}

void append_status_line(Buffer& out, int status, std::string_view reason) {
    if (!valid_reason(reason)) {
        reason = http::reason_phrase(status);
    }
    char* begin = out.reserve(kVersion.size() + 4 + reason.size() + 2);
    char* to = put(begin, kVersion);
    *to++ = static_cast<char>('0' + status / 100 % 10);
    *to++ = static_cast<char>('0' + status / 10 % 10);
    *to++ = static_cast<char>('0' + status % 10);
    *to++ = ' ';
    to = put(to, reason);
    to = put(to, "\r\n");
    out.commit(static_cast<size_t>(to - begin));
}

void append_field(Buffer& out, std::string_view name, std::string_view value) {
    size_t size = name.size() + value.size() + 4;
    char* to = put(out.reserve(size), name);
    to = put(to, ": ");
    to = put(to, value);
    put(to, "\r\n");
    out.commit(size);
}

void append_decimal(Buffer& out, uint64_t number) {
    constexpr size_t kMaxDigits = 20;
    char* begin = out.reserve(kMaxDigits);
    out.commit(static_cast<size_t>(std::to_chars(begin, begin + kMaxDigits, number).ptr - begin));
}

void append_content_length(Buffer& out, uint64_t length) {
    out.append("Content-Length: ");
    append_decimal(out, length);
    out.append("\r\n");
}

void append_end_of_head(Buffer& out) { out.append("\r\n"); }

void append_chunk_prefix(Buffer& out, uint64_t length) {
    constexpr size_t kMaxDigits = 16;
    char* begin = out.reserve(kMaxDigits + 2);
    char* to = std::to_chars(begin, begin + kMaxDigits, length, 16).ptr;
    to = put(to, "\r\n");
    out.commit(static_cast<size_t>(to - begin));
}

std::string_view canned_error(int status) {
    std::string_view fallback;
    for (const CannedError& error : kCannedErrors) {
        if (error.status == status) {
            return error.response;
        }
        if (error.status == 500) {
            fallback = error.response;
        }
    }
    return fallback;
}

void append_error(Buffer& out, int status, std::string_view date, ErrorBody body) {
    std::string_view response = canned_error(status);
    size_t line = response.find("\r\n") + 2;
    size_t head = response.find("\r\n\r\n") + 4;
    out.append(response.substr(0, line));
    append_field(out, "Date", date);
    out.append(response.substr(line, head - line));
    if (body == ErrorBody::kSend) {
        out.append(response.substr(head));
    }
}

}  // namespace stampede::proto::http1
