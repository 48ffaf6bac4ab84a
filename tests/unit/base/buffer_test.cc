#include "base/buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace stampede {
namespace {

TEST(Buffer, KeepsBytesInOrderAcrossGrowth) {
    Buffer buffer;
    std::string expected;
    for (int i = 0; i < 1000; ++i) {
        std::string piece = std::to_string(i) + ",";
        buffer.append(piece);
        expected += piece;
    }
    EXPECT_EQ(buffer.view(), expected);
    EXPECT_GE(buffer.capacity(), buffer.size());
}

TEST(Buffer, ConsumesAtTheFront) {
    Buffer buffer;
    buffer.append("abcdef");
    buffer.consume(2);
    EXPECT_EQ(buffer.view(), "cdef");
    buffer.append('g');
    EXPECT_EQ(buffer.view(), "cdefg");
    buffer.consume(5);
    EXPECT_TRUE(buffer.empty());
}

TEST(Buffer, ReusesConsumedRoomInsteadOfGrowing) {
    Buffer buffer;
    buffer.append(std::string(100, 'x'));
    size_t capacity = buffer.capacity();
    for (int i = 0; i < 10000; ++i) {
        buffer.consume(10);
        buffer.append(std::string(10, 'y'));
    }
    EXPECT_EQ(buffer.size(), 100u);
    EXPECT_LE(buffer.capacity(), capacity * 2);
}

TEST(Buffer, ReleaseGivesTheMemoryBack) {
    Buffer buffer;
    buffer.append("abc");
    buffer.release();
    EXPECT_EQ(buffer.capacity(), 0u);
    EXPECT_TRUE(buffer.empty());
    buffer.append("d");
    EXPECT_EQ(buffer.view(), "d");
}

TEST(Buffer, AnAnnouncementIsBelievedAsFarAsBytesHaveCome) {
    constexpr size_t kMebibyte = size_t{1} << 20;
    Buffer buffer;
    buffer.append("head");
    EXPECT_EQ(buffer.reserve_announced(1000).size, 1000u);
    size_t left = 64 * kMebibyte;
    std::string expected = "head";
    while (left > 0) {
        Buffer::Span span = buffer.reserve_announced(left);
        ASSERT_EQ(span.bytes, buffer.data() + buffer.size());
        ASSERT_GT(span.size, 0u);
        ASSERT_LE(span.size, left);
        ASSERT_LE(buffer.capacity(), std::max(2 * kMebibyte, buffer.size() * 3));
        size_t count = std::min<size_t>(span.size, 100'000);
        std::memset(span.bytes, static_cast<int>(left % 251), count);
        expected.append(count, static_cast<char>(left % 251));
        buffer.commit(count);
        left -= count;
    }
    EXPECT_EQ(buffer.view(), expected);
    EXPECT_EQ(buffer.reserve_announced(0).size, 0u);
}

TEST(Buffer, MovesByExchange) {
    Buffer first;
    first.append("first");
    Buffer second(std::move(first));
    EXPECT_EQ(second.view(), "first");
    EXPECT_TRUE(first.empty());
}

}  // namespace
}  // namespace stampede
