#include "shm/shared_lock.h"

#include <gtest/gtest.h>

#include <csignal>

#include "os/process.h"

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
    uint32_t seen = lock.changes();
    Result<pid_t> child = os::fork_process();
    ASSERT_TRUE(child);
    if (*child == 0) {
        lock.wait_for_change(seen, 20 * kSecond);
        os::exit_now(lock.changes() != seen ? 0 : 1);
    }
    EXPECT_TRUE(lock.unlock(os::own_pid()));
    os::ChildExit end;
    while ((end = os::reap_child()).pid == 0) {
    }
    EXPECT_EQ(end.code, 0);
}

}  // namespace
}  // namespace stampede::shm
