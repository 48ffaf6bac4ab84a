// Streaming encoders of content codings. Owned by the code that writes the body, one for one body.
// One thread, never parks.
#pragma once

#include <memory>
#include <string_view>

#include "base/buffer.h"
#include "proto/coding/coding.h"

namespace stampede::proto::coding {

enum class Flush : uint8_t {
    kLater,   // what comes out may wait for more input
    kNow,     // the peer can decode everything so far
    kFinish,  // the end of the body
};

class Encoder {
public:
    virtual ~Encoder() = default;
    Encoder() = default;
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    // How much there will be to encode: little needs little memory.
    enum class Size : uint8_t { kSmall, kMedium, kAny };
    static Size size_for(uint64_t bytes) {
        return bytes <= 8 * 1024 ? Size::kSmall : bytes <= 32 * 1024 ? Size::kMedium : Size::kAny;
    }

    // level: the coding's own scale, -1 for its usual one. Null for kIdentity and kUnknown, and
    // when memory is short.
    static std::unique_ptr<Encoder> create(Coding coding, int level, Size size = Size::kAny);

    // Appends to out; false when memory is short.
    virtual bool encode(std::string_view in, Flush flush, Buffer& out) = 0;
    // Ready for another body with the same settings; false: make a new one.
    virtual bool reset() = 0;
};

}  // namespace stampede::proto::coding
