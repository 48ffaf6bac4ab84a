#include "proto/http1/request_head.h"

#include <cstdlib>
#include <cstring>

#include "proto/http/uri.h"
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

bool starts_with_scheme(std::string_view target, std::string_view scheme) {
    return target.size() > scheme.size() &&
           http::equals_ignoring_case(target.substr(0, scheme.size()), scheme);
}

// Every escape of a path must be one, and none may stand for NUL.
bool valid_escapes(std::string_view path) {
    for (size_t i = path.find('%'); i != std::string_view::npos; i = path.find('%', i + 3)) {
        if (path.size() - i < 3 || http::hex_value(path[i + 1]) < 0 ||
            http::hex_value(path[i + 2]) < 0) {
            return false;
        }
        if (path[i + 1] == '0' && path[i + 2] == '0') {
            return false;
        }
    }
    return true;
}

Slice cut(Slice slice, size_t from, size_t length) {
    return {slice.offset + static_cast<uint32_t>(from), static_cast<uint32_t>(length)};
}

// Takes scheme and authority off an absolute-form target; what is left may be empty.
Step take_authority(std::string_view target, Slice& rest, RequestHead& out) {
    size_t begin = starts_with_scheme(target, "http://") ? 7 : 8;
    if (begin == 8 && !starts_with_scheme(target, "https://")) {
        return 400;
    }
    size_t end = target.find_first_of("/?", begin);
    if (end == std::string_view::npos) {
        end = target.size();
    }
    if (end == begin) {
        return 400;
    }
    out.authority = cut(rest, begin, end - begin);
    rest = cut(rest, end, target.size() - end);
    return kGoOn;
}

}  // namespace

RequestHead::~RequestHead() {
    if (fields != inline_fields) {
        std::free(fields);
    }
}

void RequestHead::reset() {
    path = query = authority = host = Slice();
    keep_alive = true;
    chunked = has_content_length = expect_continue = upgrade = has_host = false;
    content_length = 0;
    head_bytes = 0;
    field_count = 0;
}

void RequestHead::grow() {
    uint32_t capacity = field_capacity * 2;
    bool is_inline = fields == inline_fields;
    auto* grown =
        static_cast<Field*>(std::realloc(is_inline ? nullptr : fields, capacity * sizeof(Field)));
    if (grown == nullptr) {
        std::abort();
    }
    if (is_inline) {
        std::memcpy(static_cast<void*>(grown), inline_fields, sizeof(inline_fields));
    }
    fields = grown;
    field_capacity = capacity;
}

const Field* RequestHead::find(KnownField id) const {
    for (const Field& field : *this) {
        if (field.id == id) {
            return &field;
        }
    }
    return nullptr;
}

const Field* RequestHead::find(std::string_view name, const char* base) const {
    for (const Field& field : *this) {
        if (http::equals_ignoring_case(field.name.in(base), name)) {
            return &field;
        }
    }
    return nullptr;
}

const Field* RequestHead::find_next(const Field& field, const char* base) const {
    for (const Field* next = &field + 1; next != end(); next++) {
        if (next->id == field.id &&
            http::equals_ignoring_case(next->name.in(base), field.name.in(base))) {
            return next;
        }
    }
    return nullptr;
}

std::string_view RequestHead::list(std::string_view name, const char* base,
                                   std::string& room) const {
    const Field* first = find(name, base);
    if (first == nullptr) {
        return {};
    }
    const Field* next = find_next(*first, base);
    if (next == nullptr) {
        return first->value.in(base);
    }
    room = first->value.in(base);
    for (; next != nullptr; next = find_next(*next, base)) {
        room.append(", ").append(next->value.in(base));
    }
    return room;
}

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

Step split_target(const char* data, RequestHead& out) {
    std::string_view target = out.target.in(data);
    Slice rest = out.target;
    if (out.method == Method::kConnect) {
        return 501;
    }
    if (target == "*") {
        out.path = rest;
        return out.method == Method::kOptions ? kGoOn : Step{400};
    }
    // No URI has a backslash, and a server that takes it for a slash sees another path.
    if (target.find_first_of("#\\") != std::string_view::npos) {
        return 400;
    }
    if (target.front() != '/') {
        Step step = take_authority(target, rest, out);
        if (step != kGoOn) {
            return step;
        }
    }
    std::string_view text = rest.in(data);
    size_t mark = text.find('?');
    out.path = cut(rest, 0, mark == std::string_view::npos ? text.size() : mark);
    if (mark != std::string_view::npos) {
        out.query = cut(rest, mark + 1, text.size() - mark - 1);
    }
    return valid_escapes(out.path.in(data)) ? kGoOn : Step{400};
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
