#include "proto/http1/chunked.h"

#include <gtest/gtest.h>

#include <string>

#include "unit/proto/guarded.h"

namespace stampede::proto::http1 {
namespace {

using http::ParseStatus;

TEST(ChunkedDecoder, HandsOnTheBytesWhereTheyLie) {
    std::string bytes = "3;x=\"y\"\r\nabc\r\n2\r\nde\r\n0\r\nT: 1\r\n\r\nNEXT";
    ChunkedDecoder decoder;
    std::vector<std::string_view> runs;
    auto result = decoder.feed(bytes.data(), bytes.size(),
                               [&](std::string_view run) { runs.push_back(run); });
    EXPECT_EQ(result.status, ParseStatus::kDone);
    EXPECT_EQ(result.consumed, bytes.find("NEXT"));
    ASSERT_EQ(runs.size(), 2u);
    EXPECT_EQ(runs[0].data(), bytes.data() + bytes.find("abc"));
    EXPECT_EQ(runs[0], "abc");
    EXPECT_EQ(runs[1], "de");
    EXPECT_EQ(decoder.body_bytes(), 5u);
}

TEST(ChunkedDecoder, StopsWhenTheSinkSaysSo) {
    std::string bytes = "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
    ChunkedDecoder decoder;
    auto result = decoder.feed(bytes.data(), bytes.size(), [](std::string_view) { return false; });
    EXPECT_EQ(result.status, ParseStatus::kNeedMore);
    EXPECT_EQ(result.consumed, 6u);
    std::string rest;
    result = decoder.feed(bytes.data() + 6, bytes.size() - 6,
                          [&](std::string_view run) { rest += run; });
    EXPECT_EQ(result.status, ParseStatus::kDone);
    EXPECT_EQ(rest, "de");
}

TEST(ChunkedDecoder, KeepsSayingHowItEnded) {
    ChunkedDecoder decoder;
    auto sink = [](std::string_view) {};
    EXPECT_EQ(decoder.feed("0\r\n\r\n", 5, sink).status, ParseStatus::kDone);
    auto again = decoder.feed("5\r\n", 3, sink);
    EXPECT_EQ(again.status, ParseStatus::kDone);
    EXPECT_EQ(again.consumed, 0u);
    decoder.reset();
    EXPECT_EQ(decoder.feed("x", 1, sink).http_status, 400);
    EXPECT_EQ(decoder.feed("0\r\n\r\n", 5, sink).http_status, 400);
}

TEST(ChunkedDecoder, TellsHowMuchOfTheChunkIsToCome) {
    ChunkedDecoder decoder;
    decoder.feed("A\r\nabc", 6, [](std::string_view) {});
    EXPECT_EQ(decoder.chunk_remaining(), 7u);
    EXPECT_EQ(decoder.body_bytes(), 3u);
}

TEST(ChunkedDecoder, NeverReadsBehindItsInput) {
    std::string bytes = "3;x=\"\\\"\"\r\nabc\r\n0\r\nT: 1\r\n\r\n";
    for (size_t size = 0; size <= bytes.size(); size++) {
        test::Guarded guarded(std::string_view(bytes).substr(0, size));
        ChunkedDecoder decoder;
        auto result = decoder.feed(guarded.data(), size, [](std::string_view) {});
        EXPECT_EQ(result.status,
                  size == bytes.size() ? ParseStatus::kDone : ParseStatus::kNeedMore);
        EXPECT_EQ(result.consumed, size);
    }
}

TEST(ChunkedDecoder, ExtensionsOfABodyAreCountedTogether) {
    Limits limits;
    limits.chunk_extension_bytes = 10;
    ChunkedDecoder decoder(limits);
    auto sink = [](std::string_view) {};
    EXPECT_EQ(decoder.feed("1;abcd\r\nx\r\n", 11, sink).status, ParseStatus::kNeedMore);
    EXPECT_EQ(decoder.feed("1;abcd\r\nx\r\n", 11, sink).status, ParseStatus::kNeedMore);
    EXPECT_EQ(decoder.feed("1;", 2, sink).http_status, 400);
}

}  // namespace
}  // namespace stampede::proto::http1
