#include "server/http2/guard.h"

#include <gtest/gtest.h>

namespace stampede::server {
namespace {

constexpr Nanos kStart = 1000 * kSecond;

TEST(Http2Guard, FramesWithoutUseHaveALimit) {
    Http2Guard guard;
    for (uint32_t i = 0; i < Http2Guard::kIdleFrames; i++) {
        ASSERT_TRUE(guard.idle_frame()) << i;
    }
    EXPECT_FALSE(guard.idle_frame());
}

TEST(Http2Guard, WhatIsUsefulMakesUpForAFrameWithoutUse) {
    Http2Guard guard;
    guard.useful();  // nothing is saved up
    for (uint32_t i = 0; i < 2 * Http2Guard::kIdleFrames; i++) {
        ASSERT_TRUE(guard.idle_frame()) << i;
        guard.useful();
    }
    for (uint32_t i = 0; i < Http2Guard::kIdleFrames; i++) {
        ASSERT_TRUE(guard.idle_frame()) << i;
    }
    EXPECT_FALSE(guard.idle_frame());
}

TEST(Http2Guard, ResetsHaveALimitInNumber) {
    Http2Guard guard;
    for (uint32_t i = 0; i < Http2Guard::kResets; i++) {
        guard.request(kStart);
        ASSERT_TRUE(guard.reset(kStart)) << i;
    }
    guard.request(kStart);
    EXPECT_FALSE(guard.reset(kStart));
}

TEST(Http2Guard, ManyResetsAreFineAmongMoreThanTwiceAsManyRequests) {
    Http2Guard guard;
    for (uint32_t i = 0; i < 2 * Http2Guard::kResets; i++) {
        for (int request = 0; request < 3; request++) {
            guard.request(kStart);
        }
        ASSERT_TRUE(guard.reset(kStart)) << i;
    }
}

TEST(Http2Guard, APeriodForgetsTheResetsOfTheOneBefore) {
    Http2Guard guard;
    for (uint32_t i = 0; i < Http2Guard::kResets; i++) {
        ASSERT_TRUE(guard.reset(kStart)) << i;
    }
    EXPECT_TRUE(guard.reset(kStart + Http2Guard::kPeriod + 1));
    for (uint32_t i = 1; i < Http2Guard::kResets; i++) {
        ASSERT_TRUE(guard.reset(kStart + 2 * Http2Guard::kPeriod)) << i;
    }
    EXPECT_FALSE(guard.reset(kStart + 2 * Http2Guard::kPeriod));
}

TEST(Http2Guard, AResetThatCrossesOneOfOursIsExpectedOnce) {
    Http2Guard guard;
    EXPECT_FALSE(guard.reset_crossed());
    guard.dismissed();
    EXPECT_TRUE(guard.reset_crossed());
    EXPECT_FALSE(guard.reset_crossed());
}

}  // namespace
}  // namespace stampede::server
