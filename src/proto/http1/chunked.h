// The strict decoder for a chunked body (RFC 9112 7.1): body bytes are handed on where they lie,
// nothing is copied. Owned by the exchange that reads the body, one for one body. One thread, never
// parks, never allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "proto/http/message.h"
#include "proto/http/limits.h"

namespace stampede::proto::http1 {

using http::Limits;

class ChunkedDecoder {
public:
    struct Result {
        http::ParseStatus status = http::ParseStatus::kNeedMore;
        uint16_t http_status = 0;  // when bad: 400, 413 or 431
        size_t consumed = 0;       // when done: bytes after it belong to the next message
    };
    struct Step {
        http::ParseStatus status = http::ParseStatus::kNeedMore;  // kNeedMore with data: call again
        uint16_t http_status = 0;
        size_t consumed = 0;
        std::string_view data;  // body bytes inside `in`
    };

    ChunkedDecoder() = default;
    explicit ChunkedDecoder(const Limits& limits) : limits_(limits) {}

    void reset() { *this = ChunkedDecoder(limits_); }

    // Consumes input up to and including one run of body bytes, or all of it.
    Step step(const char* in, size_t size);

    // Consumes as much as there is. sink(std::string_view) gets the body bytes; it may return void,
    // or false to stop after that run (status kNeedMore, consumed tells how far).
    template <typename Sink>
    Result feed(const char* in, size_t size, Sink&& sink) {
        Result result;
        for (;;) {
            Step next = step(in + result.consumed, size - result.consumed);
            result.consumed += next.consumed;
            result.status = next.status;
            result.http_status = next.http_status;
            if (next.data.empty()) {
                return result;
            }
            if constexpr (std::is_same_v<decltype(sink(next.data)), bool>) {
                if (!sink(next.data)) {
                    return result;
                }
            } else {
                sink(next.data);
            }
        }
    }

    // Of the fields after the body, consumed so far, without the last line feed.
    uint32_t trailer_bytes() const { return trailer_bytes_; }
    // Body bytes handed on so far.
    uint64_t body_bytes() const { return body_bytes_; }
    // Body bytes of the present chunk still to come (a hint for buffer sizes).
    uint64_t chunk_remaining() const { return remaining_; }

private:
    enum class State : uint8_t {
        kSizeStart,
        kSize,
        kExtensionGap,      // white space before ';'
        kExtensionNameGap,  // white space after ';'
        kExtensionName,
        kExtensionNameEnd,   // white space after a name
        kExtensionValueGap,  // white space after '='
        kExtensionValue,
        kExtensionQuoted,
        kExtensionEscape,
        kExtensionQuotedEnd,
        kSizeLf,
        kData,
        kDataCr,
        kDataLf,
        kTrailerStart,
        kTrailerName,
        kTrailerValue,
        kTrailerLf,
        kEndLf,
        kDone,
        kBad,
    };

    uint16_t line_byte(unsigned char c);
    uint16_t size_byte(unsigned char c);
    uint16_t extension_byte(unsigned char c);
    uint16_t quoted_byte(unsigned char c);
    uint16_t trailer_byte(unsigned char c);
    uint16_t size_line_end();
    uint16_t count_line_byte();
    static bool in_extension(State state);

    Limits limits_;
    State state_ = State::kSizeStart;
    uint16_t bad_status_ = 0;
    uint16_t digits_ = 0;
    uint32_t line_bytes_ = 0;
    uint32_t extension_bytes_ = 0;
    uint32_t trailer_bytes_ = 0;
    uint32_t trailer_fields_ = 0;
    uint64_t remaining_ = 0;
    uint64_t body_bytes_ = 0;
};

}  // namespace stampede::proto::http1
