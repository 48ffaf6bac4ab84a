// The head parser's one pass over the bytes, a template over the scanner's block width and the
// padding. Included by the files that compile it for one instruction set each. Lives for one call;
// never parks.
//
// A line is judged when the byte is there that ends it (or that can be in no line), not before: so
// the outcome does not depend on how the bytes were cut on their way.
#pragma once

#include <cstring>

#include "proto/http/known_fields.h"
#include "proto/http/target.h"
#include "proto/http1/framing.h"
#include "proto/http1/request_parser.h"
#include "proto/http1/scan.h"

namespace stampede::proto::http1 {

using ParseFunction = ParseResult (*)(const char* data, size_t size, size_t already_scanned,
                                      const Limits& limits, RequestHead& out);

// Outcome of a step inside the parser: 0 goes on, 1 wants more bytes, anything else is the status
// of the response.
using Step = uint16_t;
inline constexpr Step kGoOn = 0;
inline constexpr Step kWantMore = 1;

// The slow parts, compiled once.
// Whether [data, data + size), which holds no complete head, can still become an acceptable one.
Step judge_unfinished(const char* data, size_t size, const Limits& limits);
// The status for a line that starts at `line` and is wrong: its limits come first; kWantMore when
// it has not ended.
Step judge_bad_line(const char* data, const char* line, size_t size, Step status,
                    const Limits& limits);
// Status for a version that is neither 1.0 nor 1.1, or kGoOn for a later 1.x.
Step judge_version(const char* version);

template <typename Scanner>
class HeadParser {
public:
    static ParseResult parse(const char* data, size_t size, size_t already_scanned,
                             const Limits& limits, RequestHead& out) {
        if (already_scanned > 0 && !has_news(data, size, already_scanned)) {
            return result(judge_unfinished(data, size, limits));
        }
        Framing framing;
        HeadParser parser(data, size, limits, out, framing);
        Step step = parser.run();
        if (step == kGoOn) {
            out.head_bytes = static_cast<uint32_t>(parser.p_ - data);
            return {ParseStatus::kDone, 0, out.head_bytes};
        }
        return result(step == kWantMore ? judge_unfinished(data, size, limits) : step);
    }

private:
    HeadParser(const char* data, size_t size, const Limits& limits, RequestHead& out,
               Framing& framing)
        : data_(data),
          end_(data + size),
          p_(data),
          limits_(limits),
          out_(out),
          framing_(framing),
          scanner_(data + size) {}

    // Without a control byte in the new bytes no further line can be judged. The last old byte may
    // be a waiting CR.
    static bool has_news(const char* data, size_t size, size_t already_scanned) {
        const char* end = data + size;
        const char* from = data + already_scanned - 1;
        return Scanner(end).find_control(from) != end;
    }

    static ParseResult result(Step step) {
        if (step == kWantMore) {
            return {ParseStatus::kNeedMore, 0, 0};
        }
        return {ParseStatus::kBad, step, 0};
    }

    Slice slice(const char* begin, const char* end) const {
        return {static_cast<uint32_t>(begin - data_), static_cast<uint32_t>(end - begin)};
    }

    Step fail(const char* line, Step status) const {
        return judge_bad_line(data_, line, static_cast<size_t>(end_ - data_), status, limits_);
    }

    bool past_head_limit() const { return static_cast<size_t>(p_ - data_) > limits_.head_bytes; }

    [[gnu::always_inline]] Step run() {
        out_.reset();
        Step step = skip_empty_lines();
        if (step != kGoOn) {
            return step;
        }
        step = request_line();
        while (step == kGoOn) {
            if (p_ >= end_) {
                return kWantMore;
            }
            if (*p_ == '\r') {
                return end_of_head();
            }
            step = field_line();
        }
        return step;
    }

    Step skip_empty_lines() {
        for (uint32_t lines = 0; p_ < end_ && *p_ == '\r'; lines++) {
            Step step = line_end(p_);
            if (step != kGoOn) {
                return step;
            }
            if (lines >= limits_.leading_empty_lines) {
                return 400;
            }
        }
        return p_ < end_ ? kGoOn : kWantMore;
    }

    // Moves after the CR LF at p_.
    [[gnu::always_inline]] Step line_end(const char* line) {
        if (end_ - p_ < 2) {
            return p_ < end_ && *p_ != '\r' ? fail(line, 400) : kWantMore;
        }
        if (p_[0] != '\r' || p_[1] != '\n') {
            return fail(line, 400);
        }
        p_ += 2;
        return kGoOn;
    }

    [[gnu::always_inline]] Step request_line() {
        const char* line = p_;
        const char* method_end = find_method_end();
        if (method_end >= end_) {
            return kWantMore;
        }
        if (*method_end != ' ' || method_end == line) {
            return fail(line, 400);
        }
        out_.method_text = slice(line, method_end);

        const char* target = method_end + 1;
        uint64_t special = 0;
        const char* target_end = scanner_.find_target_end(target, special);
        if (target_end >= end_) {
            return kWantMore;
        }
        if (*target_end != ' ' || target_end == target) {
            return fail(line, 400);
        }
        out_.target = slice(target, target_end);
        p_ = target_end + 1;
        Step step = version(line);
        return step == kGoOn ? check_request_line(line, special) : step;
    }

    // Methods are short: the scanner is kept for the fields.
    const char* find_method_end() const {
        if (end_ - p_ >= 4 && std::memcmp(p_, "GET ", 4) == 0) {
            return p_ + 3;
        }
        uint64_t ignored = 0;
        return scan::TableScanner(end_).find_name_end(p_, ignored);
    }

    // "HTTP/1.1" CR LF
    [[gnu::always_inline]] Step version(const char* line) {
        static constexpr size_t kLength = 8;
        const char* text = p_;
        if (static_cast<size_t>(end_ - p_) < kLength + 2) {
            return fail(line, 400);  // which waits, unless there is a control byte too early
        }
        p_ += kLength;
        Step step = line_end(line);
        if (step != kGoOn) {
            return step;
        }
        if (std::memcmp(text, "HTTP/1.1", kLength) == 0) {
            out_.minor_version = 1;
            return kGoOn;
        }
        return other_version(line, text);
    }

    Step other_version(const char* line, const char* text) {
        Step step = judge_version(text);
        out_.minor_version = text[7] == '0' ? 0 : 1;
        return step == kGoOn ? kGoOn : fail(line, step);
    }

    // The line is whole; what is left are its limits and the meaning of method and target.
    Step check_request_line(const char* line, uint64_t special) {
        if (out_.method_text.length > limits_.method_bytes) {
            return 400;
        }
        if (out_.target.length > limits_.target_bytes || past_head_limit()) {
            return 414;
        }
        set_method(line);
        const char* target = data_ + out_.target.offset;
        if (*target == '/' && special == 0) {
            out_.path = out_.target;
        } else {
            Step step = http::split_target(data_, out_);
            if (step != kGoOn) {
                return step;
            }
        }
        return method_refused() ? 501 : kGoOn;
    }

    void set_method(const char* line) {
        if (out_.method_text.length == 3 && std::memcmp(line, "GET", 3) == 0) {
            out_.method = Method::kGet;
        } else {
            out_.method = http::method_from_name(out_.method_text.in(data_));
        }
    }

    // No tunnels, no echo of the request, and "get" is not GET.
    bool method_refused() const {
        if (out_.method != Method::kOther) {
            return out_.method == Method::kConnect || out_.method == Method::kTrace;
        }
        for (char c : out_.method_text.in(data_)) {
            if (c >= 'a' && c <= 'z') {
                return true;
            }
        }
        return false;
    }

    [[gnu::always_inline]] Step field_line() {
        const char* line = p_;
        uint64_t odd = 0;
        const char* colon = scanner_.find_name_end(line, odd);
        if (colon >= end_) {
            return kWantMore;
        }
        if (*colon != ':' || colon == line) {
            return fail(line, 400);
        }
        const char* value = skip_white_space(colon + 1);
        const char* stop = scanner_.find_control(value);
        p_ = stop;
        Step step = line_end(line);
        if (step != kGoOn) {
            return step;
        }
        return take_field(slice(line, colon), slice(value, trim_end(value, stop)), odd);
    }

    // There is nearly always one space, and none at the end.
    [[gnu::always_inline]] const char* skip_white_space(const char* p) const {
        if (end_ - p >= 2 && p[0] == ' ' && p[1] > ' ') {
            return p + 1;
        }
        while (p < end_ && (*p == ' ' || *p == '\t')) {
            p++;
        }
        return p;
    }

    // p[-1] may be looked at: a colon is before every value.
    [[gnu::always_inline]] static const char* trim_end(const char* value, const char* p) {
        while (p[-1] == ' ' || p[-1] == '\t') {
            if (p == value) {
                return p;
            }
            p--;
        }
        return p;
    }

    [[gnu::always_inline]] Step take_field(Slice name, Slice value, uint64_t odd) {
        if (past_head_limit() || out_.field_count >= limits_.fields) {
            return 431;
        }
        KnownField id = http::known::identify(data_ + name.offset, name.length);
        bool drop = odd != 0 || id == KnownField::kProxy;
        Field& field = out_.add_field();
        field = {name, value, id, drop ? http::kFieldDrop : http::kFieldPlain};
        return concerns_framing(id) ? framing_.take(field, data_, out_) : kGoOn;
    }

    Step end_of_head() {
        Step step = line_end(p_);
        if (step != kGoOn) {
            return step;
        }
        return past_head_limit() ? Step{431} : framing_.finish(data_, out_);
    }

    const char* data_;
    const char* end_;
    const char* p_;
    const Limits& limits_;
    RequestHead& out_;
    Framing& framing_;  // outside, so that the rest of the parser can stay in registers
    Scanner scanner_;
};

}  // namespace stampede::proto::http1
