#include "proto/http/uri.h"

#include <gtest/gtest.h>

#include <string>

namespace stampede::proto::http {
namespace {

std::string decode(std::string text, Plus plus = Plus::kLiteral) {
    text.resize(percent_decode(text, text.data(), plus));
    return text;
}

TEST(PercentDecode, Examples) {
    EXPECT_EQ(decode("a%20b%2Fc%2fd"), "a b/c/d");
    EXPECT_EQ(decode("%00").size(), 1u);
    EXPECT_EQ(decode("a+b"), "a+b");
    EXPECT_EQ(decode("a+b%2B", Plus::kSpace), "a b+");
    EXPECT_EQ(decode("%"), "%");
    EXPECT_EQ(decode("%4"), "%4");
    EXPECT_EQ(decode("%zz%4g%"), "%zz%4g%");
    EXPECT_EQ(decode("%%41"), "%A");
    EXPECT_EQ(decode("%2541"), "%41");
    EXPECT_EQ(decode(""), "");
}

TEST(Host, WithoutThePort) {
    EXPECT_EQ(host_without_port("a.b:80"), "a.b");
    EXPECT_EQ(host_without_port("a.b"), "a.b");
    EXPECT_EQ(host_without_port("[::1]:80"), "[::1]");
    EXPECT_EQ(host_without_port(""), "");
}

TEST(Host, Validation) {
    for (const char* good : {"a", "a.", "a.b.c:65535", "a:0", "a:", "[::]", "[fe80::1]:1",
                             "[::ffff:1.2.3.4]", "1.2.3.4", "~_-"}) {
        EXPECT_TRUE(valid_host(good)) << good;
    }
    for (const char* bad :
         {"",     ":",   ":1",   "a:1:2",    "a:65536", "a:123456", "a:00000080", "a b",    "a/",
          "a..b", ".",   ".a",   "[",        "[]",      "[:]",      "[::1",       "[::1]x", "::1",
          "a@b",  "a,b", "a%41", "\xc3\xa9", "[::1]]",  "a]",       "[g::1]"}) {
        EXPECT_FALSE(valid_host(bad)) << bad;
    }
}

std::string normalised(std::string path) {
    size_t length = 0;
    return normalise_path(path, path.data(), length) ? path.substr(0, length) : "refused";
}

TEST(NormalisePath, Examples) {
    EXPECT_EQ(normalised("/"), "/");
    EXPECT_EQ(normalised("/a"), "/a");
    EXPECT_EQ(normalised("/a/"), "/a/");
    EXPECT_EQ(normalised("/a/./b//c"), "/a/b/c");
    EXPECT_EQ(normalised("/a/b/../c"), "/a/c");
    EXPECT_EQ(normalised("/a/b/.."), "/a/");
    EXPECT_EQ(normalised("/a/."), "/a/");
    EXPECT_EQ(normalised("/a/.."), "/");
    EXPECT_EQ(normalised("/..a/...b/c.."), "/..a/...b/c..");
    EXPECT_EQ(normalised("//a"), "/a");
}

TEST(NormalisePath, NeverLeavesItsRoot) {
    for (const char* path : {"/..", "/../", "/../etc/passwd", "/a/../..", "/a/../../b", "/./../a",
                             "//..//", "a", "", "../a", "/a\\..\\b"}) {
        EXPECT_EQ(normalised(path), "refused") << path;
    }
    EXPECT_EQ(normalised(std::string("/a\0b", 4)), "refused");
}

}  // namespace
}  // namespace stampede::proto::http
