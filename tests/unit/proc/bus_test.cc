#include "proc/bus.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <string>
#include <vector>

#include "os/process.h"

namespace stampede::proc {
namespace {

// Two ends in one process: what arrives is what matters, not who sent it.
class BusTest : public testing::Test {
public:
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

    // A child that reads inbox 2 until it is killed; its number when it has ended.
    pid_t reader_that_dies(const Bus::Taking& taking, Bus::Receiver receiver) {
        Result<pid_t> child = os::fork_process();
        if (*child == 0) {
            bus->abandon();
            auto own = std::move(*loop::Loop::create());
            (void)bus->open(*own, 2, receiver, nullptr, Bus::Old::kKeep);
            bus->tell(2, taking);
            (void)bus->wait(2, monotonic_now() + 10 * kSecond);
            os::exit_now(0);
        }
        os::ChildExit how;
        while ((how = os::reap_child()).pid != *child) {
        }
        EXPECT_EQ(how.signal, SIGKILL);
        return *child;
    }
    void open_taking(const Bus::Taking& taking) {
        ASSERT_FALSE(bus->open(*loop, 2, &BusTest::take, this, Bus::Old::kKeep));
        bus->tell(2, taking);
    }

    std::unique_ptr<loop::Loop> loop;
    std::unique_ptr<Bus> bus;
    std::vector<std::string> received;
    std::vector<std::string> noted;
};

constexpr Bus::Taking kNoting = {
    [](void* self, std::string_view front) {
        static_cast<BusTest*>(self)->noted.emplace_back(front);
    },
    [](void* self) { static_cast<BusTest*>(self)->noted.emplace_back("failed"); },
};
constexpr Bus::Taking kKilledBefore = {
    [](void*, std::string_view) { (void)::raise(SIGKILL); },
    [](void*) {},
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

TEST_F(BusTest, ManyLargeMessagesStayApart) {
    std::vector<std::string> sent;
    for (size_t round = 0; round < 3; round++) {
        for (size_t i = 0; i < 12; i++) {
            std::string text(100'000 + 200'000 * i, static_cast<char>('a' + i + round));
            ASSERT_TRUE(bus->send(1, "head", text));
            sent.push_back("head" + text);
        }
        run(sent.size());
        EXPECT_EQ(received, sent);
    }
}

TEST_F(BusTest, HeadsLargerThanAPieceAreWholeToo) {
    std::string head(200'000, 'h');
    EXPECT_TRUE(bus->send(1, head, "body"));
    run(1);
    ASSERT_EQ(received.size(), 1u);
    EXPECT_EQ(received[0], head + "body");
}

TEST_F(BusTest, RefusesWhenNobodyReads) {
    std::string large(1 << 20, 'x');
    int sent = 0;
    while (sent < 1000 && bus->send(2, "", large)) {
        sent++;
    }
    EXPECT_GT(sent, 64);
    EXPECT_LT(sent, 300);
    std::string small(1 << 14, 'x');
    sent = 0;
    while (sent < 10000 && bus->send(0, "", small)) {
        sent++;
    }
    EXPECT_GT(sent, 500);
    EXPECT_LT(sent, 2000);
    EXPECT_FALSE(bus->sent_all());
    EXPECT_FALSE(bus->flush(monotonic_now() + 20 * kMillisecond));
}

TEST_F(BusTest, WhatFoundNoRoomFollowsInOrder) {
    std::vector<std::string> wanted;
    for (int i = 0; i < 2000; i++) {
        wanted.push_back(std::to_string(i) + std::string(i % 7 == 0 ? 100'000 : 1000, 'x'));
        ASSERT_TRUE(bus->send(1, "", wanted.back())) << i;
        if (i % 500 == 0) {
            loop->run_once(0);
        }
    }
    EXPECT_FALSE(bus->sent_all());
    run(2000);
    EXPECT_EQ(received, wanted);
    EXPECT_TRUE(bus->sent_all());
}

TEST_F(BusTest, RefusesWhatCannotBe) {
    EXPECT_FALSE(bus->send(3, "x", ""));
    EXPECT_FALSE(bus->send(1, "", std::string(Bus::kMostMessage + 1, 'x')));
}

TEST_F(BusTest, TheLargestMessageArrives) {
    std::string body(64 << 20, 'x');
    body[12'345'678] = 'y';
    EXPECT_TRUE(bus->send(1, "head", body));
    run(1);
    ASSERT_EQ(received.size(), 1u);
    EXPECT_TRUE(received[0] == "head" + body);
}

TEST_F(BusTest, WhatNobodyHasReadIsForTheNextReader) {
    EXPECT_TRUE(bus->send(2, "small", ""));
    EXPECT_TRUE(bus->send(2, "large", std::string(200'000, 'x')));
    EXPECT_TRUE(bus->has_messages(2));
    ASSERT_FALSE(bus->open(*loop, 2, &BusTest::take, this, Bus::Old::kKeep));
    run(2);
    ASSERT_EQ(received.size(), 2u);
    EXPECT_EQ(received[0], "small");
    EXPECT_EQ(received[1].size(), 200'005u);
    EXPECT_FALSE(bus->has_messages(2));
}

TEST_F(BusTest, AReaderCanTakeOneAtATime) {
    ASSERT_FALSE(bus->open(
        *loop, 2,
        [](void* self, std::string_view message) {
            auto* test = static_cast<BusTest*>(self);
            test->received.emplace_back(message);
            test->bus->hold();
            if (message == "second") {
                test->bus->pause(2);
            }
        },
        this));
    for (const char* text : {"first", "second", "third"}) {
        EXPECT_TRUE(bus->send(2, text, ""));
    }
    loop->run_once(0);
    EXPECT_EQ(received.size(), 1u);
    for (int i = 0; i < 10; i++) {
        loop->run_once(0);
    }
    EXPECT_EQ(received.size(), 2u);
    bus->resume(2);
    run(3);
    EXPECT_EQ(received, (std::vector<std::string>{"first", "second", "third"}));
}

TEST_F(BusTest, WaitingBlocksUntilSomethingHasCome) {
    EXPECT_FALSE(bus->wait(1, monotonic_now() + 10 * kMillisecond));
    EXPECT_TRUE(bus->send(1, "there", ""));
    EXPECT_TRUE(bus->wait(1, monotonic_now() + 10 * kSecond));
    EXPECT_EQ(received, std::vector<std::string>{"there"});
    EXPECT_FALSE(bus->wait(2, monotonic_now() + 10 * kSecond));  // it is not open here
}

TEST_F(BusTest, WhatALineWasSentBeforeIsForgotten) {
    EXPECT_TRUE(bus->send(1, "for the last owner", ""));
    bus->close();
    ASSERT_FALSE(bus->open(*loop, 1, &BusTest::take, this));
    EXPECT_TRUE(bus->send(1, "for this one", ""));
    run(1);
    EXPECT_EQ(received, std::vector<std::string>{"for this one"});
}

TEST_F(BusTest, AReaderIsToldWhatItTakesNext) {
    open_taking(kNoting);
    EXPECT_TRUE(bus->send(2, "small", " body"));
    EXPECT_TRUE(bus->send(2, "large", std::string(200'000, 'x')));
    EXPECT_TRUE(bus->send(2, std::string(300, 'h'), ""));
    run(3);
    ASSERT_EQ(received.size(), 3u);
    EXPECT_EQ(noted,
              (std::vector<std::string>{"small body", "large", std::string(Bus::kMostFront, 'h')}));
    EXPECT_EQ(bus->settle(2, os::own_pid()), "");  // it is taking nothing
}

TEST_F(BusTest, WhatAKilledReaderHasNotTakenIsForOthers) {
    for (const std::string& body : {std::string("small"), std::string(200'000, 'x')}) {
        received.clear();
        EXPECT_TRUE(bus->send(2, "front ", body));
        pid_t ended = reader_that_dies(kKilledBefore, &BusTest::take);
        open_taking(kNoting);
        loop->run_once(0);
        EXPECT_TRUE(received.empty());  // nobody knows yet whether it is still there
        EXPECT_EQ(bus->settle(2, ended + 1), "");
        EXPECT_TRUE(bus->settle(2, ended).starts_with("front "));
        EXPECT_EQ(bus->settle(2, ended), "");
        run(1);
        EXPECT_EQ(received, std::vector<std::string>{"front " + body});
        bus->close(2);
    }
}

TEST_F(BusTest, WhatAKilledReaderHasTakenIsGone) {
    EXPECT_TRUE(bus->send(2, "taken", ""));
    EXPECT_TRUE(bus->send(2, "not taken", ""));
    Bus::Taking taking = {[](void*, std::string_view) {}, [](void*) {}};
    pid_t ended = reader_that_dies(taking, [](void*, std::string_view) { (void)::raise(SIGKILL); });
    EXPECT_EQ(bus->settle(2, ended), "");
    open_taking(kNoting);
    run(1);
    EXPECT_EQ(received, std::vector<std::string>{"not taken"});
}

TEST_F(BusTest, WhatCannotBeReadIsTold) {
    open_taking(kNoting);
    EXPECT_TRUE(bus->send(2, "large", std::string(200'000, 'x')));
    EXPECT_TRUE(bus->send(2, "small", ""));
    rlimit before;
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    rlimit none = {0, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
    run(1);
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_EQ(received, std::vector<std::string>{"small"});
    EXPECT_EQ(noted, (std::vector<std::string>{"large", "failed", "small"}));
}

}  // namespace
}  // namespace stampede::proc
