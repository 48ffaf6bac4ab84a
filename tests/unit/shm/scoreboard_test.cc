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
    EXPECT_EQ(std::string(entry.text, entry.length), "GET " + std::string(100, 't'));
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

}  // namespace
}  // namespace stampede::shm
