#include "proto/http1/request_parser.h"

#include <cstring>

#include "proto/http1/head_parser.h"
#include "proto/http1/parser_table.h"

namespace stampede::proto::http1 {
namespace {

// What a request line can measure at most: method, target, version, two spaces, CR LF.
size_t request_line_limit(const Limits& limits) {
    return size_t{limits.method_bytes} + limits.target_bytes + 12;
}

const char* skip_empty_lines(const char* data, const char* end) {
    while (end - data >= 2 && data[0] == '\r' && data[1] == '\n') {
        data += 2;
    }
    return data;
}

bool method_too_long(const char* line, size_t size, const Limits& limits) {
    return size > limits.method_bytes && std::memchr(line, ' ', limits.method_bytes + 1) == nullptr;
}

}  // namespace

Step judge_unfinished(const char* data, size_t size, const Limits& limits) {
    const char* end = data + size;
    const char* line = skip_empty_lines(data, end);
    auto length = static_cast<size_t>(end - line);
    if (method_too_long(line, length, limits)) {
        return 400;
    }
    if (length < request_line_limit(limits) && size < limits.head_bytes) {
        return kWantMore;
    }
    if (std::memchr(line, '\n', length) == nullptr) {
        return 414;
    }
    return size < limits.head_bytes ? kWantMore : Step{431};
}

Step judge_bad_line(const char* data, const char* line, size_t size, Step status,
                    const Limits& limits) {
    const char* end = data + size;
    const char* judged = line;
    while (judged < end && (scan::class_of(*judged) & scan::kControl) == 0) {
        judged++;
    }
    if (judged < end && *judged == '\r') {
        judged++;  // the byte after decides
    }
    if (judged >= end) {
        return kWantMore;
    }
    bool past_head = static_cast<size_t>(judged - data) >= limits.head_bytes;
    if (line != skip_empty_lines(data, end)) {
        return past_head ? Step{431} : status;
    }
    if (method_too_long(line, static_cast<size_t>(end - line), limits)) {
        return 400;
    }
    bool past_line = static_cast<size_t>(judged - line) >= request_line_limit(limits);
    return past_head || past_line ? Step{414} : status;
}

Step judge_version(const char* version) {
    auto digit = [](char c) { return c >= '0' && c <= '9'; };
    if (std::memcmp(version, "HTTP/", 5) != 0 || !digit(version[5]) || version[6] != '.' ||
        !digit(version[7])) {
        return 400;
    }
    return version[5] == '1' ? kGoOn : Step{505};
}

namespace {

constexpr ParserTable kPortable = {
    &HeadParser<scan::TableScanner>::parse,
    &HeadParser<scan::TableScanner>::parse,
    scan::TableScanner::kName,
};

const ParserTable* choose_parser() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2")) {
        return &kAvx2Parser;
    }
    if (__builtin_cpu_supports("ssse3")) {
        return &kSsse3Parser;
    }
#endif
    return &kPortable;
}

const ParserTable* const g_parser = choose_parser();

}  // namespace

const ParserTable& portable_parser() { return kPortable; }

ParseResult parse_request_head(const char* data, size_t size, size_t already_scanned,
                               const Limits& limits, RequestHead& out) {
    return g_parser->padded(data, size, already_scanned, limits, out);
}

ParseResult parse_request_head_exact(const char* data, size_t size, size_t already_scanned,
                                     const Limits& limits, RequestHead& out) {
    return g_parser->exact(data, size, already_scanned, limits, out);
}

const char* scanner_name() { return g_parser->name; }

}  // namespace stampede::proto::http1
