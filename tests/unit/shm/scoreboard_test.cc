#include "shm/scoreboard.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "os/process.h"

namespace stampede::shm {
namespace {

TEST(Scoreboard, CountersOfAChildAreSeenByTheParent) {
    auto board = std::move(*Scoreboard::create(2));
    Result<pid_t> child = os::fork_process();
    ASSERT_TRUE(child);
    if (*child == 0) {
        board->line(1).requests.add(41);
        board->line(1).requests.add(1);
        os::exit_now(0);
    }
    while (os::reap_child().pid == 0) {
    }
    board->line(0).requests.add(8);
    EXPECT_EQ(board->total(&WorkerLine::requests), 50u);
    board->line(0).connections.set(5);
    board->line(0).connections.sub(2);
    EXPECT_EQ(board->line(0).connections.get(), 3u);
    board->bury(0);
    EXPECT_EQ(board->line(0).connections.get(), 0u);
    EXPECT_EQ(board->line(0).closed.get(), 3u);
    EXPECT_EQ(board->line(0).requests.get(), 8u);
}

TEST(InFlightList, TextsAreCutAndPlacesReused) {
    auto board = std::move(*Scoreboard::create(1));
    InFlightList list(board->line(0));
    std::string target(500, 't');
    uint16_t place = list.begin("GET", target, 7, 1);
    const InFlight& entry = board->line(0).in_flight[place];
    EXPECT_EQ(std::string(entry.text, entry.length), "GET " + std::string(90, 't'));
    EXPECT_EQ(entry.connection_id, 7);
    list.end(place);
    EXPECT_EQ(list.begin("GET", "/", 1, 1), place);
    std::vector<uint16_t> rest;
    for (uint32_t i = 1; i < WorkerLine::kInFlight; i++) {
        rest.push_back(list.begin("PURGE-WITH-A-LONG-NAME", "/", 1, 1));
    }
    EXPECT_EQ(list.begin("GET", "/", 1, 1), InFlightList::kNone);
    list.end(InFlightList::kNone);
    list.end(rest.back());
    EXPECT_EQ(list.begin("GET", "/", 1, 1), rest.back());
}

TEST(OfferedRequest, IsClaimedOnceAndNotAfterItsEnd) {
    auto board = std::move(*Scoreboard::create(1));
    WorkerLine& line = board->line(0);
    InFlightList list(line);
    using Found = OfferedRequest::Found;
    EXPECT_EQ(find_offered(line, 7, 0).found, Found::kNone);
    uint16_t place = list.begin("GET", "/", 7, 1);
    uint32_t number = list.offer(place, 0);
    EXPECT_NE(number, 0U);
    EXPECT_EQ(find_offered(line, 7, 0).number, number);
    EXPECT_EQ(find_offered(line, 8, 0).found, Found::kNone);
    EXPECT_TRUE(claim_request(line, 7, number, 21));
    EXPECT_TRUE(list.is_claimed(place));
    EXPECT_FALSE(claim_request(line, 7, number, 22));
    unclaim_request(line, 7, number, 22);
    EXPECT_FALSE(claim_request(line, 7, number, 22));
    unclaim_request(line, 7, number, 21);
    EXPECT_TRUE(claim_request(line, 7, number, 22));
    list.end(place);
    EXPECT_EQ(list.begin("GET", "/next", 7, 2), place);
    uint32_t next = list.offer(place, 0);
    EXPECT_FALSE(claim_request(line, 7, number, 23));
    EXPECT_EQ(find_offered(line, 7, 0).number, next);
}

TEST(OfferedRequest, IsTheOneThatWasGivenUpOrThatIsNamed) {
    auto board = std::move(*Scoreboard::create(1));
    WorkerLine& line = board->line(0);
    InFlightList list(line);
    using Found = OfferedRequest::Found;
    uint16_t places[3];
    uint32_t numbers[3];
    for (int i = 0; i < 3; i++) {
        places[i] = list.begin("GET", "/", 7, 1);
        numbers[i] = list.offer(places[i], 1 + 2 * i);
    }
    EXPECT_EQ(find_offered(line, 7, 0).found, Found::kSeveral);
    list.set_given_up(places[1], 1);
    EXPECT_EQ(find_offered(line, 7, 0).number, numbers[1]);
    list.set_given_up(places[2], 1);
    EXPECT_EQ(find_offered(line, 7, 0).found, Found::kSeveral);
    EXPECT_EQ(find_offered(line, 7, 5).number, numbers[2]);
    EXPECT_EQ(find_offered(line, 7, 9).found, Found::kNone);
}

}  // namespace
}  // namespace stampede::shm
