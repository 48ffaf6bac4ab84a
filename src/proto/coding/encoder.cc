#include "proto/coding/encoder.h"

#include <brotli/encode.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>

#include "proto/coding/crc32.h"

namespace stampede::proto::coding {

namespace {

constexpr size_t kPiece = 16 * 1024;

class ZlibEncoder final : public Encoder {
public:
    // A smaller window and hash for less input: clearing them is what a short body costs.
    ZlibEncoder(Coding coding, int level, Size size)
        : level_(std::clamp(level, -1, 9)), is_gzip_(coding == Coding::kGzip) {
        int less = size == Size::kSmall ? 2 : size == Size::kMedium ? 1 : 0;
        int bits = MAX_WBITS - less;
        open_ = deflateInit2(&stream_, level_, Z_DEFLATED, is_gzip_ ? -bits : bits, 8 - less,
                             Z_DEFAULT_STRATEGY) == Z_OK;
    }
    bool reset() override {
        crc_ = 0;
        began_ = false;
        return deflateReset(&stream_) == Z_OK;
    }
    ~ZlibEncoder() override {
        if (open_) {
            deflateEnd(&stream_);
        }
    }
    bool is_open() const { return open_; }

    bool encode(std::string_view in, Flush flush, Buffer& out) override {
        static constexpr int kModes[] = {Z_NO_FLUSH, Z_SYNC_FLUSH, Z_FINISH};
        if (is_gzip_) {
            begin_gzip(out);
            crc_ = crc32_of(crc_, in);
        }
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
        stream_.avail_in = static_cast<uInt>(in.size());
        do {
            stream_.next_out = reinterpret_cast<Bytef*>(out.reserve(kPiece));
            stream_.avail_out = kPiece;
            if (deflate(&stream_, kModes[static_cast<int>(flush)]) == Z_STREAM_ERROR) {
                return false;
            }
            out.commit(kPiece - stream_.avail_out);
        } while (stream_.avail_out == 0);
        if (is_gzip_ && flush == Flush::kFinish) {
            append_number(crc_, out);
            append_number(static_cast<uint32_t>(stream_.total_in), out);
        }
        return true;
    }

private:
    // RFC 1952 2.3: no flags, no time, how hard it was tried, made on Unix.
    void begin_gzip(Buffer& out) {
        if (!began_) {
            began_ = true;
            char effort = level_ == 9 ? 2 : level_ == 1 || level_ == 0 ? 4 : 0;
            const char head[] = {'\x1f', '\x8b', 8, 0, 0, 0, 0, 0, effort, 3};
            out.append({head, sizeof(head)});
        }
    }
    static void append_number(uint32_t number, Buffer& out) {
        for (int shift = 0; shift < 32; shift += 8) {
            out.append(static_cast<char>(number >> shift & 0xff));
        }
    }

    z_stream stream_{};
    int level_;
    uint32_t crc_ = 0;
    bool is_gzip_;  // around zlib's raw data, for the sake of a faster checksum
    bool began_ = false;
    bool open_ = false;
};

class BrotliEncoder final : public Encoder {
public:
    explicit BrotliEncoder(int level)
        : state_(BrotliEncoderCreateInstance(nullptr, nullptr, nullptr)) {
        constexpr int kUsual = 4;  // its own default of 11 is for files that are kept
        if (state_ != nullptr) {
            BrotliEncoderSetParameter(
                state_, BROTLI_PARAM_QUALITY,
                static_cast<uint32_t>(level < 0 ? kUsual : std::min(level, 11)));
        }
    }
    ~BrotliEncoder() override { BrotliEncoderDestroyInstance(state_); }
    bool reset() override { return false; }
    bool is_open() const { return state_ != nullptr; }

    bool encode(std::string_view in, Flush flush, Buffer& out) override {
        static constexpr BrotliEncoderOperation kModes[] = {
            BROTLI_OPERATION_PROCESS, BROTLI_OPERATION_FLUSH, BROTLI_OPERATION_FINISH};
        size_t left = in.size();
        const auto* from = reinterpret_cast<const uint8_t*>(in.data());
        do {
            size_t room = kPiece;
            auto* to = reinterpret_cast<uint8_t*>(out.reserve(kPiece));
            if (BrotliEncoderCompressStream(state_, kModes[static_cast<int>(flush)], &left, &from,
                                            &room, &to, nullptr) == BROTLI_FALSE) {
                return false;
            }
            out.commit(kPiece - room);
        } while (left > 0 || BrotliEncoderHasMoreOutput(state_) == BROTLI_TRUE);
        return true;
    }

private:
    BrotliEncoderState* state_;
};

class ZstdEncoder final : public Encoder {
public:
    explicit ZstdEncoder(int level) : context_(ZSTD_createCCtx()) {
        if (context_ != nullptr && level >= 0) {
            ZSTD_CCtx_setParameter(context_, ZSTD_c_compressionLevel, level);
        }
    }
    ~ZstdEncoder() override { ZSTD_freeCCtx(context_); }
    bool reset() override {
        return ZSTD_isError(ZSTD_CCtx_reset(context_, ZSTD_reset_session_only)) == 0;
    }
    bool is_open() const { return context_ != nullptr; }

    bool encode(std::string_view in, Flush flush, Buffer& out) override {
        static constexpr ZSTD_EndDirective kModes[] = {ZSTD_e_continue, ZSTD_e_flush, ZSTD_e_end};
        ZSTD_inBuffer from{in.data(), in.size(), 0};
        for (;;) {
            ZSTD_outBuffer to{out.reserve(kPiece), kPiece, 0};
            size_t left =
                ZSTD_compressStream2(context_, &to, &from, kModes[static_cast<int>(flush)]);
            if (ZSTD_isError(left) != 0) {
                return false;
            }
            out.commit(to.pos);
            bool settled = flush == Flush::kLater ? to.pos < kPiece : left == 0;
            if (from.pos == from.size && settled) {
                return true;
            }
        }
    }

private:
    ZSTD_CCtx* context_;
};

template <typename Made, typename... Arguments>
std::unique_ptr<Encoder> if_open(Arguments... arguments) {
    auto encoder = std::make_unique<Made>(arguments...);
    return encoder->is_open() ? std::move(encoder) : std::unique_ptr<Encoder>();
}

}  // namespace

std::unique_ptr<Encoder> Encoder::create(Coding coding, int level, Size size) {
    switch (coding) {
        case Coding::kGzip:
        case Coding::kDeflate:
            return if_open<ZlibEncoder>(coding, level, size);
        case Coding::kBrotli:
            return if_open<BrotliEncoder>(level);
        case Coding::kZstd:
            return if_open<ZstdEncoder>(level);
        default:
            return nullptr;
    }
}

}  // namespace stampede::proto::coding
