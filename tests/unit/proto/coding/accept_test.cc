#include "proto/coding/accept.h"

#include <gtest/gtest.h>

#include <string>

namespace stampede::proto::coding {
namespace {

std::string chosen(std::string_view field) {
    Choice choice = choose_codings(field);
    std::string text;
    for (size_t i = 0; i < choice.count; i++) {
        text += (i > 0 ? " " : "") + std::string(coding_name(choice.codings[i]));
    }
    return text;
}

TEST(AcceptEncoding, OwnOrderAmongEquals) {
    EXPECT_EQ(chosen("gzip, deflate, br, zstd"), "br zstd gzip deflate");
    EXPECT_EQ(chosen("deflate,gzip"), "gzip deflate");
    EXPECT_EQ(chosen("GZIP"), "gzip");
}

TEST(AcceptEncoding, WeightsComeFirst) {
    EXPECT_EQ(chosen("br;q=0.1, gzip;q=0.9"), "gzip br");
    EXPECT_EQ(chosen("br ; q=0.5 , gzip;q=1.000, zstd;q=0.501"), "gzip zstd br");
}

TEST(AcceptEncoding, ZeroRefuses) {
    EXPECT_EQ(chosen("br;q=0, gzip"), "gzip");
    EXPECT_EQ(chosen("gzip;q=0.000"), "");
    EXPECT_EQ(chosen("*;q=0"), "");
}

TEST(AcceptEncoding, AStarStandsForTheOthers) {
    EXPECT_EQ(chosen("*"), "br zstd gzip deflate");
    EXPECT_EQ(chosen("gzip;q=0.5, *;q=0"), "gzip");
    EXPECT_EQ(chosen("br;q=0, *;q=0.3"), "zstd gzip deflate");
}

TEST(AcceptEncoding, NothingOrNonsenseChoosesNothing) {
    for (const char* field : {"", ",", "identity", "gzip;q=2", "gzip;q=-1", "gzip;q=a",
                              "gzip;q=", "gzip;q=0.0001", "gzip;q=1.5", "compress"}) {
        EXPECT_EQ(chosen(field), "") << field;
    }
}

}  // namespace
}  // namespace stampede::proto::coding
