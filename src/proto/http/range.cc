#include "proto/http/range.h"

#include "proto/http/message.h"

namespace stampede::proto::http {
namespace {

enum class Number : uint8_t { kNone, kGood, kBad };

// Numbers beyond what counts stand for the largest.
Number read_number(std::string_view text, uint64_t& out) {
    if (text.empty()) {
        return Number::kNone;
    }
    out = 0;
    for (char c : text) {
        if (c < '0' || c > '9') {
            return Number::kBad;
        }
        auto digit = static_cast<uint64_t>(c - '0');
        out = out > (UINT64_MAX - digit) / 10 ? UINT64_MAX : out * 10 + digit;
    }
    return Number::kGood;
}

enum class Part : uint8_t { kGood, kBeyond, kBad };

// "first-last", "first-" or "-length".
Part read_part(std::string_view text, uint64_t size, ByteRange& out) {
    size_t dash = text.find('-');
    if (dash == std::string_view::npos) {
        return Part::kBad;
    }
    uint64_t first = 0;
    uint64_t last = 0;
    Number left = read_number(trimmed(text.substr(0, dash)), first);
    Number right = read_number(trimmed(text.substr(dash + 1)), last);
    if (left == Number::kBad || right == Number::kBad ||
        (left == Number::kNone && right == Number::kNone)) {
        return Part::kBad;
    }
    if (left == Number::kNone) {
        if (last == 0 || size == 0) {
            return Part::kBeyond;
        }
        out = {last >= size ? 0 : size - last, size - 1};
        return Part::kGood;
    }
    if (right == Number::kGood && last < first) {
        return Part::kBad;
    }
    if (first >= size) {
        return Part::kBeyond;
    }
    out = {first, right == Number::kNone || last >= size ? size - 1 : last};
    return Part::kGood;
}

}  // namespace

Ranges parse_ranges(std::string_view field, uint64_t size) {
    constexpr std::string_view kUnit = "bytes=";
    Ranges whole;
    Ranges ranges;
    if (field.size() < kUnit.size() ||
        !equals_ignoring_case(field.substr(0, kUnit.size()), kUnit)) {
        return whole;
    }
    std::string_view rest = field.substr(kUnit.size());
    uint64_t total = 0;
    bool any = false;
    while (!rest.empty()) {
        size_t comma = rest.find(',');
        std::string_view text = trimmed(rest.substr(0, comma));
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
        if (text.empty()) {
            continue;
        }
        any = true;
        ByteRange part{};
        Part state = read_part(text, size, part);
        if (state == Part::kBad || (state == Part::kGood && ranges.count == kMostRanges)) {
            return whole;
        }
        if (state == Part::kGood) {
            ranges.parts[ranges.count++] = part;
            total += part.length();  // cannot wrap: kMostRanges files of at most 2^63 bytes
            if (total > size) {
                return whole;
            }
        }
    }
    if (!any) {
        return whole;
    }
    ranges.result = ranges.count > 0 ? RangeResult::kPart : RangeResult::kUnsatisfiable;
    return ranges;
}

}  // namespace stampede::proto::http
