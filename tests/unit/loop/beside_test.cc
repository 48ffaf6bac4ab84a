// Waiting in place, beside what the loop waits for.
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <functional>

#include "loop/loop.h"

namespace stampede::loop {
namespace {

struct Pipe {
    int ends[2] = {-1, -1};
    Pipe() { EXPECT_EQ(::pipe(ends), 0); }
    ~Pipe() {
        ::close(ends[0]);
        ::close(ends[1]);
    }
    void write() { EXPECT_EQ(::write(ends[1], "x", 1), 1); }
};

struct Work : Task {
    std::function<void()> job;
    explicit Work(std::function<void()> what) : job(std::move(what)) {
        run = [](Task& self) { static_cast<Work&>(self).job(); };
    }
};

struct Alarm : Timer {
    Alarm() {
        on_fire = [](Timer&) {};
    }
};

class WaitBeside : public testing::Test {
protected:
    WaitBeside() : loop(std::move(*Loop::create())) {}

    // For a task of the loop.
    Beside wait_now(Nanos max_wait) {
        events = POLLIN;
        return loop->may_wait_beside() ? loop->wait_beside(wanted.ends[0], events, max_wait)
                                       : Beside::kBusy;
    }

    Beside wait(Nanos max_wait) {
        Beside result = Beside::kBusy;
        Work work([&] { result = wait_now(max_wait); });
        loop->enqueue(work);
        loop->run_once(0);
        return result;
    }

    std::unique_ptr<Loop> loop;
    Pipe wanted;
    short events = 0;
};

TEST_F(WaitBeside, IsReadyWithWhatCame) {
    wanted.write();
    EXPECT_EQ(wait(kNever), Beside::kReady);
    EXPECT_EQ(events, POLLIN);
}

TEST_F(WaitBeside, EndsWithTheTime) {
    Nanos start = monotonic_now();
    EXPECT_EQ(wait(20 * kMillisecond), Beside::kBusy);
    EXPECT_GE(monotonic_now() - start, 20 * kMillisecond);
}

TEST_F(WaitBeside, EndsWithTheNextTimer) {
    Alarm alarm;
    loop->arm(alarm, 20 * kMillisecond);
    EXPECT_EQ(wait(kNever), Beside::kBusy);
    loop->disarm(alarm);
}

TEST_F(WaitBeside, EndsWhenTheLoopHasAnEvent) {
    Pipe other;
    Watch watch;
    watch.fd = other.ends[0];
    watch.interest = kReadable;
    int calls = 0;
    static int* counter;
    counter = &calls;
    watch.on_ready = [](Watch&, uint32_t) { ++*counter; };
    ASSERT_FALSE(loop->watch(watch));
    // It comes while the task waits: before, the turn would have dispatched it.
    Beside result = Beside::kReady;
    Work work([&] {
        other.write();
        result = wait_now(kNever);
    });
    loop->enqueue(work);
    loop->run_once(0);
    EXPECT_EQ(result, Beside::kBusy);
    EXPECT_EQ(calls, 0);
    loop->run_once(0);
    EXPECT_EQ(calls, 1);
    loop->unwatch(watch);
}

TEST_F(WaitBeside, IsRefusedWhileOtherTasksAreReady) {
    Beside result = Beside::kReady;
    Work second([] {});
    Work first([&] {
        loop->enqueue(second);
        result = wait_now(kNever);
    });
    loop->enqueue(first);
    loop->run_once(0);
    EXPECT_EQ(result, Beside::kBusy);
    loop->run_once(0);
}

TEST_F(WaitBeside, IsRefusedBeforeTheLastTask) {
    Beside result = Beside::kReady;
    Work first([&] { result = wait_now(kNever); });
    Work second([] {});
    loop->enqueue(first);
    loop->enqueue(second);
    loop->run_once(0);
    EXPECT_EQ(result, Beside::kBusy);
}

TEST_F(WaitBeside, IsRefusedWhenTheEndOfTheTurnIsNeeded) {
    IterationHook hook;
    hook.run = [](IterationHook&) {};
    loop->add_end_of_iteration(hook);
    EXPECT_EQ(wait(kNever), Beside::kBusy);
    hook.needed = [](IterationHook&) { return false; };
    wanted.write();
    EXPECT_EQ(wait(kNever), Beside::kReady);
    hook.unlink();
}

TEST_F(WaitBeside, ABusyLoopIsNotAskedEachTime) {
    Alarm alarm;
    loop->arm(alarm, 0);
    for (int i = 0; i < 8; i++) {
        EXPECT_EQ(wait(kMillisecond), Beside::kBusy);
    }
    wanted.write();
    EXPECT_EQ(wait(kNever), Beside::kBusy);
}

}  // namespace
}  // namespace stampede::loop
