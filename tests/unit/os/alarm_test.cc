#include "os/alarm.h"

#include <gtest/gtest.h>
#include <sched.h>

namespace stampede::os {
namespace {

std::atomic<int> rings;
std::atomic<Nanos> last;

// Its thread lasts as long as the process.
Alarm alarm_of_the_test{[] {
                            rings++;
                            last = monotonic_now();
                        },
                        20 * kMillisecond};

bool rings_until(int number, Nanos longest) {
    for (Nanos end = monotonic_now() + longest; rings < number && monotonic_now() < end;) {
        sched_yield();
    }
    return rings >= number;
}

TEST(Alarm, RingsAtItsMomentAlsoWhenThatBecomesAnEarlierOne) {
    Alarm& alarm = alarm_of_the_test;
    ASSERT_FALSE(alarm.start());
    EXPECT_FALSE(rings_until(1, 30 * kMillisecond));
    alarm.set(monotonic_now() + 1000 * kSecond);
    Nanos moment = monotonic_now() + 40 * kMillisecond;
    alarm.set(moment);
    ASSERT_TRUE(rings_until(1, 20 * kSecond));
    EXPECT_GE(last.load(), moment);
    EXPECT_TRUE(rings_until(3, 20 * kSecond)) << "it goes on until there is another moment";
    alarm.set(kNever);
    EXPECT_FALSE(rings_until(rings + 2, 100 * kMillisecond));
    alarm.set(monotonic_now());
    EXPECT_TRUE(rings_until(rings + 1, 20 * kSecond));
    alarm.set(kNever);
}

}  // namespace
}  // namespace stampede::os
