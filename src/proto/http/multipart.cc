#include "proto/http/multipart.h"

#include <algorithm>
#include <cstring>

#include "proto/http/message.h"

namespace stampede::proto::http {
namespace {

constexpr size_t kCrLf = 2;

std::string_view trim_left(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
        text.remove_prefix(1);
    }
    return text;
}

bool is_boundary_char(char c) {
    bool alphanumeric = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return alphanumeric || std::string_view("'()+_,-./:=? ").find(c) != std::string_view::npos;
}

bool valid_boundary(std::string_view boundary) {
    return !boundary.empty() && boundary.size() <= MultipartParser::kMaxBoundary &&
           boundary.back() != ' ' &&
           std::all_of(boundary.begin(), boundary.end(), is_boundary_char);
}

bool has_control(std::string_view text) {
    return std::any_of(text.begin(), text.end(),
                       [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7f; });
}

// Walks over ; key=value parameters. A value is a token-like run up to ';', or a quoted string
// (given without its quotes, still escaped).
class ParameterReader {
public:
    explicit ParameterReader(std::string_view text) : rest_(text) {}

    // False at the end or when the text is not well-formed; malformed() tells which.
    bool next(std::string_view& key, std::string_view& value) {
        rest_ = trim_left(rest_);
        while (!rest_.empty() && rest_.front() == ';') {
            rest_ = trim_left(rest_.substr(1));
        }
        if (rest_.empty()) {
            return false;
        }
        size_t equals = rest_.find('=');
        key = trimmed(rest_.substr(0, equals));
        if (equals == std::string_view::npos || !is_token(key)) {
            return fail();
        }
        rest_ = trim_left(rest_.substr(equals + 1));
        return !rest_.empty() && rest_.front() == '"' ? take_quoted(value) : take_plain(value);
    }

    bool malformed() const { return malformed_; }

private:
    bool fail() {
        malformed_ = true;
        return false;
    }

    bool take_plain(std::string_view& value) {
        size_t end = std::min(rest_.find(';'), rest_.size());
        value = trimmed(rest_.substr(0, end));
        rest_.remove_prefix(end);
        return true;
    }

    bool take_quoted(std::string_view& value) {
        size_t end = 1;
        while (end < rest_.size() && rest_[end] != '"') {
            end += rest_[end] == '\\' && rest_.substr(end + 1, 1) == "\"" ? 2 : 1;
        }
        if (end >= rest_.size()) {
            return fail();
        }
        value = rest_.substr(1, end - 1);
        rest_ = trim_left(rest_.substr(end + 1));
        return rest_.empty() || rest_.front() == ';' ? true : fail();
    }

    std::string_view rest_;
    bool malformed_ = false;
};

std::string_view base_name(std::string_view path) {
    size_t slash = path.find_last_of("/\\");
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace

bool is_media_type(std::string_view content_type, std::string_view media_type) {
    return equals_ignoring_case(trimmed(content_type.substr(0, content_type.find(';'))),
                                media_type);
}

bool extract_boundary(std::string_view content_type, std::string_view& boundary) {
    size_t parameters = content_type.find(';');
    if (parameters == std::string_view::npos ||
        !is_media_type(content_type, "multipart/form-data")) {
        return false;
    }
    ParameterReader reader(content_type.substr(parameters));
    std::string_view key;
    std::string_view value;
    bool found = false;
    while (reader.next(key, value)) {
        if (equals_ignoring_case(key, "boundary")) {
            if (found || !valid_boundary(value)) {
                return false;
            }
            found = true;
            boundary = value;
        }
    }
    return found && !reader.malformed();
}

size_t count_boundaries(std::string_view content_type) {
    constexpr std::string_view kMultipart = "multipart/";
    std::string_view type = trimmed(content_type);
    size_t parameters = type.find(';');
    if (parameters == std::string_view::npos ||
        !equals_ignoring_case(type.substr(0, kMultipart.size()), kMultipart)) {
        return 0;
    }
    ParameterReader reader(type.substr(parameters));
    std::string_view key;
    std::string_view value;
    size_t count = 0;
    while (reader.next(key, value)) {
        count += equals_ignoring_case(key, "boundary") ? 1 : 0;
    }
    return count;
}

MultipartParser::MultipartParser(std::string_view boundary, const MultipartLimits& limits)
    : limits_(limits), delimiter_length_(static_cast<uint8_t>(boundary.size() + 4)) {
    std::memcpy(delimiter_, "\r\n--", 4);
    std::memcpy(delimiter_ + 4, boundary.data(), boundary.size());
    delimiter_[delimiter_length_] = '-';
}

MultipartParser::Event MultipartParser::bad(uint16_t status) {
    state_ = State::kBad;
    http_status_ = status;
    return Event::kBad;
}

MultipartParser::Event MultipartParser::next(std::string_view& input) {
    for (;;) {
        Event event = Event::kNeedMore;
        switch (state_) {
            case State::kPreamble:
            case State::kData:
                event = read_text(input);
                break;
            case State::kAfterBoundary:
            case State::kClosing:
            case State::kPadding:
            case State::kBoundaryLf:
                event = read_boundary_end(input);
                break;
            case State::kHead:
                event = read_head(input);
                break;
            case State::kEpilogue:
                input = {};
                return Event::kDone;
            case State::kBad:
                return Event::kBad;
        }
        if (event != Event::kNeedMore || (input.empty() && state_ != State::kEpilogue)) {
            return event;
        }
    }
}

MultipartParser::Event MultipartParser::give(std::string_view run) {
    if (run.empty()) {
        return Event::kNeedMore;
    }
    if (in_part_) {
        data_ = run;
        return Event::kPartData;
    }
    preamble_bytes_ +=
        static_cast<uint32_t>(std::min<size_t>(run.size(), limits_.preamble_bytes + 1));
    return preamble_bytes_ > limits_.preamble_bytes ? bad(400) : Event::kNeedMore;
}

// A delimiter that began in earlier input goes on here, or turns out to be text: then its bytes are
// given from our own copy.
MultipartParser::Event MultipartParser::resume_delimiter(std::string_view& input) {
    size_t wanted = std::min<size_t>(delimiter_length_ - matched_, input.size());
    if (std::memcmp(input.data(), delimiter_ + matched_, wanted) == 0) {
        matched_ = static_cast<uint8_t>(matched_ + wanted);
        input.remove_prefix(wanted);
        if (matched_ == delimiter_length_) {
            state_ = State::kAfterBoundary;
        }
        return Event::kNeedMore;
    }
    return give_back(0);
}

// The bytes taken for a delimiter, and `more` after them, were text after all.
MultipartParser::Event MultipartParser::give_back(size_t more) {
    size_t from = assumed_line_end_ ? kCrLf : 0;
    std::string_view run(delimiter_ + from, matched_ + more - from);
    matched_ = 0;
    assumed_line_end_ = false;
    state_ = in_part_ ? State::kData : State::kPreamble;
    return give(run);
}

// Text up to the next delimiter. CR stands in a delimiter at its beginning only: so the last CR of
// the input is the only place where one may begin that the input does not complete, and no byte is
// looked at more than a few times.
MultipartParser::Event MultipartParser::read_text(std::string_view& input) {
    if (input.empty()) {
        return Event::kNeedMore;
    }
    if (matched_ > 0) {
        return resume_delimiter(input);
    }
    size_t run = input.size();
    const void* found = memmem(input.data(), input.size(), delimiter_, delimiter_length_);
    if (found != nullptr) {
        run = static_cast<size_t>(static_cast<const char*>(found) - input.data());
        matched_ = delimiter_length_;
        state_ = State::kAfterBoundary;
    } else {
        size_t tail = input.size() - std::min<size_t>(input.size(), delimiter_length_ - 1);
        size_t last = input.rfind('\r');
        if (last != std::string_view::npos && last >= tail &&
            std::memcmp(input.data() + last, delimiter_, input.size() - last) == 0) {
            run = last;
            matched_ = static_cast<uint8_t>(input.size() - last);
        }
    }
    std::string_view text = input.substr(0, run);
    input.remove_prefix(run + matched_);
    return give(text);
}

// After a delimiter: "--" ends everything, CR LF begins a part, anything else shows that it was
// text.
MultipartParser::Event MultipartParser::read_boundary_end(std::string_view& input) {
    while (!input.empty()) {
        char c = input.front();
        if (state_ == State::kAfterBoundary && c != '-' && c != ' ' && c != '\t' && c != '\r') {
            return give_back(0);
        }
        if (state_ == State::kClosing && c != '-') {
            return give_back(1);
        }
        input.remove_prefix(1);
        switch (state_) {
            case State::kAfterBoundary:
            case State::kPadding:
                if (c == '-' && state_ == State::kAfterBoundary) {
                    state_ = State::kClosing;
                } else if (c == '\r') {
                    state_ = State::kBoundaryLf;
                } else if (c == ' ' || c == '\t') {
                    state_ = State::kPadding;
                } else {
                    return bad(400);
                }
                break;
            case State::kClosing:
                return end_part(State::kEpilogue);
            default:
                return c == '\n' ? end_part(State::kHead) : bad(400);
        }
    }
    return Event::kNeedMore;
}

MultipartParser::Event MultipartParser::end_part(State next) {
    bool was_in_part = in_part_;
    matched_ = 0;
    in_part_ = false;
    state_ = next;
    head_.clear();
    return was_in_part ? Event::kPartEnd : Event::kNeedMore;
}

MultipartParser::Event MultipartParser::read_head(std::string_view& input) {
    while (!input.empty()) {
        size_t line_feed = input.find('\n');
        size_t take = line_feed == std::string_view::npos ? input.size() : line_feed + 1;
        if (head_.size() + take > limits_.part_head_bytes) {
            return bad(413);
        }
        head_.append(input.substr(0, take));
        input.remove_prefix(take);
        std::string_view head = head_.view();
        if (head == "\r\n" || head.ends_with("\r\n\r\n")) {
            return finish_head();
        }
    }
    return Event::kNeedMore;
}

MultipartParser::Event MultipartParser::finish_head() {
    has_name_ = has_filename_ = has_disposition_ = false;
    name_ = filename_ = full_path_ = content_type_ = {};
    values_.clear();
    values_.reserve(head_.size());  // so that the views into it stay right
    std::string_view rest = head_.view();
    rest.remove_suffix(kCrLf);
    for (uint32_t lines = 0; !rest.empty(); lines++) {
        if (lines == limits_.part_head_lines) {
            return bad(413);
        }
        size_t end = rest.find("\r\n");
        uint16_t status = read_head_line(rest.substr(0, end));
        if (status != 0) {
            return bad(status);
        }
        rest.remove_prefix(end + kCrLf);
    }
    if (++parts_ > limits_.parts) {
        return bad(413);
    }
    in_part_ = true;
    state_ = State::kData;
    // A part without a body may have its boundary right after the blank line.
    matched_ = kCrLf;
    assumed_line_end_ = true;
    return Event::kPartBegin;
}

uint16_t MultipartParser::read_head_line(std::string_view line) {
    size_t colon = line.find(':');
    if (colon == std::string_view::npos || !is_token(line.substr(0, colon)) || has_control(line)) {
        return 400;
    }
    std::string_view name = line.substr(0, colon);
    std::string_view value = trimmed(line.substr(colon + 1));
    if (equals_ignoring_case(name, "content-disposition")) {
        return read_disposition(value);
    }
    if (equals_ignoring_case(name, "content-type")) {
        content_type_ = value;
    }
    return 0;
}

uint16_t MultipartParser::read_disposition(std::string_view value) {
    if (has_disposition_) {
        return 400;
    }
    has_disposition_ = true;
    size_t end = std::min(value.find(';'), value.size());
    if (!equals_ignoring_case(trimmed(value.substr(0, end)), "form-data")) {
        return 0;  // a part that is no form field: it stays without a name
    }
    ParameterReader reader(value.substr(end));
    std::string_view key;
    std::string_view text;
    while (reader.next(key, text)) {
        uint16_t status = take_parameter(key, text);
        if (status != 0) {
            return status;
        }
    }
    return reader.malformed() ? 400 : 0;
}

// "filename*" has no place in a form (RFC 7578 4.2) and is ignored.
uint16_t MultipartParser::take_parameter(std::string_view key, std::string_view value) {
    bool is_name = equals_ignoring_case(key, "name");
    bool is_filename = equals_ignoring_case(key, "filename");
    if (!is_name && !is_filename) {
        return 0;
    }
    if (value.size() > limits_.name_bytes) {
        return 413;
    }
    if (is_name ? has_name_ : has_filename_) {
        return 400;
    }
    std::string_view text = unescape(value);
    if (is_name) {
        has_name_ = true;
        name_ = text;
    } else {
        has_filename_ = true;
        full_path_ = text;
        filename_ = base_name(text);
    }
    return 0;
}

// \" and \\ stand for one character; a single backslash is kept, since some browsers send file
// paths as they are.
std::string_view MultipartParser::unescape(std::string_view value) {
    char* begin = values_.reserve(value.size());
    char* to = begin;
    for (size_t i = 0; i < value.size(); i++) {
        bool escape = value[i] == '\\' && i + 1 < value.size() &&
                      (value[i + 1] == '"' || value[i + 1] == '\\');
        i += escape ? 1 : 0;
        *to++ = value[i];
    }
    auto length = static_cast<size_t>(to - begin);
    values_.commit(length);
    return {begin, length};
}

}  // namespace stampede::proto::http
