#include "base/list.h"

#include <gtest/gtest.h>

#include <vector>

namespace stampede {
namespace {

struct Item : ListNode {
    explicit Item(int value) : value(value) {}
    int value;
};

std::vector<int> drain(List<Item>& list) {
    std::vector<int> values;
    while (Item* item = list.pop_front()) {
        values.push_back(item->value);
    }
    return values;
}

TEST(List, KeepsOrder) {
    Item one(1), two(2), three(3);
    List<Item> list;
    list.push_back(two);
    list.push_back(three);
    list.push_front(one);
    EXPECT_EQ(drain(list), (std::vector{1, 2, 3}));
    EXPECT_TRUE(list.empty());
    EXPECT_FALSE(one.linked());
}

TEST(List, ElementLeavesByItself) {
    Item one(1), two(2), three(3);
    List<Item> list;
    list.push_back(one);
    list.push_back(two);
    list.push_back(three);
    two.unlink();
    two.unlink();  // harmless when it is in no list
    EXPECT_EQ(drain(list), (std::vector{1, 3}));
}

TEST(List, SpliceMovesEverythingInOrder) {
    Item one(1), two(2), three(3), four(4);
    List<Item> list, other;
    list.push_back(one);
    other.push_back(two);
    other.push_back(three);
    list.splice_back(other);
    EXPECT_TRUE(other.empty());
    list.push_back(four);
    EXPECT_EQ(drain(list), (std::vector{1, 2, 3, 4}));
    list.splice_back(other);
    EXPECT_TRUE(list.empty());
}

}  // namespace
}  // namespace stampede
