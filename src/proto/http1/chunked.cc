#include "proto/http1/chunked.h"

#include <algorithm>

#include "proto/http/uri.h"

namespace stampede::proto::http1 {
namespace {

constexpr uint16_t kGoOn = 0;
constexpr uint16_t kMaxDigits = 16;
constexpr uint64_t kMaxSize = INT64_MAX;

bool is_space(unsigned char c) { return c == ' ' || c == '\t'; }

bool is_token(unsigned char c) { return http::is_token_char(static_cast<char>(c)); }

// Visible or obs-text, or white space: what may stand in a field value or after a backslash.
bool is_text(unsigned char c) { return (c >= 0x20 && c != 0x7f) || c == '\t'; }

}  // namespace

bool ChunkedDecoder::in_extension(State state) {
    return state >= State::kExtensionGap && state <= State::kExtensionQuotedEnd;
}

ChunkedDecoder::Step ChunkedDecoder::step(const char* in, size_t size) {
    size_t i = 0;
    while (state_ != State::kDone && state_ != State::kBad && i < size) {
        if (state_ == State::kData) {
            auto run = static_cast<size_t>(std::min<uint64_t>(remaining_, size - i));
            remaining_ -= run;
            body_bytes_ += run;
            if (remaining_ == 0) {
                state_ = State::kDataCr;
            }
            return {http::ParseStatus::kNeedMore, 0, i + run, {in + i, run}};
        }
        bad_status_ = line_byte(static_cast<unsigned char>(in[i++]));
        if (bad_status_ != kGoOn) {
            state_ = State::kBad;
        }
    }
    if (state_ == State::kBad) {
        return {http::ParseStatus::kBad, bad_status_, i, {}};
    }
    return {
        state_ == State::kDone ? http::ParseStatus::kDone : http::ParseStatus::kNeedMore, 0, i, {}};
}

uint16_t ChunkedDecoder::line_byte(unsigned char c) {
    switch (state_) {
        case State::kSizeStart:
        case State::kSize:
            return size_byte(c);
        case State::kSizeLf:
            return c == '\n' ? size_line_end() : 400;
        case State::kDataCr:
            state_ = State::kDataLf;
            return c == '\r' ? kGoOn : 400;
        case State::kDataLf:
            state_ = State::kSizeStart;
            line_bytes_ = 0;
            digits_ = 0;
            return c == '\n' ? kGoOn : 400;
        case State::kEndLf:
            state_ = State::kDone;
            return c == '\n' ? kGoOn : 400;
        default:
            return in_extension(state_) ? extension_byte(c) : trailer_byte(c);
    }
}

uint16_t ChunkedDecoder::size_byte(unsigned char c) {
    int digit = http::hex_value(static_cast<char>(c));
    if (digit >= 0) {
        state_ = State::kSize;
        remaining_ = remaining_ << 4 | static_cast<uint64_t>(digit);
        return ++digits_ <= kMaxDigits ? kGoOn : 400;
    }
    if (state_ == State::kSizeStart) {
        return 400;
    }
    if (c == '\r') {
        state_ = State::kSizeLf;
        return kGoOn;
    }
    state_ = c == ';' ? State::kExtensionNameGap : State::kExtensionGap;
    return c == ';' || is_space(c) ? count_line_byte() : 400;
}

uint16_t ChunkedDecoder::count_line_byte() {
    line_bytes_++;
    extension_bytes_++;
    bool within = line_bytes_ <= limits_.chunk_line_bytes &&
                  extension_bytes_ <= limits_.chunk_extension_bytes;
    return within ? kGoOn : 400;
}

uint16_t ChunkedDecoder::size_line_end() {
    state_ = remaining_ == 0 ? State::kTrailerStart : State::kData;
    return remaining_ <= kMaxSize ? kGoOn : 413;
}

// chunk-ext = *( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] )
uint16_t ChunkedDecoder::extension_byte(unsigned char c) {
    if (state_ == State::kExtensionQuoted || state_ == State::kExtensionEscape) {
        uint16_t status = quoted_byte(c);
        return status == kGoOn ? count_line_byte() : status;
    }
    bool after_name = state_ == State::kExtensionName || state_ == State::kExtensionNameEnd;
    bool after_value = state_ == State::kExtensionValue || state_ == State::kExtensionQuotedEnd;
    if (c == '\r') {
        bool complete = state_ == State::kExtensionName || after_value;
        state_ = State::kSizeLf;
        return complete ? kGoOn : 400;
    }
    if (c == ';' && (after_name || after_value || state_ == State::kExtensionGap)) {
        state_ = State::kExtensionNameGap;
    } else if (c == '=' && after_name) {
        state_ = State::kExtensionValueGap;
    } else if (c == '"' && state_ == State::kExtensionValueGap) {
        state_ = State::kExtensionQuoted;
    } else if (is_space(c)) {
        if (after_name) {
            state_ = State::kExtensionNameEnd;
        } else if (after_value) {
            state_ = State::kExtensionGap;
        }
    } else if (is_token(c) &&
               (state_ == State::kExtensionNameGap || state_ == State::kExtensionName)) {
        state_ = State::kExtensionName;
    } else if (is_token(c) &&
               (state_ == State::kExtensionValueGap || state_ == State::kExtensionValue)) {
        state_ = State::kExtensionValue;
    } else {
        return 400;
    }
    return count_line_byte();
}

uint16_t ChunkedDecoder::quoted_byte(unsigned char c) {
    if (!is_text(c)) {
        return 400;
    }
    if (state_ == State::kExtensionEscape) {
        state_ = State::kExtensionQuoted;
    } else if (c == '"') {
        state_ = State::kExtensionQuotedEnd;
    } else if (c == '\\') {
        state_ = State::kExtensionEscape;
    }
    return kGoOn;
}

// Trailer fields must be well-formed, and are then forgotten: none may change what the head has
// said.
uint16_t ChunkedDecoder::trailer_byte(unsigned char c) {
    if (++trailer_bytes_ > limits_.head_bytes) {
        return 431;
    }
    switch (state_) {
        case State::kTrailerStart:
            state_ = c == '\r' ? State::kEndLf : State::kTrailerName;
            return c == '\r' || is_token(c) ? kGoOn : 400;
        case State::kTrailerName:
            if (c == ':') {
                state_ = State::kTrailerValue;
                return kGoOn;
            }
            return is_token(c) ? kGoOn : 400;
        case State::kTrailerValue:
            if (c == '\r') {
                state_ = State::kTrailerLf;
                return kGoOn;
            }
            return is_text(c) ? kGoOn : 400;
        default:
            state_ = State::kTrailerStart;
            if (c != '\n') {
                return 400;
            }
            return ++trailer_fields_ <= limits_.fields ? kGoOn : 431;
    }
}

}  // namespace stampede::proto::http1
