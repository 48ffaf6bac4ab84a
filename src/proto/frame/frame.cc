#include "proto/frame/frame.h"

#include "proto/frame/redis.h"
#include "proto/http1/request_parser.h"

namespace stampede::proto::frame {

namespace {

constexpr int64_t kUnknown = 0;
constexpr int64_t kNonsense = -1;
constexpr int64_t kLargest = int64_t{1} << 62;

uint8_t byte_at(std::string_view bytes, size_t at) { return static_cast<uint8_t>(bytes[at]); }

// A type and flags, then a number of seven bits a byte, the lowest first.
int64_t mqtt_size(std::string_view bytes) {
    constexpr size_t kLongestNumber = 4;
    int64_t value = 0;
    for (size_t i = 0; i < kLongestNumber; i++) {
        if (bytes.size() < i + 2) {
            return kUnknown;
        }
        uint8_t byte = byte_at(bytes, i + 1);
        value |= static_cast<int64_t>(byte & 0x7f) << (7 * i);
        if ((byte & 0x80) == 0) {
            return value + static_cast<int64_t>(i) + 2;
        }
    }
    return kNonsense;
}

int64_t fastcgi_size(std::string_view bytes) {
    constexpr size_t kHead = 8;
    if (bytes.size() < kHead) {
        return kUnknown;
    }
    int64_t content = byte_at(bytes, 4) << 8 | byte_at(bytes, 5);
    return static_cast<int64_t>(kHead) + content + byte_at(bytes, 6);
}

int64_t http2_size(std::string_view bytes) {
    constexpr size_t kHead = 9;
    if (bytes.size() < kHead) {
        return kUnknown;
    }
    return static_cast<int64_t>(kHead) +
           (byte_at(bytes, 0) << 16 | byte_at(bytes, 1) << 8 | byte_at(bytes, 2));
}

int64_t length_size(const Rules& rules, std::string_view bytes) {
    if (bytes.size() < rules.length_offset + rules.length.bytes) {
        return kUnknown;
    }
    int64_t value = rules.length.read(bytes.data() + rules.length_offset);
    if (value < 0 || rules.body_offset >= kLargest || rules.body_offset <= -kLargest) {
        return kNonsense;
    }
    int64_t size = value + rules.body_offset;
    // A packet that ends within its own length field could be read for ever.
    auto least = static_cast<int64_t>(rules.length_offset + rules.length.bytes);
    return size < least ? kNonsense : size;
}

}  // namespace

bool LengthField::of_letter(char letter, LengthField& out) {
    constexpr uint16_t kProbe = 1;
    const bool here_little = *reinterpret_cast<const char*>(&kProbe) == 1;
    switch (letter) {
        case 'c':
        case 'C':
            out = {1, letter == 'c', false};
            return true;
        case 's':
        case 'S':
            out = {2, letter == 's', here_little};
            return true;
        case 'n':
        case 'v':
            out = {2, false, letter == 'v'};
            return true;
        case 'l':
        case 'L':
            out = {4, letter == 'l', here_little};
            return true;
        case 'i':
        case 'I':
            out = {4, letter == 'i', here_little};
            return true;
        case 'N':
        case 'V':
            out = {4, false, letter == 'V'};
            return true;
        case 'q':
        case 'Q':
            out = {8, letter == 'q', here_little};
            return true;
        case 'J':
        case 'P':
            out = {8, false, letter == 'P'};
            return true;
        default:
            return false;
    }
}

int64_t LengthField::read(const char* from) const {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) {
        int at = little_endian ? bytes - 1 - i : i;
        value = value << 8 | static_cast<uint8_t>(from[at]);
    }
    bool negative = is_signed && bytes > 0 && (from[little_endian ? bytes - 1 : 0] & 0x80) != 0;
    return negative || value > static_cast<uint64_t>(kLargest) ? kNonsense
                                                               : static_cast<int64_t>(value);
}

int64_t Framer::packet_size(std::string_view bytes) const {
    switch (rules_->kind) {
        case Kind::kLength:
            return length_size(*rules_, bytes);
        case Kind::kMeasured:
            return rules_->measure(rules_->measure_argument, bytes);
        case Kind::kMqtt:
            return mqtt_size(bytes);
        case Kind::kFastCgi:
            return fastcgi_size(bytes);
        case Kind::kHttp2:
            return http2_size(bytes);
        default:
            return static_cast<int64_t>(bytes.size());
    }
}

Verdict Framer::look_for_mark(std::string_view bytes) {
    size_t at = bytes.find(rules_->mark, searched_);
    if (at != std::string_view::npos) {
        size_ = at + rules_->mark.size();
        return size_ > rules_->max_size ? Verdict::kTooLarge : Verdict::kPacket;
    }
    // The mark may be cut where the bytes end.
    size_t tail = rules_->mark.size() - 1;
    searched_ = bytes.size() > tail ? bytes.size() - tail : 0;
    return bytes.size() >= rules_->max_size ? Verdict::kTooLarge : Verdict::kNeedMore;
}

Verdict Framer::look_for_last_mark(std::string_view bytes) {
    bool complete = bytes.ends_with(rules_->mark);
    if (bytes.size() > rules_->max_size || (!complete && bytes.size() == rules_->max_size)) {
        return Verdict::kTooLarge;
    }
    size_ = complete ? bytes.size() : 0;
    return complete ? Verdict::kPacket : Verdict::kNeedMore;
}

// From head to head, so that what has been looked at is not looked at again.
Verdict Framer::look_for_request(std::string_view bytes) {
    while (strings_left_ != 0) {
        RedisHead head;
        if (!read_redis_head(bytes.substr(searched_ < bytes.size() ? searched_ : bytes.size()),
                             strings_left_ < 0 ? '*' : '$', head)) {
            return Verdict::kMalformed;
        }
        if (head.size == 0) {
            return Verdict::kNeedMore;
        }
        size_t end = searched_ + head.size;
        if (strings_left_ < 0) {
            // Each string takes five bytes at least.
            if (static_cast<uint64_t>(head.number) > rules_->max_size / 5) {
                return Verdict::kTooLarge;
            }
            strings_left_ = head.number;
        } else {
            end += static_cast<size_t>(head.number) + 2;
            if (end > rules_->max_size) {
                return Verdict::kTooLarge;
            }
            if (end > bytes.size()) {
                return Verdict::kNeedMore;
            }
            if (bytes.substr(end - 2, 2) != "\r\n") {
                return Verdict::kMalformed;
            }
            strings_left_--;
        }
        searched_ = end;
    }
    size_ = searched_;
    return Verdict::kPacket;
}

// The head, then a body with a length or in chunks.
Verdict Framer::look_for_http(std::string_view bytes) {
    if (!is_in_chunks_) {
        http::RequestHead head;
        http::Limits limits;
        auto result =
            http1::parse_request_head_exact(bytes.data(), bytes.size(), searched_, limits, head);
        if (result.status == http::ParseStatus::kNeedMore) {
            searched_ = bytes.size();
            return bytes.size() >= rules_->max_size ? Verdict::kTooLarge : Verdict::kNeedMore;
        }
        if (result.status == http::ParseStatus::kBad) {
            return Verdict::kMalformed;
        }
        searched_ = result.consumed;
        if (!head.chunked) {
            uint64_t body = head.has_content_length ? head.content_length : 0;
            if (body > rules_->max_size) {
                return Verdict::kTooLarge;
            }
            size_ = searched_ + static_cast<size_t>(body);
            return Verdict::kPacket;
        }
        is_in_chunks_ = true;
        chunks_.reset();
    }
    auto result =
        chunks_.feed(bytes.data() + searched_, bytes.size() - searched_, [](std::string_view) {});
    searched_ += result.consumed;
    if (result.status == http::ParseStatus::kBad) {
        return Verdict::kMalformed;
    }
    if (result.status == http::ParseStatus::kNeedMore) {
        return bytes.size() >= rules_->max_size ? Verdict::kTooLarge : Verdict::kNeedMore;
    }
    size_ = searched_;
    return Verdict::kPacket;
}

Verdict Framer::look(std::string_view bytes) {
    if (bytes.empty()) {
        return Verdict::kNeedMore;
    }
    if (rules_->kind == Kind::kHttp && size_ == 0) {
        Verdict verdict = look_for_http(bytes);
        if (verdict != Verdict::kPacket) {
            return verdict;
        }
    }
    if (rules_->kind == Kind::kRedis && size_ == 0) {
        Verdict verdict = look_for_request(bytes);
        if (verdict != Verdict::kPacket) {
            return verdict;
        }
    }
    if (rules_->kind == Kind::kMark || rules_->kind == Kind::kMarkAtEnd) {
        return rules_->kind == Kind::kMark ? look_for_mark(bytes) : look_for_last_mark(bytes);
    }
    if (size_ == 0) {
        int64_t size = packet_size(bytes);
        if (size == kUnknown) {
            return bytes.size() >= rules_->max_size ? Verdict::kTooLarge : Verdict::kNeedMore;
        }
        if (size < 0) {
            return Verdict::kMalformed;
        }
        size_ = static_cast<size_t>(size);
    }
    if (rules_->kind != Kind::kNone && size_ > rules_->max_size) {
        return Verdict::kTooLarge;
    }
    return bytes.size() < size_ ? Verdict::kNeedMore : Verdict::kPacket;
}

}  // namespace stampede::proto::frame
