#include "shm/claim.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utility>
#include <vector>

namespace stampede::shm {
namespace {

class ClaimTest : public ::testing::Test {
protected:
    os::Fd file;
    ClaimTaker taker = *ClaimTaker::create(file);
    ClaimSender sender = std::move(*ClaimSender::map(file.get()));
};

TEST_F(ClaimTest, TheTakerTakesARequestOnce) {
    uint64_t number = sender.offer();
    EXPECT_TRUE(taker.take(number));
    EXPECT_FALSE(taker.take(number));
    EXPECT_FALSE(sender.withdraw(number));
}

TEST_F(ClaimTest, ARequestThatWasWithdrawnIsNotTaken) {
    uint64_t number = sender.offer();
    EXPECT_TRUE(sender.withdraw(number));
    EXPECT_FALSE(sender.withdraw(number));
    EXPECT_FALSE(taker.take(number));
}

TEST_F(ClaimTest, AFewRequestsCanBeOpen) {
    std::vector<uint64_t> numbers;
    for (size_t i = 0; i < ClaimSender::kMost; i++) {
        numbers.push_back(sender.offer());
    }
    EXPECT_EQ(sender.offer(), 0u);
    EXPECT_TRUE(sender.withdraw(numbers[3]));
    EXPECT_NE(sender.offer(), 0u);
    EXPECT_EQ(sender.offer(), 0u);
    EXPECT_TRUE(taker.take(numbers[5]));
    EXPECT_NE(sender.offer(), 0u);
    EXPECT_FALSE(taker.take(numbers[3]));
    EXPECT_TRUE(taker.take(numbers[0]));
}

TEST_F(ClaimTest, TwoRequestsAreApart) {
    uint64_t first = sender.offer();
    uint64_t second = sender.offer();
    EXPECT_TRUE(taker.take(first));
    EXPECT_TRUE(sender.withdraw(second));
    uint64_t third = sender.offer();
    EXPECT_FALSE(taker.take(second));
    EXPECT_TRUE(taker.take(third));
}

TEST_F(ClaimTest, TheFirstStaysOpenWhileOthersAreWithdrawn) {
    uint64_t first = sender.offer();
    for (int i = 0; i < 10; i++) {
        EXPECT_TRUE(sender.withdraw(sender.offer()));
    }
    uint64_t last = sender.offer();
    EXPECT_TRUE(taker.take(first));
    EXPECT_TRUE(sender.withdraw(last));
}

TEST_F(ClaimTest, NumbersThatWereNotOfferedAreNotTaken) {
    EXPECT_FALSE(taker.take(2));
    EXPECT_FALSE(taker.take(3));
    EXPECT_FALSE(sender.withdraw(2));
    EXPECT_FALSE(taker.take(sender.offer() + ClaimSender::kMost));
}

// Each process adds up what it has of the same requests.
TEST_F(ClaimTest, ARequestBelongsToOneOfTwoProcesses) {
    constexpr uint64_t kRequests = 20000;
    int numbers[2];
    int taken[2];
    ASSERT_EQ(pipe(numbers), 0);
    ASSERT_EQ(pipe(taken), 0);
    pid_t child = fork();
    if (child == 0) {
        close(numbers[1]);
        uint64_t number = 0;
        uint64_t count = 0;
        while (read(numbers[0], &number, sizeof(number)) == sizeof(number)) {
            count += taker.take(number) ? 1 : 0;
        }
        _exit(write(taken[1], &count, sizeof(count)) == sizeof(count) ? 0 : 1);
    }
    close(numbers[0]);
    uint64_t withdrawn = 0;
    for (uint64_t i = 0; i < kRequests; i++) {
        uint64_t number = sender.offer();
        ASSERT_EQ(write(numbers[1], &number, sizeof(number)), ssize_t{sizeof(number)});
        for (uint64_t spin = i % 512; spin > 0; spin--) {
            asm volatile("");
        }
        withdrawn += sender.withdraw(number) ? 1 : 0;
    }
    close(numbers[1]);
    uint64_t count = 0;
    ASSERT_EQ(read(taken[0], &count, sizeof(count)), ssize_t{sizeof(count)});
    EXPECT_EQ(count + withdrawn, kRequests);
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    close(taken[0]);
    close(taken[1]);
}

TEST(Claim, AShortFileIsRefused) {
    os::Fd file;
    ASSERT_TRUE(os::SharedMemory::create(8, file));
    EXPECT_FALSE(ClaimSender::map(file.get()));
}

}  // namespace
}  // namespace stampede::shm
