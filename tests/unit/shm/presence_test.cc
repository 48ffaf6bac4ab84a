#include "shm/presence.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <random>

namespace stampede::shm {
namespace {

TEST(Presence, KnowsWhatIsOpen) {
    auto presence = std::move(*Presence::create(4, 100));
    EXPECT_EQ(presence->standing(1), Standing::kNone);
    presence->add(0, 1);
    presence->add(1, 6);
    EXPECT_EQ(presence->line_of(6), 1u);
    EXPECT_EQ(presence->standing(1), Standing::kOpen);
    presence->establish(1, 6);
    EXPECT_EQ(presence->standing(6), Standing::kEstablished);
    presence->remove(0, 1);
    EXPECT_EQ(presence->standing(1), Standing::kNone);
    EXPECT_EQ(presence->standing(0), Standing::kNone);
    EXPECT_EQ(presence->standing(-3), Standing::kNone);
    EXPECT_EQ(presence->all(), std::vector<int64_t>{6});
    presence->clear(1);
    EXPECT_TRUE(presence->all().empty());
}

TEST(Presence, FollowsAConnectionToTheLineThatTookItOver) {
    auto presence = std::move(*Presence::create(4, 100));
    Facts facts;
    facts.remote_port = 77;
    presence->add(1, 6, facts);
    EXPECT_EQ(presence->owner_of(6), 1u);
    presence->add(3, 6, facts);
    EXPECT_EQ(presence->owner_of(6), 1u);  // until it has left
    presence->remove(1, 6);
    EXPECT_EQ(presence->owner_of(6), 3u);
    Facts read;
    EXPECT_EQ(presence->standing(6, &read), Standing::kOpen);
    EXPECT_EQ(read.remote_port, 77);
    EXPECT_EQ(presence->all(), std::vector<int64_t>{6});
    presence->add(2, 6, facts);
    presence->remove(3, 6);
    EXPECT_EQ(presence->owner_of(6), 2u);
    presence->clear(2);
    EXPECT_EQ(presence->standing(6), Standing::kNone);
    EXPECT_EQ(presence->owner_of(6), 1u);
}

TEST(Presence, CountsWhatWaitsForAConnection) {
    auto presence = std::move(*Presence::create(2, 64));
    EXPECT_EQ(presence->backlog(1), 0);
    presence->note_on_way(0, 1, 10);  // of none
    presence->add(0, 1);
    EXPECT_EQ(presence->backlog(1), 0);
    presence->note_on_way(0, 1, 100);
    presence->publish_unsent(0, 1, 7);
    EXPECT_EQ(presence->backlog(1), 107);
    for (int64_t id = 3; id < 10'000; id += 2) {  // its table is built anew
        presence->add(0, id);
        presence->remove(0, id);
    }
    EXPECT_EQ(presence->backlog(1), 107);
    presence->note_on_way(0, 1, -100);
    EXPECT_EQ(presence->backlog(1), 7);
    presence->remove(0, 1);
    presence->add(0, 1);
    EXPECT_EQ(presence->backlog(1), 0);
}

TEST(Presence, ForgetsThoseThatGoOverAndOver) {
    auto presence = std::move(*Presence::create(1, 64));
    presence->add(0, 1);
    for (int64_t id = 2; id < 100'000; id++) {
        presence->add(0, id);
        ASSERT_EQ(presence->standing(id), Standing::kOpen) << id;
        ASSERT_EQ(presence->standing(1), Standing::kOpen) << id;
        presence->remove(0, id);
    }
    EXPECT_EQ(presence->all(), std::vector<int64_t>{1});
}

TEST(Presence, MoreThanThereIsRoomForAreUnknown) {
    auto presence = std::move(*Presence::create(1, 64));
    for (int64_t id = 1; id <= 1000; id++) {
        presence->add(0, id);
    }
    EXPECT_GE(presence->all().size(), 64u);
    EXPECT_EQ(presence->standing(1), Standing::kOpen);
    EXPECT_EQ(presence->standing(1000), Standing::kNone);
    for (int64_t id = 1; id <= 1000; id++) {
        presence->remove(0, id);
    }
    EXPECT_TRUE(presence->all().empty());
}

// Neighbours lie side by side, and entries become empty again as those beyond them go.
TEST(Presence, FindsThoseThatStayAmongThoseThatGo) {
    auto presence = std::move(*Presence::create(2, 200));
    std::mt19937_64 random(7);
    std::vector<int64_t> open;
    for (int64_t id = 1; id < 100'000; id += 2) {
        while (open.size() > random() % 190) {
            std::swap(open[random() % open.size()], open.back());
            presence->remove(0, open.back());
            ASSERT_EQ(presence->standing(open.back()), Standing::kNone);
            open.pop_back();
        }
        presence->add(0, id);
        open.push_back(id);
        for (int64_t there : open) {
            ASSERT_EQ(presence->standing(there), Standing::kOpen) << there;
        }
    }
    std::vector<int64_t> all = presence->all();
    std::ranges::sort(all);
    std::ranges::sort(open);
    EXPECT_EQ(all, open);
}

// Readers in another process, while the writer makes its table anew again and again.
TEST(Presence, IsReadWhileItChanges) {
    auto presence = std::move(*Presence::create(1, 64));
    presence->add(0, 7);
    pid_t reader = fork();
    ASSERT_GE(reader, 0);
    if (reader == 0) {
        for (int i = 0; i < 300'000; i++) {
            if (presence->standing(7) != Standing::kOpen) {
                _exit(1);
            }
        }
        _exit(0);
    }
    int status = -1;
    for (int64_t id = 8; waitpid(reader, &status, WNOHANG) == 0; id++) {
        presence->add(0, id);
        presence->remove(0, id);
    }
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace stampede::shm
