#include "loop/loop.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "os/fd.h"
#include "os/process.h"

namespace stampede::loop {
namespace {

struct Note : Task {
    std::vector<int>* order;
    int number;
};

void note(Task& task) {
    auto& self = static_cast<Note&>(task);
    self.order->push_back(self.number);
}

struct PipeWatch : Watch {
    std::vector<uint32_t> seen;
    Loop* loop = nullptr;
    Watch* to_remove = nullptr;
};

PipeWatch watch_on(int fd, uint32_t interest) {
    PipeWatch watch;
    watch.fd = fd;
    watch.interest = interest;
    watch.on_ready = [](Watch& base, uint32_t events) {
        auto& self = static_cast<PipeWatch&>(base);
        self.seen.push_back(events);
        if (self.to_remove != nullptr) {
            self.loop->unwatch(*self.to_remove);
            self.to_remove = nullptr;
        }
    };
    return watch;
}

TEST(Loop, TasksRunInOrderAndOnesQueuedMeanwhileRunLater) {
    auto loop = std::move(*Loop::create());
    std::vector<int> order;
    Note second{{}, &order, 2};
    second.run = note;
    struct First : Note {
        Loop* loop;
        Note* other;
    } first;
    first.order = &order;
    first.loop = loop.get();
    first.other = &second;
    first.run = [](Task& task) {
        auto& self = static_cast<First&>(task);
        self.order->push_back(1);
        self.loop->enqueue(*self.other);
    };
    loop->enqueue(first);
    loop->run_once(0);
    EXPECT_EQ(order, std::vector<int>{1});
    loop->run_once(0);
    EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST(Loop, AWatchRemovedByAnEventOfTheSameBatchIsNotCalled) {
    auto loop = std::move(*Loop::create());
    int ends[2][2];
    ASSERT_FALSE(os::open_pipe(ends[0]));
    ASSERT_FALSE(os::open_pipe(ends[1]));
    PipeWatch first = watch_on(ends[0][0], kReadable);
    PipeWatch second = watch_on(ends[1][0], kReadable);
    first.loop = second.loop = loop.get();
    first.to_remove = &second;
    second.to_remove = &first;
    ASSERT_FALSE(loop->watch(first));
    ASSERT_FALSE(loop->watch(second));
    os::write_some(ends[0][1], "x", 1);
    os::write_some(ends[1][1], "x", 1);
    loop->run_once(kSecond);
    EXPECT_EQ(first.seen.size() + second.seen.size(), 1u);
    loop->unwatch(first.seen.empty() ? second : first);
    for (auto& pair : ends) {
        os::close_fd(pair[0]);
        os::close_fd(pair[1]);
    }
}

TEST(Loop, InterestDecidesWhatIsReported) {
    auto loop = std::move(*Loop::create());
    int ends[2];
    ASSERT_FALSE(os::open_pipe(ends));
    PipeWatch watch = watch_on(ends[0], 0);
    ASSERT_FALSE(loop->watch(watch));
    os::write_some(ends[1], "x", 1);
    loop->run_once(0);
    EXPECT_TRUE(watch.seen.empty());
    ASSERT_FALSE(loop->set_interest(watch, kReadable));
    loop->run_once(kSecond);
    ASSERT_EQ(watch.seen.size(), 1u);
    EXPECT_EQ(watch.seen[0], kReadable);
    os::close_fd(ends[1]);
    char byte;
    os::read_some(ends[0], &byte, 1);
    ASSERT_FALSE(loop->set_interest(watch, 0));
    loop->run_once(kSecond);
    ASSERT_EQ(watch.seen.size(), 2u);
    EXPECT_EQ(watch.seen[1], kHangup);  // reported whatever the interest
    loop->unwatch(watch);
    os::close_fd(ends[0]);
}

// A copy of a closed descriptor, in a child before exec(), keeps its entry in the kernel's set.
TEST(Loop, AForgottenWatchHearsNothingOfACopyNorDoesTheNextOwnerOfTheNumber) {
    auto loop = std::move(*Loop::create());
    int ends[2];
    ASSERT_FALSE(os::open_pipe(ends));
    os::Fd copy(*os::duplicate(ends[0]));
    PipeWatch first = watch_on(ends[0], kReadable | kEdge);
    ASSERT_FALSE(loop->watch(first));
    loop->forget(first);
    os::close_fd(ends[0]);
    os::write_some(ends[1], "x", 1);
    loop->run_once(0);
    EXPECT_TRUE(first.seen.empty());

    int next[2];
    ASSERT_FALSE(os::open_pipe(next));
    ASSERT_EQ(next[0], ends[0]);
    PipeWatch second = watch_on(next[0], kReadable | kEdge);
    ASSERT_FALSE(loop->watch(second));
    os::write_some(ends[1], "x", 1);
    loop->run_once(0);
    EXPECT_TRUE(first.seen.empty());
    EXPECT_TRUE(second.seen.empty());
    os::write_some(next[1], "x", 1);
    loop->run_once(kSecond);
    EXPECT_EQ(second.seen, (std::vector<uint32_t>{kReadable}));
    loop->unwatch(second);
    for (int fd : {ends[1], next[0], next[1]}) {
        os::close_fd(fd);
    }
}

struct CountingPost : Post {
    std::vector<int>* order;
    int number;
};

// The child's loop has the watches that it had before the fork, and what it adds or removes does
// not reach the parent's.
TEST(Loop, AChildThatPartsHasASetOfItsOwn) {
    auto loop = std::move(*Loop::create());
    int ends[2];
    ASSERT_FALSE(os::open_pipe(ends));
    PipeWatch watch = watch_on(ends[0], kReadable);
    ASSERT_FALSE(loop->watch(watch));
    pid_t child = fork();
    if (child == 0) {
        bool parted = !loop->part();
        os::write_some(ends[1], "x", 1);
        loop->run_once(kSecond);
        bool heard = watch.seen.size() == 1;
        loop->unwatch(watch);
        _exit(parted && heard ? 0 : 1);
    }
    EXPECT_EQ(os::block_until_ended(child).code, 0);
    loop->run_once(kSecond);
    EXPECT_EQ(watch.seen.size(), 1u);  // still watched here, and the byte is there
    os::close_fd(ends[0]);
    os::close_fd(ends[1]);
}

TEST(Loop, PostsOfAThreadWakeTheLoopAndKeepTheirOrder) {
    auto loop = std::move(*Loop::create());
    std::vector<int> order;
    std::vector<CountingPost> posts(100);
    loop->announce_jobs(1);
    EXPECT_TRUE(loop->has_work());
    std::thread poster([&] {
        for (int i = 0; i < 100; i++) {
            posts[static_cast<size_t>(i)].order = &order;
            posts[static_cast<size_t>(i)].number = i;
            posts[static_cast<size_t>(i)].run = [](Post& post) {
                auto& self = static_cast<CountingPost&>(post);
                self.order->push_back(self.number);
            };
            loop->post(posts[static_cast<size_t>(i)]);
        }
    });
    while (order.size() < 100) {
        loop->run_once(kSecond);
    }
    poster.join();
    loop->announce_jobs(-1);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
    EXPECT_FALSE(loop->has_work());
}

TEST(Loop, ATimerEndsTheWait) {
    auto loop = std::move(*Loop::create());
    struct Flag : Timer {
        bool fired = false;
    } timer;
    timer.on_fire = [](Timer& base) { static_cast<Flag&>(base).fired = true; };
    Nanos start = monotonic_now();
    loop->arm(timer, 20 * kMillisecond);
    while (!timer.fired && monotonic_now() < start + 5 * kSecond) {
        loop->run_once(kNever);
    }
    EXPECT_GE(monotonic_now() - start, 20 * kMillisecond);
    EXPECT_TRUE(timer.fired);
}

}  // namespace
}  // namespace stampede::loop
