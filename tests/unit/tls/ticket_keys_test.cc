#include "tls/ticket_keys.h"

#include <gtest/gtest.h>

#include <cstring>

namespace stampede::tls {
namespace {

constexpr uint8_t kSecret[32] = {1, 2, 3};
constexpr Nanos kDay = 24 * 3600 * kSecond;

bool same(const TicketKey& a, const TicketKey& b) { return std::memcmp(&a, &b, sizeof(a)) == 0; }

TEST(TicketKeys, TwoProcessesAgree) {
    TicketKeys one(kSecret);
    Nanos start = 20000 * kDay;
    (void)one.present(start);
    TicketKeys other = one;  // as a fork does
    Nanos later = start + 5 * TicketKeys::kPeriod;
    for (int i = 1; i <= 5; i++) {
        (void)one.present(start + i * TicketKeys::kPeriod);
    }
    EXPECT_TRUE(same(one.present(later), other.present(later)));
    EXPECT_NE(other.find(one.present(later).name, later), nullptr);
}

TEST(TicketKeys, TheFormerKeyStillOpensAndOlderOnesDoNot) {
    TicketKeys keys(kSecret);
    Nanos start = 20000 * kDay;
    TicketKey first = keys.present(start);
    EXPECT_TRUE(same(first, keys.present(start + TicketKeys::kPeriod - 1)));
    Nanos next = start + TicketKeys::kPeriod;
    EXPECT_FALSE(same(first, keys.present(next)));
    const TicketKey* former = keys.find(first.name, next);
    ASSERT_NE(former, nullptr);
    EXPECT_TRUE(same(*former, first));
    EXPECT_EQ(keys.find(first.name, next + TicketKeys::kPeriod), nullptr);
}

TEST(TicketKeys, AJumpKeepsTheKeyBeforeTheNewOne) {
    TicketKeys stepping(kSecret);
    TicketKeys jumping(kSecret);
    Nanos start = 20000 * kDay;
    (void)stepping.present(start);
    (void)jumping.present(start);
    TicketKey former = stepping.present(start + 6 * TicketKeys::kPeriod);
    Nanos end = start + 7 * TicketKeys::kPeriod;
    EXPECT_NE(jumping.find(former.name, end), nullptr);
    EXPECT_TRUE(same(jumping.present(end), stepping.present(end)));
}

TEST(TicketKeys, AClockThatIsSetBackChangesNothing) {
    TicketKeys keys(kSecret);
    TicketKey key = keys.present(20000 * kDay);
    EXPECT_TRUE(same(key, keys.present(19000 * kDay)));
}

}  // namespace
}  // namespace stampede::tls
