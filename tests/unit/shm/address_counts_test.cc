#include "shm/address_counts.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include "unit/shm/stepped_child.h"

namespace stampede::shm {
namespace {

sockaddr_in6 address(const char* text) {
    sockaddr_in6 out{};
    auto& v4 = reinterpret_cast<sockaddr_in&>(out);
    if (inet_pton(AF_INET, text, &v4.sin_addr) == 1) {
        v4.sin_family = AF_INET;
    } else if (inet_pton(AF_INET6, text, &out.sin6_addr) == 1) {
        out.sin6_family = AF_INET6;
    }
    return out;
}

AddressKey key(const char* text) { return address_key(address(text)); }

class AddressCountsTest : public ::testing::Test {
protected:
    AddressCountsTest()
        : board(std::move(*Scoreboard::create(3))),
          counts(std::move(*AddressCounts::create(3, 64))) {
        for (uint32_t line = 0; line < 3; line++) {
            board->line(line).state.store(WorkerState::kRunning);
        }
    }
    uint64_t total(AddressKey of) { return counts->total(*board, of); }

    std::unique_ptr<Scoreboard> board;
    std::unique_ptr<AddressCounts> counts;
};

TEST_F(AddressCountsTest, CountsTogetherWhatIsOneCustomer) {
    EXPECT_EQ(key("192.0.2.1"), key("::ffff:192.0.2.1"));
    EXPECT_NE(key("192.0.2.1"), key("192.0.2.2"));
    EXPECT_EQ(key("2001:db8:0:1::1"), key("2001:db8:0:1:ffff::2"));
    EXPECT_NE(key("2001:db8:0:1::1"), key("2001:db8:0:2::1"));
    EXPECT_NE(key("::1"), 0u);
    EXPECT_NE(key("0.0.0.0"), key("::1"));
    EXPECT_EQ(address_key(sockaddr_in6{}), 0u);
}

TEST_F(AddressCountsTest, AddsUpAllLines) {
    EXPECT_TRUE(counts->add(0, key("192.0.2.1")));
    EXPECT_TRUE(counts->add(1, key("192.0.2.1")));
    EXPECT_TRUE(counts->add(1, key("192.0.2.1")));
    EXPECT_TRUE(counts->add(2, key("192.0.2.2")));
    EXPECT_EQ(total(key("192.0.2.1")), 3u);
    EXPECT_EQ(total(key("192.0.2.2")), 1u);
    EXPECT_EQ(total(key("192.0.2.3")), 0u);
    counts->remove(1, key("192.0.2.1"));
    EXPECT_EQ(total(key("192.0.2.1")), 2u);
}

TEST_F(AddressCountsTest, WhatADeadWorkerHadDoesNotCount) {
    counts->add(0, key("192.0.2.1"));
    counts->add(1, key("192.0.2.1"));
    board->line(1).state.store(WorkerState::kEmpty);
    EXPECT_EQ(total(key("192.0.2.1")), 1u);
    board->line(1).state.store(WorkerState::kRunning);
    counts->clear(1);
    EXPECT_EQ(total(key("192.0.2.1")), 1u);
}

TEST_F(AddressCountsTest, RemovingWhatIsNotThereDoesNothing) {
    counts->remove(0, key("192.0.2.1"));
    counts->add(0, key("192.0.2.1"));
    counts->remove(0, key("192.0.2.1"));
    counts->remove(0, key("192.0.2.1"));
    EXPECT_EQ(total(key("192.0.2.1")), 0u);
    counts->add(0, key("192.0.2.1"));
    EXPECT_EQ(total(key("192.0.2.1")), 1u);
}

TEST_F(AddressCountsTest, ForgetsAddressesThatGoOverAndOver) {
    counts->add(0, key("192.0.2.1"));
    for (uint64_t other = 1; other < 100'000; other++) {
        ASSERT_TRUE(counts->add(0, other << 33));
        ASSERT_EQ(total(other << 33), 1u);
        ASSERT_EQ(total(key("192.0.2.1")), 1u);
        counts->remove(0, other << 33);
    }
}

TEST_F(AddressCountsTest, IsFullAtSomeTime) {
    uint64_t taken = 0;
    while (taken < 1000 && counts->add(0, (taken + 1) << 33)) {
        taken++;
    }
    EXPECT_GE(taken, 64u);
    EXPECT_LT(taken, 128u);
    EXPECT_FALSE(counts->add(0, key("192.0.2.1")));
    EXPECT_TRUE(counts->add(0, uint64_t{1} << 33));  // one that is there
    EXPECT_EQ(total(uint64_t{1} << 33), 2u);
    for (uint64_t i = 1; i <= taken; i++) {
        counts->remove(0, i << 33);
    }
    EXPECT_TRUE(counts->add(0, key("192.0.2.1")));
}

TEST(AddressCounts, AKilledWorkerLeavesNothingBehind) {
    auto key_number = [](int number) {
        return AddressKey{1} << 32 | static_cast<uint64_t>(number);
    };
    auto board = std::move(*Scoreboard::create(1));
    board->line(0).state.store(WorkerState::kRunning);
    int changes = 1;
    // The changes that matter come in long rows, and leading a process by instructions takes a
    // while.
    constexpr int kStride = 40;
    for (bool was_killed = true; was_killed; changes += kStride) {
        SharedMappings mappings;
        auto counts = std::move(*AddressCounts::create(1, 64));
        std::string_view memory = mappings.made_since();
        for (int i = 0; i < 96; i++) {
            ASSERT_TRUE(i < 60 || (counts->remove(0, key_number(i - 60)), true));
            ASSERT_TRUE(counts->add(0, key_number(i)));
        }
        was_killed = kill_after_changes(memory, changes, [&] {
            counts->remove(0, key_number(95));
            counts->add(0, key_number(96));  // builds the table anew, without what counts nothing
        });
        counts->clear(0);
        for (int i = 0; i < 97; i++) {
            ASSERT_EQ(counts->total(*board, key_number(i)), 0u) << "change " << changes;
        }
    }
    EXPECT_GT(changes, 60);
}

}  // namespace
}  // namespace stampede::shm
