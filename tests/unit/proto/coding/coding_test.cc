#include <gtest/gtest.h>

#include <string>

#include "proto/coding/decoder.h"
#include "proto/coding/encoder.h"

namespace stampede::proto::coding {
namespace {

constexpr Coding kAll[] = {Coding::kGzip, Coding::kDeflate, Coding::kBrotli, Coding::kZstd};

std::string encode(Coding coding, const std::string& text) {
    auto encoder = Encoder::create(coding, -1);
    Buffer out;
    EXPECT_TRUE(encoder->encode(text, Flush::kFinish, out));
    return std::string(out.view());
}

std::string noise(size_t size) {
    std::string text;
    uint32_t state = 1;
    while (text.size() < size) {
        state = state * 1664525 + 1013904223;
        text += static_cast<char>(state >> 24 & (state & 1 ? 0x0f : 0xff));
    }
    return text;
}

DecodeStatus decode(Decoder& decoder, std::string_view bytes, size_t piece, std::string& out) {
    DecodeStatus status = DecodeStatus::kNeedMore;
    while (!bytes.empty() && status == DecodeStatus::kNeedMore) {
        status = decoder.feed(bytes.substr(0, piece), [&](std::string_view data) {
            out.append(data);
            return true;
        });
        bytes.remove_prefix(std::min(piece, bytes.size()));
    }
    return status;
}

TEST(Coding, Names) {
    EXPECT_EQ(coding_by_name("GZIP"), Coding::kGzip);
    EXPECT_EQ(coding_by_name("br"), Coding::kBrotli);
    EXPECT_EQ(coding_by_name(""), Coding::kIdentity);
    EXPECT_EQ(coding_by_name("gzip, br"), Coding::kUnknown);
    EXPECT_EQ(coding_name(Coding::kZstd), "zstd");
}

TEST(Coding, RoundTripsInPiecesOfAnySize) {
    for (Coding coding : kAll) {
        for (size_t size : {size_t{0}, size_t{1}, size_t{1000}, size_t{300000}}) {
            std::string text = noise(size);
            std::string coded = encode(coding, text);
            for (size_t piece : {size_t{1}, size_t{7}, coded.size()}) {
                auto decoder = Decoder::create(coding);
                std::string out;
                EXPECT_EQ(decode(*decoder, coded, piece, out), DecodeStatus::kDone);
                EXPECT_EQ(out, text) << coding_name(coding) << " " << size << " " << piece;
            }
        }
    }
}

TEST(Coding, CutDataIsNotDone) {
    for (Coding coding : kAll) {
        std::string coded = encode(coding, noise(5000));
        auto decoder = Decoder::create(coding);
        std::string out;
        coded.resize(coded.size() - 5);
        EXPECT_EQ(decode(*decoder, coded, coded.size(), out), DecodeStatus::kNeedMore);
    }
}

TEST(Coding, GarbageIsBad) {
    for (Coding coding : kAll) {
        auto decoder = Decoder::create(coding);
        std::string out;
        std::string garbage = "\xff\xfe" + std::string(64, '\xff');
        EXPECT_EQ(decode(*decoder, garbage, garbage.size(), out), DecodeStatus::kBad)
            << coding_name(coding);
    }
}

TEST(Coding, ASinkStopsABomb) {
    std::string zeros(64 << 20, '\0');
    for (Coding coding : kAll) {
        std::string bomb = encode(coding, zeros);
        ASSERT_LT(bomb.size(), zeros.size() / 500);
        auto decoder = Decoder::create(coding);
        size_t total = 0;
        DecodeStatus status = decoder->feed(bomb, [&](std::string_view data) {
            total += data.size();
            return total < 100000;
        });
        EXPECT_EQ(status, DecodeStatus::kStopped);
        EXPECT_LT(total, size_t{200000});
    }
}

TEST(Coding, SeveralGzipMembersAreOneBody) {
    std::string coded = encode(Coding::kGzip, "one ") + encode(Coding::kGzip, "two");
    auto decoder = Decoder::create(Coding::kGzip);
    std::string out;
    EXPECT_EQ(decode(*decoder, coded, coded.size(), out), DecodeStatus::kDone);
    EXPECT_EQ(out, "one two");
}

// Whether it is complete in the end, and all that came out.
std::pair<bool, std::string> decode_all(Coding coding, std::string_view bytes, size_t piece) {
    auto decoder = Decoder::create(coding);
    std::string out;
    DecodeStatus status = DecodeStatus::kNeedMore;
    while (!bytes.empty() && status != DecodeStatus::kBad) {
        status = decoder->feed(bytes.substr(0, piece), [&](std::string_view data) {
            out.append(data);
            return true;
        });
        bytes.remove_prefix(std::min(piece, bytes.size()));
    }
    return {status == DecodeStatus::kDone, out};
}

TEST(Coding, WhereMembersAreCutChangesNothing) {
    for (Coding coding : {Coding::kGzip, Coding::kZstd}) {
        std::string coded = encode(coding, "one ") + encode(coding, "two");
        for (size_t piece = 1; piece <= coded.size(); piece++) {
            EXPECT_EQ(decode_all(coding, coded, piece), std::pair(true, std::string("one two")))
                << coding_name(coding) << " in pieces of " << piece;
        }
    }
}

TEST(Coding, WhereTheEndIsCutChangesNothing) {
    for (Coding coding : kAll) {
        for (std::string_view tail :
             {"x", "xyz\x1f\x8b\x08", "\x1f", "\x1f\x8b\x08 and no member"}) {
            std::string coded = encode(coding, "text").append(tail);
            auto whole = decode_all(coding, coded, coded.size());
            for (size_t piece = 1; piece < coded.size(); piece++) {
                EXPECT_EQ(decode_all(coding, coded, piece), whole)
                    << coding_name(coding) << " in pieces of " << piece;
            }
        }
    }
}

TEST(Coding, RawDeflateIsUnderstood) {
    std::string wrapped = encode(Coding::kDeflate, "hello hello hello");
    auto decoder = Decoder::create(Coding::kDeflate);
    std::string out;
    std::string raw = wrapped.substr(2, wrapped.size() - 6);
    EXPECT_EQ(decode(*decoder, raw, 1, out), DecodeStatus::kDone);
    EXPECT_EQ(out, "hello hello hello");
}

TEST(Coding, FlushedPiecesCanBeDecodedAtOnce) {
    for (Coding coding : kAll) {
        auto encoder = Encoder::create(coding, 3);
        auto decoder = Decoder::create(coding);
        for (int i = 0; i < 3; i++) {
            Buffer piece;
            ASSERT_TRUE(encoder->encode("piece", Flush::kNow, piece));
            std::string out;
            EXPECT_EQ(decode(*decoder, piece.view(), piece.size(), out), DecodeStatus::kNeedMore);
            EXPECT_EQ(out, "piece");
        }
    }
}

}  // namespace
}  // namespace stampede::proto::coding
