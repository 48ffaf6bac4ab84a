#include "server/path_rules.h"

#include <gtest/gtest.h>

namespace stampede::server {
namespace {

TEST(RoutePattern, AStarStandsForOnePartAndTwoForAllThatFollows) {
    struct Case {
        const char* pattern;
        const char* path;
        bool fits;
    };
    for (const Case& each :
         {Case{"/a", "/a", true}, Case{"/a", "/a/", false}, Case{"/a", "/ab", false},
          Case{"/a/*", "/a/b", true}, Case{"/a/*", "/a/", true}, Case{"/a/*", "/a", false},
          Case{"/a/*", "/a/b/c", false}, Case{"/a/*/c", "/a/b/c", true},
          Case{"/a/x*y*z", "/a/xyyz", true}, Case{"/a/x*y*z", "/a/xzy", false},
          Case{"/a/**", "/a", true}, Case{"/a/**", "/a/b/c", true}, Case{"/a/**", "/ab", false},
          Case{"/a**", "/abc/d", true}, Case{"/**", "/", true}, Case{"/**", "/x/y", true},
          Case{"/a/*/b**", "/a/x/bc/d", true}, Case{"/a/*/b**", "/a/x/c/b", false}}) {
        EXPECT_EQ(RoutePattern(each.pattern).fits(each.path), each.fits)
            << each.pattern << " " << each.path;
    }
}

TEST(RoutePattern, TimeIsBoundedWhateverThePathIs) {
    std::string path = "/" + std::string(20000, 'a');
    EXPECT_FALSE(RoutePattern("/*a*a*a*a*a*a*b").fits(path));
}

TEST(PathRules, FieldsAreAddedWhereTheResponseHasNone) {
    PathRules rules({{"/* X-Frame-Options: DENY", "*.css X-Kind: style", "/x X-Empty:"}, {}});
    std::vector<FieldRef> given = {{"x-frame-options", "SAMEORIGIN"}};
    rules.add_fields("/a%2ecss", given);
    ASSERT_EQ(given.size(), 2U);
    EXPECT_EQ(given[1].name, "X-Kind");
    EXPECT_EQ(given[1].value, "style");
    std::vector<FieldRef> none;
    rules.add_fields("/x", none);
    ASSERT_EQ(none.size(), 2U);
    EXPECT_EQ(none[0].value, "DENY");
    EXPECT_EQ(none[1].value, "");
}

TEST(PathRules, TheFirstPatternThatFitsSaysHowLargeABodyMayBe) {
    PathRules rules({{}, {"/up/small 10", "/up/** 5000"}});
    EXPECT_EQ(rules.body_limit("/up/small", 100), 10U);
    EXPECT_EQ(rules.body_limit("/up/%73mall", 100), 10U);
    EXPECT_EQ(rules.body_limit("/up/other", 100), 5000U);
    EXPECT_EQ(rules.body_limit("/else", 100), 100U);
    EXPECT_EQ(rules.largest_body(100), 5000U);
}

TEST(PathRules, WhatCannotBeUsedHasASentence) {
    EXPECT_EQ(check_path_rules({{"/* X-Own: a b"}, {"/a 1"}}), "");
    for (const char* rule : {"", "/*", "/* ", "/* : x", "/* X Y: z", "/* Content-Length: 5",
                             "/* connection: close", "/* X: a\nb"}) {
        EXPECT_NE(check_path_rules({{rule}, {}}), "") << rule;
    }
    for (const char* rule : {"a 1", "/a", "/a x", "/a -1", "/a 99999999999999999999"}) {
        EXPECT_NE(check_path_rules({{}, {rule}}), "") << rule;
    }
}

}  // namespace
}  // namespace stampede::server
