#include "shm/shared_lock.h"

#include <gtest/gtest.h>

#include <csignal>

#include "os/process.h"
#include "unit/shm/stepped_child.h"

namespace stampede::shm {
namespace {

using Mode = SharedLock::Mode;

constexpr pid_t kNobody = 1;  // a process that lives: the first

TEST(SharedLock, OneWriterOrManyReaders) {
    SharedLock lock = std::move(*SharedLock::create());
    pid_t self = os::own_pid();
    EXPECT_TRUE(lock.try_lock(Mode::kShared, self));
    EXPECT_TRUE(lock.try_lock(Mode::kShared, kNobody));
    EXPECT_FALSE(lock.try_lock(Mode::kExclusive, self));
    EXPECT_TRUE(lock.unlock(self));
    EXPECT_FALSE(lock.unlock(self));
    EXPECT_FALSE(lock.try_lock(Mode::kExclusive, self));
    EXPECT_TRUE(lock.unlock(kNobody));
    EXPECT_TRUE(lock.try_lock(Mode::kExclusive, self));
    EXPECT_FALSE(lock.try_lock(Mode::kExclusive, kNobody));
    EXPECT_FALSE(lock.try_lock(Mode::kShared, kNobody));
    EXPECT_FALSE(lock.unlock(kNobody));
    EXPECT_TRUE(lock.unlock(self));
}

TEST(SharedLock, TheDeadGiveItUpAlsoBeforeTheyAreReaped) {
    for (Mode mode : {Mode::kExclusive, Mode::kShared}) {
        SharedLock lock = std::move(*SharedLock::create());
        Result<pid_t> child = os::fork_process();
        ASSERT_TRUE(child);
        if (*child == 0) {
            lock.try_lock(mode, os::own_pid());
            os::die_by_signal(SIGKILL);
        }
        while (!os::process_has_ended(*child)) {
        }
        EXPECT_TRUE(lock.try_lock(Mode::kExclusive, os::own_pid()));
        while (os::reap_child().pid == 0) {
        }
    }
}

TEST(SharedLock, AChangeEndsTheWait) {
    SharedLock lock = std::move(*SharedLock::create());
    ASSERT_TRUE(lock.try_lock(Mode::kExclusive, os::own_pid()));
    std::atomic<uint32_t>& changes = lock.begin_wait();
    uint32_t seen = changes.load();
    Result<pid_t> child = os::fork_process();
    ASSERT_TRUE(child);
    if (*child == 0) {
        os::futex_wait(changes, seen, 20 * kSecond);
        os::exit_now(changes.load() != seen ? 0 : 1);
    }
    EXPECT_TRUE(lock.unlock(os::own_pid()));
    os::ChildExit end;
    while ((end = os::reap_child()).pid == 0) {
    }
    EXPECT_EQ(end.code, 0);
}

pid_t ended_process() {
    Result<pid_t> child = os::fork_process();
    if (child && *child == 0) {
        os::exit_now(0);
    }
    while (os::reap_child().pid == 0) {
    }
    return *child;
}

// A lock that two processes share, the second of which lives. Another one is killed in the middle
// of work(lock), which takes the place of the first away: the living one must still be there, and
// only once. False when it has ended before.
template <typename Work>
bool kill_beside_holder(pid_t first, int changes, Work work) {
    SharedMappings mappings;
    SharedLock lock = std::move(*SharedLock::create());
    lock.try_lock(Mode::kShared, first);
    lock.try_lock(Mode::kShared, kNobody);
    bool was_killed = kill_after_changes(mappings.made_since(), changes, [&] { work(lock); });
    EXPECT_FALSE(lock.try_lock(Mode::kExclusive, os::own_pid()));
    EXPECT_TRUE(lock.unlock(kNobody));
    EXPECT_FALSE(lock.unlock(kNobody));
    lock.unlock(first);
    EXPECT_TRUE(lock.try_lock(Mode::kExclusive, os::own_pid()));
    return was_killed;
}

template <typename Kill>
void kill_after_each_change(Kill kill_after) {
    int changes = 1;
    while (kill_after(changes) && !testing::Test::HasFailure()) {
        changes++;
    }
    EXPECT_GT(changes, 3);
    ASSERT_FALSE(testing::Test::HasFailure()) << "change " << changes;
}

TEST(SharedLock, AProcessThatIsKilledWhileItGivesUpTakesNobodyAlong) {
    pid_t self = os::own_pid();
    kill_after_each_change([&](int changes) {
        return kill_beside_holder(self, changes, [&](SharedLock& lock) { lock.unlock(self); });
    });
}

TEST(SharedLock, AProcessThatIsKilledWhileItForgetsTheDeadTakesNobodyAlong) {
    pid_t dead = ended_process();
    kill_after_each_change([&](int changes) {
        return kill_beside_holder(dead, changes, [](SharedLock& lock) {
            lock.try_lock(Mode::kExclusive, os::own_pid());
        });
    });
}

TEST(SharedLock, AProcessThatIsKilledWhileItTakesTheLockLeavesItFree) {
    kill_after_each_change([](int changes) {
        SharedMappings mappings;
        SharedLock lock = std::move(*SharedLock::create());
        lock.try_lock(Mode::kShared, kNobody);  // the place holds a living process's number
        lock.unlock(kNobody);
        bool was_killed = kill_after_changes(mappings.made_since(), changes,
                                             [&] { lock.try_lock(Mode::kShared, os::own_pid()); });
        EXPECT_TRUE(lock.try_lock(Mode::kExclusive, os::own_pid()));
        return was_killed;
    });
}

}  // namespace
}  // namespace stampede::shm
