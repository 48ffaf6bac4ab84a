#include "proc/bus.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace stampede::proc {
namespace {

// Two ends in one process: what arrives is what matters, not who sent it.
class BusTest : public testing::Test {
protected:
    BusTest() : loop(std::move(*loop::Loop::create())), bus(std::move(*Bus::create(3))) {
        EXPECT_FALSE(bus->open(*loop, 1, &BusTest::take, this));
    }
    ~BusTest() override { bus->close(); }

    static void take(void* self, std::string_view message) {
        static_cast<BusTest*>(self)->received.emplace_back(message);
    }
    void run(size_t wanted) {
        Nanos deadline = monotonic_now() + 10 * kSecond;
        while (received.size() < wanted && monotonic_now() < deadline) {
            loop->run_once(100 * kMillisecond);
        }
    }

    std::unique_ptr<loop::Loop> loop;
    std::unique_ptr<Bus> bus;
    std::vector<std::string> received;
};

TEST_F(BusTest, DeliversInOrder) {
    EXPECT_TRUE(bus->send(1, "head", " and body"));
    EXPECT_TRUE(bus->send(1, "second", ""));
    EXPECT_TRUE(bus->send(1, "", ""));
    run(3);
    EXPECT_EQ(received, (std::vector<std::string>{"head and body", "second", ""}));
}

TEST_F(BusTest, PutsLargeMessagesTogether) {
    std::string body;
    for (int i = 0; body.size() < 5'000'000; i++) {
        body += std::to_string(i);
    }
    EXPECT_TRUE(bus->send(1, "large:", body));
    EXPECT_TRUE(bus->send(1, "small", ""));
    run(2);
    ASSERT_EQ(received.size(), 2u);
    EXPECT_EQ(received[0], "large:" + body);
    EXPECT_EQ(received[1], "small");
}

TEST_F(BusTest, HeadsLargerThanAPieceAreWholeToo) {
    std::string head(200'000, 'h');
    EXPECT_TRUE(bus->send(1, head, "body"));
    run(1);
    ASSERT_EQ(received.size(), 1u);
    EXPECT_EQ(received[0], head + "body");
}

TEST_F(BusTest, RefusesWhenNobodyReads) {
    std::string body(1 << 20, 'x');
    int sent = 0;
    while (sent < 1000 && bus->send(2, "", body)) {
        sent++;
    }
    EXPECT_GT(sent, 4);
    EXPECT_LT(sent, 64);
}

TEST_F(BusTest, RefusesWhatCannotBe) {
    EXPECT_FALSE(bus->send(3, "x", ""));
    EXPECT_FALSE(bus->send(1, "", std::string((64 << 20) + 1, 'x')));
}

TEST_F(BusTest, WhatALineWasSentBeforeIsForgotten) {
    EXPECT_TRUE(bus->send(1, "for the last owner", ""));
    bus->close();
    ASSERT_FALSE(bus->open(*loop, 1, &BusTest::take, this));
    EXPECT_TRUE(bus->send(1, "for this one", ""));
    run(1);
    EXPECT_EQ(received, std::vector<std::string>{"for this one"});
}

}  // namespace
}  // namespace stampede::proc
