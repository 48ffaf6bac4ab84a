#include "base/buffer.h"

#include <gtest/gtest.h>

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

TEST(Buffer, MovesByExchange) {
    Buffer first;
    first.append("first");
    Buffer second(std::move(first));
    EXPECT_EQ(second.view(), "first");
    EXPECT_TRUE(first.empty());
}

}  // namespace
}  // namespace stampede
