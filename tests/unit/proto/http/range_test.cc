#include "proto/http/range.h"

#include <gtest/gtest.h>

#include <string>

namespace stampede::proto::http {
namespace {

std::string shown(std::string_view field, uint64_t size) {
    Ranges ranges = parse_ranges(field, size);
    if (ranges.result == RangeResult::kWhole) {
        return "whole";
    }
    if (ranges.result == RangeResult::kUnsatisfiable) {
        return "none";
    }
    std::string text;
    for (size_t i = 0; i < ranges.count; i++) {
        text += (i > 0 ? "," : "") + std::to_string(ranges.parts[i].first) + "-" +
                std::to_string(ranges.parts[i].last);
    }
    return text;
}

TEST(Range, OneOfEachForm) {
    EXPECT_EQ(shown("bytes=0-0", 10), "0-0");
    EXPECT_EQ(shown("bytes=2-5", 10), "2-5");
    EXPECT_EQ(shown("bytes=2-", 10), "2-9");
    EXPECT_EQ(shown("bytes=-3", 10), "7-9");
    EXPECT_EQ(shown("bytes=-30", 10), "0-9");
    EXPECT_EQ(shown("Bytes= 2 - 5 ", 10), "2-5");
}

TEST(Range, EndsWithTheFile) {
    EXPECT_EQ(shown("bytes=5-100", 10), "5-9");
    EXPECT_EQ(shown("bytes=5-99999999999999999999999999", 10), "5-9");
}

TEST(Range, SeveralAreKeptInOrder) {
    EXPECT_EQ(shown("bytes=6-7, 0-1 ,,-1", 10), "6-7,0-1,9-9");
    EXPECT_EQ(shown("bytes=0-1,50-60", 10), "0-1");
}

TEST(Range, BeyondTheEndIsUnsatisfiable) {
    EXPECT_EQ(shown("bytes=10-", 10), "none");
    EXPECT_EQ(shown("bytes=18446744073709551616-", 10), "none");
    EXPECT_EQ(shown("bytes=-0", 10), "none");
    EXPECT_EQ(shown("bytes=0-", 0), "none");
    EXPECT_EQ(shown("bytes=-5", 0), "none");
}

TEST(Range, WhatIsNotUnderstoodIsIgnored) {
    for (const char* field :
         {"", "bytes", "bytes=", "bytes=,", "bytes=-", "bytes=a-b", "bytes=5-2", "bytes=0x1-5",
          "bytes=1-2-3", "bytes=+1-2", "lines=0-1", "bytes 0-1", "bytes=0-1,x", "bytes=1"}) {
        EXPECT_EQ(shown(field, 10), "whole") << field;
    }
}

TEST(Range, MoreThanTheFileIsTheWholeFile) {
    EXPECT_EQ(shown("bytes=0-9,0-9", 10), "whole");
    std::string many = "bytes=";
    for (int i = 0; i < 1000; i++) {
        many += "0-0,";
    }
    EXPECT_EQ(shown(many, 1 << 20), "whole");
}

}  // namespace
}  // namespace stampede::proto::http
