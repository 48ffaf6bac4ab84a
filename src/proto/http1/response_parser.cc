#include "proto/http1/response_parser.h"

#include "proto/http/known_fields.h"
#include "proto/http/message.h"
#include "proto/http1/scan.h"

namespace stampede::proto::http1 {

namespace {

using http::KnownField;
using http::ParseStatus;
using http::Slice;

constexpr size_t kStatusLineMin = 12;  // "HTTP/1.1 200"

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Parser {
public:
    Parser(std::string_view data, const Limits& limits, ParsedResponseHead& out)
        : data_(data), limits_(limits), out_(out), scanner_(data.data() + data.size()) {}

    ParseStatus run() {
        out_.fields.clear();
        out_.keep_alive = out_.chunked = out_.has_content_length = out_.upgrade = false;
        out_.content_length = 0;
        out_.coding = Slice();
        std::string_view line;
        ParseStatus status = next_line(line);
        if (status != ParseStatus::kDone || !status_line(line)) {
            return status == ParseStatus::kDone ? ParseStatus::kBad : status;
        }
        for (;;) {
            status = next_line(line);
            if (status != ParseStatus::kDone) {
                return status;
            }
            if (line.empty()) {
                return finish() ? ParseStatus::kDone : ParseStatus::kBad;
            }
            if (!field_line(line)) {
                return ParseStatus::kBad;
            }
        }
    }

private:
    // Up to the next CR LF, without it.
    ParseStatus next_line(std::string_view& line) {
        const char* begin = data_.data() + at_;
        const char* end = data_.data() + data_.size();
        const char* stop = scanner_.find_control(begin);
        if (static_cast<size_t>(stop - data_.data()) > limits_.head_bytes) {
            return ParseStatus::kBad;
        }
        if (stop == end || (*stop == '\r' && stop + 1 == end)) {
            return ParseStatus::kNeedMore;
        }
        if (stop[0] != '\r' || stop[1] != '\n') {
            return ParseStatus::kBad;
        }
        line = {begin, static_cast<size_t>(stop - begin)};
        at_ += line.size() + 2;
        return ParseStatus::kDone;
    }

    Slice slice(std::string_view text) const {
        return {static_cast<uint32_t>(text.data() - data_.data()),
                static_cast<uint32_t>(text.size())};
    }

    // HTTP/1.x SP 3DIGIT [ SP reason ]
    bool status_line(std::string_view line) {
        bool shaped = line.size() >= kStatusLineMin && line.substr(0, 7) == "HTTP/1." &&
                      is_digit(line[7]) && line[8] == ' ' && is_digit(line[9]) &&
                      is_digit(line[10]) && is_digit(line[11]) &&
                      (line.size() == kStatusLineMin || line[kStatusLineMin] == ' ');
        if (!shaped || line[9] == '0') {
            return false;
        }
        out_.minor_version = line[7] == '0' ? 0 : 1;
        out_.status = (line[9] - '0') * 100 + (line[10] - '0') * 10 + (line[11] - '0');
        out_.reason = slice(line.size() > kStatusLineMin ? line.substr(kStatusLineMin + 1)
                                                         : line.substr(kStatusLineMin));
        return true;
    }

    bool field_line(std::string_view line) {
        size_t colon = line.find(':');
        if (colon == 0 || colon == std::string_view::npos || out_.fields.size() >= limits_.fields) {
            return false;
        }
        std::string_view name = line.substr(0, colon);
        if (!http::is_token(name)) {
            return false;
        }
        std::string_view value = http::trimmed(line.substr(colon + 1));
        KnownField id = http::known::identify(name.data(), name.size());
        out_.fields.push_back({slice(name), slice(value), id, http::kFieldPlain});
        switch (id) {
            case KnownField::kContentLength:
                return take_length(value);
            case KnownField::kTransferEncoding:
                return take_coding(value);
            case KnownField::kConnection:
                take_connection(value);
                return true;
            case KnownField::kUpgrade:
                upgrade_field_ = true;
                return true;
            case KnownField::kContentEncoding:
                out_.coding = slice(value);
                return true;
            default:
                return true;
        }
    }

    // The same length twice is a server's carelessness; two lengths are two readings of one
    // message.
    bool take_length(std::string_view value) {
        uint64_t length = 0;
        for (char c : value) {
            if (!is_digit(c) || length > (INT64_MAX - 9) / 10) {
                return false;
            }
            length = length * 10 + static_cast<uint64_t>(c - '0');
        }
        bool same = !out_.has_content_length || out_.content_length == length;
        out_.has_content_length = true;
        out_.content_length = length;
        return !value.empty() && same;
    }

    // Chunked alone is understood; other transfer codings were never asked for.
    bool take_coding(std::string_view value) {
        bool again = out_.chunked;
        out_.chunked = http::equals_ignoring_case(value, "chunked");
        return out_.chunked && !again;
    }

    void take_connection(std::string_view value) {
        while (!value.empty()) {
            size_t comma = value.find(',');
            std::string_view option = http::trimmed(value.substr(0, comma));
            close_ = close_ || http::equals_ignoring_case(option, "close");
            keep_ = keep_ || http::equals_ignoring_case(option, "keep-alive");
            upgrade_ = upgrade_ || http::equals_ignoring_case(option, "upgrade");
            value.remove_prefix(comma == std::string_view::npos ? value.size() : comma + 1);
        }
    }

    bool finish() {
        out_.head_bytes = static_cast<uint32_t>(at_);
        if (out_.chunked && out_.minor_version == 0) {
            return false;  // a 1.0 server cannot mean it
        }
        out_.keep_alive = !close_ && (out_.minor_version > 0 || keep_);
        if (out_.chunked && out_.has_content_length) {
            // The chunks count, but somebody on the way may have read it otherwise.
            out_.has_content_length = out_.keep_alive = false;
        }
        out_.upgrade = upgrade_ && upgrade_field_;
        return true;
    }

    std::string_view data_;
    const Limits& limits_;
    ParsedResponseHead& out_;
    scan::TableScanner scanner_;
    size_t at_ = 0;
    bool close_ = false;
    bool keep_ = false;
    bool upgrade_ = false;
    bool upgrade_field_ = false;
};

}  // namespace

ParseStatus parse_response_head(std::string_view data, size_t already_scanned, const Limits& limits,
                                ParsedResponseHead& out) {
    const char* end = data.data() + data.size();
    bool news = already_scanned == 0 ||
                scan::TableScanner(end).find_control(data.data() + already_scanned - 1) != end;
    if (!news && data.size() <= limits.head_bytes) {
        return ParseStatus::kNeedMore;  // a dripping server stays cheap
    }
    return Parser(data, limits, out).run();
}

BodyEnd body_end_of(const ParsedResponseHead& head, http::Method request) {
    if (request == http::Method::kHead || head.status < 200 || head.status == 204 ||
        head.status == 304 || (request == http::Method::kConnect && head.status < 300)) {
        return BodyEnd::kNone;
    }
    if (head.chunked) {
        return BodyEnd::kChunked;
    }
    if (head.has_content_length) {
        return head.content_length == 0 ? BodyEnd::kNone : BodyEnd::kCounted;
    }
    return BodyEnd::kClose;
}

}  // namespace stampede::proto::http1
