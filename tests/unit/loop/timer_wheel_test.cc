#include "loop/timer_wheel.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <vector>

namespace stampede::loop {
namespace {

struct Probe : Timer {
    Nanos fired_at = -1;
    int fired = 0;
    static Nanos now;

    Probe() {
        on_fire = [](Timer& timer) {
            auto& probe = static_cast<Probe&>(timer);
            probe.fired_at = now;
            probe.fired++;
        };
    }
};
Nanos Probe::now = 0;

TEST(TimerWheel, FiresNeverEarlyAndAtMostAMillisecondLate) {
    for (Nanos delay : {Nanos(0), Nanos(1), kMillisecond, 63 * kMillisecond, 64 * kMillisecond,
                        65 * kMillisecond, 4095 * kMillisecond, 4096 * kMillisecond, 300 * kSecond,
                        5000 * kSecond, 400000 * kSecond}) {
        Nanos start = 123456789;
        TimerWheel wheel(start);
        Probe probe;
        wheel.arm(probe, start, delay);
        Nanos now = start;
        while (probe.fired == 0) {
            Nanos wait = wheel.next_wait(now);
            ASSERT_NE(wait, kNever);
            ASSERT_GT(wait, 0) << "the wheel has been advanced to this time already";
            now += wait;
            Probe::now = now;
            wheel.advance(now);
            ASSERT_LT(now, start + delay + 10 * kMillisecond + kMillisecond / 8) << delay;
        }
        EXPECT_GE(probe.fired_at, start + delay);
        EXPECT_LE(probe.fired_at, start + delay + kMillisecond + kMillisecond / 8) << delay;
        EXPECT_EQ(wheel.size(), 0u);
    }
}

// How often the wheel asks to be woken while these many sleep for 10 ms again and again, each a
// little later than the one before it.
int wakes_in_a_second(size_t sleepers) {
    TimerWheel wheel(0);
    std::vector<Probe> probes(sleepers);
    for (size_t i = 0; i < sleepers; i++) {
        wheel.arm(probes[i],
                  static_cast<Nanos>(i) * 10 * kMillisecond / static_cast<Nanos>(sleepers),
                  10 * kMillisecond);
    }
    int wakes = 0;
    for (Nanos now = 0; now < kSecond; wakes++) {
        now += wheel.next_wait(now);
        Probe::now = now;
        wheel.advance(now);
        for (Probe& probe : probes) {
            if (!probe.armed()) {
                wheel.arm(probe, now, 10 * kMillisecond);
            }
        }
    }
    return wakes;
}

TEST(TimerWheel, ManySleepersWakeTheProcessOnceInAMillisecond) {
    EXPECT_LE(wakes_in_a_second(1000), 1100);
}

TEST(TimerWheel, FewSleepersAreNotRoundedMore) {
    TimerWheel wheel(0);
    Probe probe;
    for (Nanos now = 0; now < kSecond;) {
        wheel.arm(probe, now, kMillisecond);
        Nanos due = now + kMillisecond;
        while (probe.armed()) {
            now += wheel.next_wait(now);
            wheel.advance(now);
        }
        ASSERT_LE(now, due + kMillisecond / 8);
    }
}

TEST(TimerWheel, AgreesWithASortedList) {
    std::mt19937_64 random(42);
    Nanos now = 7 * kSecond + 333;
    TimerWheel wheel(now);
    std::vector<std::unique_ptr<Probe>> probes(2000);
    std::vector<Nanos> due(probes.size(), -1);
    for (auto& probe : probes) {
        probe = std::make_unique<Probe>();
    }
    for (int step = 0; step < 20000; step++) {
        size_t which = random() % probes.size();
        if (random() % 4 == 0) {
            wheel.disarm(*probes[which]);
            due[which] = -1;
        } else {
            Nanos delay = static_cast<Nanos>(random() % (1ull << (random() % 40)));
            wheel.arm(*probes[which], now, delay);
            due[which] = now + delay;
        }
        now += static_cast<Nanos>(random() % (3 * kMillisecond));
        Probe::now = now;
        wheel.advance(now);
        for (size_t i = 0; i < probes.size(); i++) {
            if (due[i] >= 0 && due[i] + 2 * kMillisecond < now) {
                ASSERT_FALSE(probes[i]->armed()) << "late by " << now - due[i];
                due[i] = -1;
            } else if (due[i] > now) {
                ASSERT_TRUE(probes[i]->armed()) << "early by " << due[i] - now;
            }
        }
    }
}

struct Rearming : Timer {
    TimerWheel* wheel;
    Probe* other;
    int fired = 0;
};

TEST(TimerWheel, CallbacksMayArmAndDisarm) {
    TimerWheel wheel(0);
    Probe other;
    Rearming timer;
    timer.wheel = &wheel;
    timer.other = &other;
    timer.on_fire = [](Timer& base) {
        auto& self = static_cast<Rearming&>(base);
        self.fired++;
        self.wheel->disarm(*self.other);
        if (self.fired < 3) {
            self.wheel->arm(self, self.fired * 10 * kMillisecond, 10 * kMillisecond);
        }
    };
    wheel.arm(timer, 0, 10 * kMillisecond);
    wheel.arm(other, 0, 10 * kMillisecond);
    for (Nanos now = 0; now < kSecond; now += kMillisecond) {
        Probe::now = now;
        wheel.advance(now);
    }
    EXPECT_EQ(timer.fired, 3);
    EXPECT_EQ(other.fired, 0);
    EXPECT_EQ(wheel.size(), 0u);
}

TEST(TimerWheel, AStoppedProcessCatchesUpInOneStep) {
    TimerWheel wheel(0);
    Probe soon;
    Probe later;
    wheel.arm(soon, 0, kSecond);
    wheel.arm(later, 0, 3 * 86400 * kSecond);
    wheel.advance(2 * 86400 * kSecond);
    EXPECT_EQ(soon.fired, 1);
    EXPECT_EQ(later.fired, 0);
    EXPECT_TRUE(later.armed());
    wheel.disarm(later);
}

}  // namespace
}  // namespace stampede::loop
