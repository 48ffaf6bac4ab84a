#include "shm/task_board.h"

#include <gtest/gtest.h>

#include <set>

namespace stampede::shm {
namespace {

TEST(TaskBoard, PicksIdlePlacesInTurn) {
    auto board = std::move(*TaskBoard::create(3));
    for (uint32_t i = 0; i < 3; i++) {
        board->set_serving(i, true);
    }
    std::set<uint32_t> picked;
    for (int i = 0; i < 3; i++) {
        uint32_t place = board->pick();
        board->add(place);
        picked.insert(place);
    }
    EXPECT_EQ(picked.size(), 3u);
    EXPECT_EQ(board->idle(), 0u);
    board->end(1);
    EXPECT_EQ(board->pick(), 1u);
    EXPECT_EQ(board->idle(), 1u);
    EXPECT_EQ(board->present(), 2u);
    EXPECT_EQ(board->given(), 3u);
}

TEST(TaskBoard, PrefersPlacesThatServe) {
    auto board = std::move(*TaskBoard::create(2));
    board->set_serving(1, true);
    for (int i = 0; i < 5; i++) {
        uint32_t place = board->pick();
        EXPECT_EQ(place, 1u);
        board->add(place);
    }
    board->set_serving(1, false);
    EXPECT_EQ(board->pick(), 0u);  // none serves: the one with the least to do
}

TEST(TaskBoard, LoadsNeverGoBelowNothing) {
    auto board = std::move(*TaskBoard::create(1));
    board->add(0);
    board->settle(0);
    board->end(0);
    EXPECT_EQ(board->load(0), 0);
    board->add(0);
    board->take_back(0);
    EXPECT_EQ(board->load(0), 0);
    EXPECT_EQ(board->given(), 1u);
}

TEST(TaskBoard, WhatAnotherPlaceTakesCountsThere) {
    auto board = std::move(*TaskBoard::create(2));
    board->add(0);
    board->move(0, 1);
    EXPECT_EQ(board->load(0), 0);
    EXPECT_EQ(board->load(1), 1);
    board->move(1, 1);
    EXPECT_EQ(board->load(1), 1);
    EXPECT_EQ(board->given(), 1u);
}

}  // namespace
}  // namespace stampede::shm
