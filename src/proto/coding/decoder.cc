#include "proto/coding/decoder.h"

#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>

#include "proto/http/message.h"

namespace stampede::proto::coding {

namespace {

struct Name {
    std::string_view name;
    Coding coding;
};

constexpr Name kNames[] = {{"gzip", Coding::kGzip},   {"deflate", Coding::kDeflate},
                           {"br", Coding::kBrotli},   {"zstd", Coding::kZstd},
                           {"x-gzip", Coding::kGzip}, {"identity", Coding::kIdentity},
                           {"", Coding::kIdentity}};

// gzip with one or more members; deflate in zlib's wrapping, or without any as some servers send
// it.
class ZlibDecoder final : public Decoder {
public:
    explicit ZlibDecoder(Coding coding) : gzip_(coding == Coding::kGzip) {}
    ~ZlibDecoder() override {
        if (open_) {
            inflateEnd(&stream_);
        }
    }

    DecodeStatus step(std::string_view& in, char* out, size_t capacity, size_t& count) override {
        if (done_ && !next_member(in)) {
            return DecodeStatus::kDone;
        }
        if (!open_ && !open(in)) {
            return in.empty() ? DecodeStatus::kNeedMore : DecodeStatus::kBad;
        }
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
        stream_.avail_in = static_cast<uInt>(std::min<size_t>(in.size(), 1u << 30));
        stream_.next_out = reinterpret_cast<Bytef*>(out);
        stream_.avail_out = static_cast<uInt>(capacity);
        int result = inflate(&stream_, Z_NO_FLUSH);
        count = capacity - stream_.avail_out;
        in.remove_prefix(
            static_cast<size_t>(reinterpret_cast<const char*>(stream_.next_in) - in.data()));
        if (result == Z_STREAM_END) {
            done_ = true;
            return gzip_ && !in.empty() ? DecodeStatus::kNeedMore : DecodeStatus::kDone;
        }
        bool fine = result == Z_OK || result == Z_BUF_ERROR;
        return fine ? DecodeStatus::kNeedMore : DecodeStatus::kBad;
    }

private:
    bool open(std::string_view in) {
        if (in.empty()) {
            return false;
        }
        // The low half of zlib's first byte is 8; raw deflate data cannot begin so, since block
        // type 0 with a set bit 3 would need a zero there.
        bool wrapped = (static_cast<unsigned char>(in.front()) & 0x0f) == 8;
        int bits = gzip_ ? MAX_WBITS + 16 : wrapped ? MAX_WBITS : -MAX_WBITS;
        open_ = inflateInit2(&stream_, bits) == Z_OK;
        return open_;
    }

    bool next_member(std::string_view in) {
        if (in.empty() || ignoring_) {
            return false;
        }
        bool more = gzip_ && static_cast<unsigned char>(in.front()) == 0x1f;
        ignoring_ = !(more && inflateReset(&stream_) == Z_OK);
        done_ = ignoring_;
        return !done_;
    }

    z_stream stream_{};
    bool gzip_;
    bool open_ = false;
    bool done_ = false;
    bool ignoring_ = false;  // what follows is no member
};

class BrotliDecoder final : public Decoder {
public:
    BrotliDecoder() : state_(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr)) {}
    ~BrotliDecoder() override { BrotliDecoderDestroyInstance(state_); }
    bool is_open() const { return state_ != nullptr; }

    DecodeStatus step(std::string_view& in, char* out, size_t capacity, size_t& count) override {
        size_t left = in.size();
        size_t room = capacity;
        const auto* from = reinterpret_cast<const uint8_t*>(in.data());
        auto* to = reinterpret_cast<uint8_t*>(out);
        BrotliDecoderResult result =
            BrotliDecoderDecompressStream(state_, &left, &from, &room, &to, nullptr);
        count = capacity - room;
        in.remove_prefix(in.size() - left);
        if (result == BROTLI_DECODER_RESULT_SUCCESS) {
            return DecodeStatus::kDone;
        }
        return result == BROTLI_DECODER_RESULT_ERROR ? DecodeStatus::kBad : DecodeStatus::kNeedMore;
    }

private:
    BrotliDecoderState* state_;
};

class ZstdDecoder final : public Decoder {
public:
    ZstdDecoder() : stream_(ZSTD_createDStream()) {
        if (stream_ != nullptr) {
            ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, kWindowLog);
        }
    }
    ~ZstdDecoder() override { ZSTD_freeDStream(stream_); }
    bool is_open() const { return stream_ != nullptr; }

    DecodeStatus step(std::string_view& in, char* out, size_t capacity, size_t& count) override {
        if (at_end_ && in.empty()) {
            return DecodeStatus::kDone;
        }
        ZSTD_inBuffer from{in.data(), in.size(), 0};
        ZSTD_outBuffer to{out, capacity, 0};
        size_t result = ZSTD_decompressStream(stream_, &to, &from);
        count = to.pos;
        in.remove_prefix(from.pos);
        if (ZSTD_isError(result) != 0) {
            return DecodeStatus::kBad;
        }
        at_end_ = result == 0;
        return at_end_ && in.empty() ? DecodeStatus::kDone : DecodeStatus::kNeedMore;
    }

private:
    static constexpr int kWindowLog = 23;  // RFC 9659: 8 MB is what HTTP allows

    ZSTD_DStream* stream_;
    bool at_end_ = false;
};

template <typename Made>
std::unique_ptr<Decoder> if_open() {
    auto decoder = std::make_unique<Made>();
    return decoder->is_open() ? std::move(decoder) : std::unique_ptr<Decoder>();
}

}  // namespace

Coding coding_by_name(std::string_view value) {
    for (const Name& entry : kNames) {
        if (http::equals_ignoring_case(entry.name, value)) {
            return entry.coding;
        }
    }
    return Coding::kUnknown;
}

std::string_view coding_name(Coding coding) {
    for (const Name& entry : kNames) {
        if (entry.coding == coding && coding != Coding::kIdentity) {
            return entry.name;
        }
    }
    return {};
}

std::unique_ptr<Decoder> Decoder::create(Coding coding) {
    switch (coding) {
        case Coding::kGzip:
        case Coding::kDeflate:
            return std::make_unique<ZlibDecoder>(coding);
        case Coding::kBrotli:
            return if_open<BrotliDecoder>();
        case Coding::kZstd:
            return if_open<ZstdDecoder>();
        default:
            return nullptr;
    }
}

}  // namespace stampede::proto::coding
