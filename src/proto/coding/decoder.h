// Streaming decoders of content codings: pieces in, pieces out, so that a limit of the caller holds
// before a bomb has been blown up. Owned by the code that reads the body, one for one body. One
// thread, never parks.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "proto/coding/coding.h"

namespace stampede::proto::coding {

enum class DecodeStatus : uint8_t {
    kNeedMore,  // all input is used up
    kDone,      // the end of the coded data; what follows it was ignored
    kBad,       // no data of this coding
    kStopped,   // the sink wants no more
};

class Decoder {
public:
    virtual ~Decoder() = default;
    Decoder() = default;
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    // Null for kIdentity and kUnknown, and when memory is short.
    static std::unique_ptr<Decoder> create(Coding coding);

    // sink(std::string_view) gets the decoded bytes, valid in the call only; false stops.
    template <typename Sink>
    DecodeStatus feed(std::string_view in, Sink&& sink) {
        for (;;) {
            size_t count = 0;
            DecodeStatus status = step(in, buffer_.get(), kBufferSize, count);
            if (count > 0 && !sink(std::string_view(buffer_.get(), count))) {
                return DecodeStatus::kStopped;
            }
            if (status != DecodeStatus::kNeedMore || (count < kBufferSize && in.empty())) {
                return status;
            }
        }
    }

protected:
    // Takes bytes off the front of `in` and writes at most capacity ones to out.
    virtual DecodeStatus step(std::string_view& in, char* out, size_t capacity, size_t& count) = 0;

private:
    static constexpr size_t kBufferSize = 32 * 1024;
    std::unique_ptr<char[]> buffer_ = std::make_unique_for_overwrite<char[]>(kBufferSize);
};

}  // namespace stampede::proto::coding
