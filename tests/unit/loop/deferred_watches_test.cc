// Watches that are asked before the poller is told of them.
#include "loop/deferred_watches.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <vector>

#include "loop/loop.h"
#include "os/fd.h"

namespace stampede::loop {
namespace {

// Notes what it is told and never has an event.
class NotingPoller final : public Poller {
public:
    std::vector<Watch*> watches;
    std::vector<Nanos> waits;
    int modified = 0;
    int removed = 0;
    bool refuses = false;

    Error add(Watch& watch) override {
        watches.push_back(&watch);
        return refuses ? Error::system(EEXIST) : Error();
    }
    Error modify(Watch&) override {
        modified++;
        return Error();
    }
    void remove(Watch&) override { removed++; }
    int wait(Ready*, int, Nanos timeout) override {
        waits.push_back(timeout);
        return 0;
    }
    void abandon() override {}
};

struct PipeWatch : Watch {
    int ends[2] = {-1, -1};
    std::vector<uint32_t> seen;
    Loop* loop = nullptr;
    Watch* to_remove = nullptr;

    explicit PipeWatch(uint32_t wanted) {
        EXPECT_FALSE(os::open_pipe(ends));
        fd = ends[0];
        interest = wanted;
        on_ready = [](Watch& base, uint32_t events) {
            auto& self = static_cast<PipeWatch&>(base);
            self.seen.push_back(events);
            if (self.to_remove != nullptr) {
                self.loop->unwatch(*self.to_remove);
            }
        };
    }
    ~PipeWatch() {
        os::close_fd(ends[0]);
        os::close_fd(ends[1]);
    }
    PipeWatch(const PipeWatch&) = delete;
    PipeWatch& operator=(const PipeWatch&) = delete;

    void write() { EXPECT_EQ(::write(ends[1], "x", 1), 1); }
};

class NewcomersTest : public testing::Test {
protected:
    NewcomersTest() {
        auto owned = std::make_unique<NotingPoller>();
        poller = owned.get();
        loop = std::move(*Loop::create(std::move(owned)));
        poller->watches.clear();  // the loop's own
    }

    PipeWatch& add(uint32_t interest = kReadable | kEdge | kAskFirst) {
        PipeWatch& watch = pipes.emplace_back(interest);
        EXPECT_FALSE(loop->watch(watch));
        return watch;
    }
    void add_ready(int count) {
        for (int i = 0; i < count; i++) {
            add().write();
        }
    }
    bool is_told_of(const Watch& watch) const {
        return std::count(poller->watches.begin(), poller->watches.end(), &watch) == 1;
    }

    NotingPoller* poller;
    std::deque<PipeWatch> pipes;
    std::unique_ptr<Loop> loop;
};

const std::vector<uint32_t> kRead = {kReadable | kAskFirst};

TEST_F(NewcomersTest, WhatIsReadyIsNeverWatched) {
    add_ready(4);
    EXPECT_EQ(loop->watch_count(), 4);
    loop->run_once(kNever);
    EXPECT_TRUE(poller->watches.empty());
    EXPECT_EQ(loop->watch_count(), 0);
    EXPECT_EQ(poller->waits, std::vector<Nanos>{0});
    for (PipeWatch& pipe : pipes) {
        EXPECT_EQ(pipe.seen, kRead);
    }
}

TEST_F(NewcomersTest, ThePollerIsToldOfTheOthersBeforeItWaits) {
    PipeWatch& silent = add();
    add_ready(3);
    loop->run_once(kNever);
    EXPECT_TRUE(is_told_of(silent));
    EXPECT_EQ(poller->watches.size(), 1u);
    EXPECT_TRUE(silent.seen.empty());
    EXPECT_EQ(loop->watch_count(), 1);
    silent.write();
    loop->run_once(kNever);
    EXPECT_TRUE(silent.seen.empty());  // the poller has it now
    EXPECT_EQ(poller->waits.back(), kNever);
}

TEST_F(NewcomersTest, TheEndOfAPeerIsTold) {
    for (int i = 0; i < 4; i++) {
        PipeWatch& watch = add();
        os::close_fd(watch.ends[1]);
        watch.ends[1] = -1;
    }
    loop->run_once(kNever);
    EXPECT_EQ(pipes.front().seen, std::vector<uint32_t>{kHangup | kAskFirst});
}

TEST_F(NewcomersTest, FewAreNotAsked) {
    add_ready(1);
    loop->run_once(0);
    EXPECT_TRUE(is_told_of(pipes.front()));
    EXPECT_TRUE(pipes.front().seen.empty());
}

TEST_F(NewcomersTest, OneThatIsRemovedIsNotAsked) {
    add_ready(5);
    loop->unwatch(pipes[2]);
    EXPECT_EQ(poller->removed, 0);
    loop->run_once(0);
    EXPECT_TRUE(pipes[2].seen.empty());
    EXPECT_EQ(pipes[1].seen, kRead);
    EXPECT_EQ(pipes[3].seen, kRead);
    EXPECT_EQ(loop->watch_count(), 0);
}

TEST_F(NewcomersTest, OneThatIsRemovedByAnotherOfTheSameTurnIsNotCalled) {
    add_ready(4);
    pipes[0].loop = loop.get();
    pipes[0].to_remove = &pipes[1];
    loop->run_once(0);
    EXPECT_TRUE(pipes[1].seen.empty());
    EXPECT_EQ(loop->watch_count(), 0);
}

TEST_F(NewcomersTest, AnotherInterestIsThePollers) {
    add_ready(4);
    ASSERT_FALSE(loop->set_interest(pipes[0], kWritable));
    pipes[1].interest = kOnce;
    ASSERT_FALSE(loop->rearm(pipes[1]));
    EXPECT_EQ(poller->modified, 0);
    EXPECT_TRUE(is_told_of(pipes[0]));
    EXPECT_TRUE(is_told_of(pipes[1]));
    loop->run_once(0);
    EXPECT_TRUE(pipes[0].seen.empty());
    EXPECT_EQ(loop->watch_count(), 4);
}

TEST_F(NewcomersTest, OneThatCannotBeWatchedIsTold) {
    PipeWatch& silent = add();
    poller->refuses = true;
    loop->run_once(kNever);
    EXPECT_EQ(silent.seen, std::vector<uint32_t>{kAskFirst});
    EXPECT_EQ(loop->watch_count(), 0);
}

TEST_F(NewcomersTest, WhereThereIsNoRoomThePollerIsToldAtOnce) {
    for (int i = 0; i < DeferredWatches::kMost + 1; i++) {
        add();
    }
    EXPECT_EQ(poller->watches, std::vector<Watch*>{&pipes.back()});
    EXPECT_EQ(loop->watch_count(), DeferredWatches::kMost + 1);
}

TEST_F(NewcomersTest, AChildAsksNone) {
    add_ready(4);
    loop->abandon();
    loop->run_once(0);
    EXPECT_TRUE(pipes.front().seen.empty());
}

TEST(DeferredWatches, AreNotForgottenByAWaitBesideTheLoop) {
    auto loop = std::move(*Loop::create());
    PipeWatch newcomer(kReadable | kAskFirst);
    ASSERT_FALSE(loop->watch(newcomer));
    struct Look : Task {
        Loop* loop;
        bool may_wait = true;
    } look;
    look.loop = loop.get();
    look.run = [](Task& task) {
        auto& self = static_cast<Look&>(task);
        self.may_wait = self.loop->may_wait_beside();
    };
    PipeWatch other(kReadable | kAskFirst);
    loop->run_once(0);
    loop->enqueue(look);
    loop->run_once(0);
    EXPECT_TRUE(look.may_wait);
    struct Come : Look {
        Watch* other;
    } come;
    come.loop = loop.get();
    come.other = &other;
    come.run = [](Task& task) {
        auto& self = static_cast<Come&>(task);
        EXPECT_FALSE(self.loop->watch(*self.other));
        self.may_wait = self.loop->may_wait_beside();
    };
    loop->enqueue(come);
    loop->run_once(0);
    EXPECT_FALSE(come.may_wait);
    loop->unwatch(newcomer);
    loop->unwatch(other);
}

}  // namespace
}  // namespace stampede::loop
