#include "proto/http/conditional.h"

#include <gtest/gtest.h>

namespace stampede::proto::http {
namespace {

constexpr Validators kPresent = {"\"v2\"", 784111777};  // Sun, 06 Nov 1994 08:49:37 GMT
constexpr const char* kThen = "Sun, 06 Nov 1994 08:49:37 GMT";
constexpr const char* kBefore = "Sun, 06 Nov 1994 08:49:36 GMT";

Precondition check(Conditions conditions) { return check_conditions(conditions, kPresent); }

TEST(Conditional, NothingAskedProceeds) { EXPECT_EQ(check({}), Precondition::kProceed); }

TEST(Conditional, NoneMatch) {
    EXPECT_EQ(check({.if_none_match = "\"v2\""}), Precondition::kNotModified);
    EXPECT_EQ(check({.if_none_match = "W/\"v2\""}), Precondition::kNotModified);
    EXPECT_EQ(check({.if_none_match = "*"}), Precondition::kNotModified);
    EXPECT_EQ(check({.if_none_match = "\"v1\", W/\"x,y\" ,\"v2\""}), Precondition::kNotModified);
    EXPECT_EQ(check({.if_none_match = "\"v1\""}), Precondition::kProceed);
    EXPECT_EQ(check({.if_none_match = ""}), Precondition::kProceed);
    EXPECT_EQ(check({.if_none_match = "v2"}), Precondition::kProceed);
    EXPECT_EQ(check({.if_none_match = "\"v2"}), Precondition::kProceed);
}

TEST(Conditional, NoneMatchBeatsModifiedSince) {
    EXPECT_EQ(check({.if_none_match = "\"v1\"", .if_modified_since = kThen}),
              Precondition::kProceed);
    EXPECT_EQ(check({.if_none_match = "\"v2\"", .if_modified_since = kBefore}),
              Precondition::kNotModified);
}

TEST(Conditional, ModifiedSince) {
    EXPECT_EQ(check({.if_modified_since = kThen}), Precondition::kNotModified);
    EXPECT_EQ(check({.if_modified_since = kBefore}), Precondition::kProceed);
    EXPECT_EQ(check({.if_modified_since = "yesterday"}), Precondition::kProceed);
}

TEST(Conditional, MatchIsStrong) {
    EXPECT_EQ(check({.if_match = "\"v2\""}), Precondition::kProceed);
    EXPECT_EQ(check({.if_match = "*"}), Precondition::kProceed);
    EXPECT_EQ(check({.if_match = "W/\"v2\""}), Precondition::kFailed);
    EXPECT_EQ(check({.if_match = "\"v1\""}), Precondition::kFailed);
}

TEST(Conditional, UnmodifiedSince) {
    EXPECT_EQ(check({.if_unmodified_since = kThen}), Precondition::kProceed);
    EXPECT_EQ(check({.if_unmodified_since = kBefore}), Precondition::kFailed);
    EXPECT_EQ(check({.if_unmodified_since = "never"}), Precondition::kProceed);
    EXPECT_EQ(check({.if_match = "\"v2\"", .if_unmodified_since = kBefore}),
              Precondition::kProceed);
}

TEST(Conditional, RangeAppliesToTheSameState) {
    EXPECT_TRUE(range_applies({}, kPresent));
    EXPECT_TRUE(range_applies({.if_range = "\"v2\""}, kPresent));
    EXPECT_TRUE(range_applies({.if_range = kThen}, kPresent));
    EXPECT_FALSE(range_applies({.if_range = "W/\"v2\""}, kPresent));
    EXPECT_FALSE(range_applies({.if_range = "\"v1\""}, kPresent));
    EXPECT_FALSE(range_applies({.if_range = kBefore}, kPresent));
    EXPECT_FALSE(range_applies({.if_range = ""}, kPresent));
}

}  // namespace
}  // namespace stampede::proto::http
