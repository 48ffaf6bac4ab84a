// Walks from frame to frame of what an HTTP/2 peer sends, however the bytes are cut, and stops at
// those that nghttp2 drops without a word: DATA, which may be for a stream that it has forgotten,
// PRIORITY of streams that depend on themselves (RFC 7540 5.3.1), and types that it does not know;
// and at RST_STREAM, after which it forgets one. It trusts the lengths it reads; where they are
// wrong nghttp2 ends the connection, and what the walk then finds does not matter. Owned by the
// session; loop thread; never parks, never allocates.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace stampede::server {

class FrameWatch {
public:
    enum class Kind : uint8_t { kNone, kData, kReset, kSelfDependent, kUnknown };
    struct Stop {
        Kind kind = Kind::kNone;
        int32_t stream = 0;
        size_t before = 0;  // of the bytes, what is not of this frame
        size_t used = 0;    // of the bytes: where to go on
    };

    // The first stop in the bytes. They begin where the last ones were used up, at first with the
    // client's preface.
    Stop next(const char* data, size_t size) {
        Stop stop;
        while (stop.used < size && stop.kind == Kind::kNone) {
            if (skip_ > 0) {
                size_t count = std::min(size - stop.used, skip_);
                skip_ -= count;
                stop.used += count;
                stop.before = stop.used;
                continue;
            }
            size_t count = std::min(size - stop.used, wanted_ - have_);
            std::memcpy(head_ + have_, data + stop.used, count);
            have_ += count;
            stop.used += count;
            if (have_ == wanted_) {
                head_complete(stop);
            }
        }
        return stop;
    }

private:
    static constexpr size_t kPreface = 24;
    static constexpr size_t kHeader = 9;
    static constexpr size_t kDependency = 4;
    static constexpr uint8_t kData = 0;
    static constexpr uint8_t kPriority = 2;
    static constexpr uint8_t kRstStream = 3;
    static constexpr uint8_t kContinuation = 9;  // the last type of RFC 9113
    static constexpr uint8_t kPriorityUpdate = 16;

    uint32_t number_at(size_t at) const {
        return (uint32_t{head_[at]} << 24 | uint32_t{head_[at + 1]} << 16 |
                uint32_t{head_[at + 2]} << 8 | head_[at + 3]) &
               0x7fffffff;
    }

    void head_complete(Stop& stop) {
        size_t length = size_t{head_[0]} << 16 | size_t{head_[1]} << 8 | head_[2];
        bool has_dependency = head_[3] == kPriority && length >= kDependency;
        if (has_dependency && wanted_ == kHeader) {
            wanted_ = kHeader + kDependency;
            return;
        }
        stop.stream = static_cast<int32_t>(number_at(5));
        if (head_[3] == kData) {
            stop.kind = Kind::kData;
        } else if (head_[3] == kRstStream) {
            stop.kind = Kind::kReset;
        } else if (head_[3] > kContinuation && head_[3] != kPriorityUpdate) {
            stop.kind = Kind::kUnknown;
        } else if (has_dependency && number_at(kHeader) == number_at(5)) {
            stop.kind = Kind::kSelfDependent;
        } else {
            stop.before = stop.used;
        }
        skip_ = length - (wanted_ - kHeader);
        have_ = 0;
        wanted_ = kHeader;
    }

    // The head of a frame may come in pieces. Where the walk stands: in the `skip_` bytes of a
    // frame that are of no interest, or with `have_` bytes of the next head, of which it wants
    // `wanted_`.
    uint8_t head_[kHeader + kDependency] = {};
    size_t have_ = 0;  // of head_
    size_t wanted_ = kHeader;
    size_t skip_ = kPreface;
};

}  // namespace stampede::server
