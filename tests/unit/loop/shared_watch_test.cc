#include "loop/shared_watch.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <utility>
#include <vector>

#include "loop/loop.h"
#include "os/fd.h"

namespace stampede::loop {
namespace {

struct Listening : Watch {
    std::vector<uint32_t> heard;
    void (*then)(Listening&) = nullptr;
    Loop* loop = nullptr;
    Listening* other = nullptr;

    Listening(int number, uint32_t wanted) {
        fd = number;
        interest = wanted;
        on_ready = [](Watch& base, uint32_t events) {
            auto& self = static_cast<Listening&>(base);
            self.heard.push_back(events);
            if (self.then != nullptr) {
                self.then(self);
            }
        };
    }
};

class SharedWatches : public testing::Test {
protected:
    void SetUp() override {
        loop = std::move(*Loop::create());
        ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    }
    void TearDown() override {
        os::close_fd(ends[0]);
        os::close_fd(ends[1]);
    }
    void send() { ASSERT_EQ(os::write_some(ends[1], "x", 1), 1); }

    std::unique_ptr<Loop> loop;
    int ends[2];
};

TEST_F(SharedWatches, EachHearsWhatItWants) {
    Listening reads(ends[0], kReadable | kEdge);
    Listening writes(ends[0], kWritable | kEdge);
    ASSERT_FALSE(loop->watch(reads));
    ASSERT_FALSE(loop->watch(writes));
    loop->run_once(kSecond);
    EXPECT_TRUE(reads.heard.empty());
    EXPECT_EQ(writes.heard, (std::vector<uint32_t>{kWritable}));
    send();
    loop->run_once(kSecond);
    EXPECT_EQ(reads.heard, (std::vector<uint32_t>{kReadable}));
    os::close_fd(std::exchange(ends[1], -1));
    loop->run_once(kSecond);
    EXPECT_NE(reads.heard.back() & kHangup, 0u);
    EXPECT_NE(writes.heard.back() & kHangup, 0u);
}

TEST_F(SharedWatches, OneThatIsToldOfAStateHearsUntilItIsOverAndTheLoopRests) {
    Listening by_change(ends[0], kReadable | kWritable | kEdge);
    Listening by_state(ends[0], kReadable);
    ASSERT_FALSE(loop->watch(by_change));
    ASSERT_FALSE(loop->watch(by_state));
    send();
    for (int i = 0; i < 3; i++) {
        loop->run_once(kSecond);
    }
    EXPECT_EQ(by_state.heard, (std::vector<uint32_t>{kReadable, kReadable, kReadable}));
    char byte;
    os::read_some(ends[0], &byte, 1);
    for (int i = 0; i < 3; i++) {
        loop->run_once(0);
    }
    size_t heard = by_change.heard.size();
    loop->run_once(10 * kMillisecond);
    EXPECT_EQ(by_change.heard.size(), heard);
    EXPECT_EQ(by_state.heard.size(), 3u);
}

TEST_F(SharedWatches, OneThatHearsOnceIsSilentUntilItIsArmed) {
    Listening once(ends[0], kReadable | kOnce);
    Listening always(ends[0], kReadable | kEdge);
    ASSERT_FALSE(loop->watch(always));
    ASSERT_FALSE(loop->watch(once));
    send();
    loop->run_once(kSecond);
    send();
    loop->run_once(kSecond);
    EXPECT_EQ(once.heard.size(), 1u);
    EXPECT_EQ(always.heard.size(), 2u);
    ASSERT_FALSE(loop->rearm(once));
    loop->run_once(kSecond);
    EXPECT_EQ(once.heard.size(), 2u);
}

TEST_F(SharedWatches, WhatIsLeftHearsOn) {
    Listening first(ends[0], kReadable | kEdge);
    Listening second(ends[0], kReadable | kEdge);
    Listening third(ends[0], kReadable | kEdge);
    for (Listening* watch : {&first, &second, &third}) {
        ASSERT_FALSE(loop->watch(*watch));
    }
    loop->unwatch(second);
    send();
    loop->run_once(kSecond);
    EXPECT_EQ(first.heard.size(), 1u);
    EXPECT_EQ(second.heard.size(), 0u);
    EXPECT_EQ(third.heard.size(), 1u);
    loop->unwatch(first);
    loop->unwatch(third);
    send();
    loop->run_once(0);
    EXPECT_EQ(first.heard.size() + third.heard.size(), 2u);
    ASSERT_FALSE(loop->watch(second));  // alone again
    loop->run_once(kSecond);
    EXPECT_EQ(second.heard.size(), 1u);
}

TEST_F(SharedWatches, OneMayRemoveAnotherWhileTheyAreTold) {
    Listening first(ends[0], kReadable | kEdge);
    Listening second(ends[0], kReadable | kEdge);
    first.loop = second.loop = loop.get();
    first.other = &second;
    second.other = &first;
    first.then = second.then = [](Listening& self) {
        if (self.other != nullptr) {
            self.loop->unwatch(*std::exchange(self.other, nullptr));
        }
    };
    ASSERT_FALSE(loop->watch(first));
    ASSERT_FALSE(loop->watch(second));
    send();
    loop->run_once(kSecond);
    EXPECT_EQ(first.heard.size(), 1u);
    EXPECT_TRUE(second.heard.empty());
    send();
    loop->run_once(kSecond);
    EXPECT_EQ(first.heard.size(), 2u);
}

TEST_F(SharedWatches, ANumberWhoseCloseWasMissedIsTheNewOwnersAlone) {
    Listening old(ends[0], kReadable | kEdge);
    ASSERT_FALSE(loop->watch(old));
    int next[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, next), 0);
    ASSERT_EQ(dup2(next[0], ends[0]), ends[0]);  // closes it
    Listening now(ends[0], kReadable | kEdge);
    ASSERT_FALSE(loop->watch(now));
    os::write_some(next[1], "x", 1);
    loop->run_once(kSecond);
    EXPECT_TRUE(old.heard.empty());
    EXPECT_EQ(now.heard.size(), 1u);
    EXPECT_TRUE(loop->rearm(old).is_system(ENOENT));
    loop->forget(old);
    os::write_some(next[1], "x", 1);
    loop->run_once(kSecond);
    EXPECT_EQ(now.heard.size(), 2u);
    os::close_fd(next[0]);
    os::close_fd(next[1]);
}

TEST_F(SharedWatches, OneThatWasFreedWithItsDescriptorIsNotLookedAt) {
    auto old = std::make_unique<Listening>(ends[0], kReadable | kEdge);
    ASSERT_FALSE(loop->watch(*old));
    int next[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, next), 0);
    ASSERT_EQ(dup2(next[0], ends[0]), ends[0]);  // closes it
    old.reset();
    Listening now(ends[0], kReadable | kEdge);
    ASSERT_FALSE(loop->watch(now));
    os::write_some(next[1], "x", 1);
    loop->run_once(kSecond);
    EXPECT_EQ(now.heard.size(), 1u);
    loop->unwatch(now);
    os::close_fd(next[0]);
    os::close_fd(next[1]);
}

TEST_F(SharedWatches, ManyCostOneEntry) {
    std::vector<std::unique_ptr<Listening>> all;
    for (int i = 0; i < 100; i++) {
        all.push_back(std::make_unique<Listening>(ends[0], kReadable | kEdge));
        ASSERT_FALSE(loop->watch(*all.back()));
    }
    send();
    loop->run_once(kSecond);
    for (auto& one : all) {
        EXPECT_EQ(one->heard.size(), 1u);
        loop->unwatch(*one);
    }
    EXPECT_EQ(loop->watch_count(), 0);
}

}  // namespace
}  // namespace stampede::loop
