// Coded bodies: garbage and cut data give the same whatever the pieces, and a sink can stop.
#include <cstdlib>
#include <string>

#include "proto/coding/decoder.h"

using namespace stampede::proto::coding;

namespace {

constexpr size_t kLimit = 64 * 1024;

DecodeStatus decode(Coding coding, std::string_view data, size_t piece, std::string& out) {
    auto decoder = Decoder::create(coding);
    DecodeStatus status = DecodeStatus::kNeedMore;
    while (!data.empty() && status == DecodeStatus::kNeedMore) {
        status = decoder->feed(data.substr(0, piece), [&](std::string_view bytes) {
            out.append(bytes);
            return out.size() <= kLimit;
        });
        data.remove_prefix(std::min(piece, data.size()));
    }
    return status;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    if (size == 0) {
        return 0;
    }
    constexpr Coding kAll[] = {Coding::kGzip, Coding::kDeflate, Coding::kBrotli, Coding::kZstd};
    Coding coding = kAll[bytes[0] & 3];
    std::string_view data(reinterpret_cast<const char*>(bytes) + 1, size - 1);
    std::string whole;
    std::string pieces;
    DecodeStatus first = decode(coding, data, size, whole);
    DecodeStatus second = decode(coding, data, 5, pieces);
    bool small = whole.size() <= kLimit && pieces.size() <= kLimit;
    // Of broken data the decoders may have written more or less before they noticed it.
    if (small && (second != first || (first != DecodeStatus::kBad && whole != pieces))) {
        std::abort();
    }
    return 0;
}
