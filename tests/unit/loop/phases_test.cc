// The order of a turn, seen with a poller that reports what the test says.
#include "loop/loop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace stampede::loop {
namespace {

// The second Poller: readiness by script instead of by the kernel.
class ScriptedPoller final : public Poller {
public:
    std::vector<Ready> script;
    std::vector<Nanos> waits;
    std::vector<std::string> calls;

    Error add(Watch&) override {
        calls.push_back("add");
        return Error();
    }
    Error modify(Watch&) override {
        calls.push_back("modify");
        return Error();
    }
    void remove(Watch&) override { calls.push_back("remove"); }
    int wait(Ready* out, int capacity, Nanos timeout) override {
        waits.push_back(timeout);
        int count = 0;
        for (; count < capacity && count < static_cast<int>(script.size()); count++) {
            out[count] = script[static_cast<size_t>(count)];
        }
        script.clear();
        return count;
    }
    void abandon() override { calls.push_back("abandon"); }
};

struct Diary {
    std::vector<std::string> lines;
    Loop* loop;
};

struct NotedTask : Task {
    Diary* diary;
    const char* text;
};

struct NotedWatch : Watch {
    Diary* diary;
    const char* text;
    NotedTask task;

    NotedWatch(Diary& diary, const char* text, const char* task_text) : diary(&diary), text(text) {
        task.diary = &diary;
        task.text = task_text;
        task.run = [](Task& base) {
            auto& self = static_cast<NotedTask&>(base);
            self.diary->lines.push_back(self.text);
        };
        on_ready = [](Watch& base, uint32_t) {
            auto& self = static_cast<NotedWatch&>(base);
            self.diary->lines.push_back(self.text);
            self.diary->loop->enqueue(self.task);
        };
    }
};

struct NotedTimer : Timer {
    Diary* diary;
};

struct NotedHook : IterationHook {
    Diary* diary;
};

struct Stage {
    ScriptedPoller* poller;
    std::unique_ptr<Loop> loop;
    Diary diary;

    Stage() {
        auto scripted = std::make_unique<ScriptedPoller>();
        poller = scripted.get();
        loop = std::move(*Loop::create(std::move(scripted)));
        diary.loop = loop.get();
    }
};

TEST(LoopPhases, WhatAnEventMadeReadyRunsBeforeTheNextEvent) {
    Stage stage;
    NotedWatch first(stage.diary, "event 1", "task 1");
    NotedWatch second(stage.diary, "event 2", "task 2");
    NotedTimer timer;
    timer.diary = &stage.diary;
    timer.on_fire = [](Timer& base) {
        static_cast<NotedTimer&>(base).diary->lines.push_back("timer");
    };
    NotedHook hook;
    hook.diary = &stage.diary;
    hook.run = [](IterationHook& base) {
        static_cast<NotedHook&>(base).diary->lines.push_back("end of turn");
    };
    stage.loop->add_end_of_iteration(hook);
    stage.loop->arm(timer, 0);
    Nanos due = monotonic_now() + 2 * kMillisecond;
    while (monotonic_now() < due) {
    }
    stage.poller->script = {{&first, kReadable}, {&second, kReadable}};
    stage.loop->run_once(kNever);
    EXPECT_EQ(stage.diary.lines, (std::vector<std::string>{"event 1", "task 1", "event 2", "task 2",
                                                           "timer", "end of turn"}));
    hook.unlink();
}

// How many events came in a row before the tasks they made ready: "1 2 4 8", say.
std::string groups_of(const std::vector<std::string>& lines) {
    std::string groups;
    int events = 0;
    bool in_events = false;
    for (const std::string& line : lines) {
        if (line == "event") {
            events = in_events ? events + 1 : 1;
            in_events = true;
        } else if (in_events) {
            groups += (groups.empty() ? "" : " ") + std::to_string(events);
            in_events = false;
        }
    }
    return groups;
}

TEST(LoopPhases, EventsAreServedInGroupsThatGrowAndBecomeSingleWhenOneTakesLong) {
    Stage stage;
    std::vector<std::unique_ptr<NotedWatch>> watches;
    for (int i = 0; i < 31; i++) {
        watches.push_back(std::make_unique<NotedWatch>(stage.diary, "event", "task"));
    }
    NotedHook hook;
    hook.diary = &stage.diary;
    hook.run = [](IterationHook& base) {
        static_cast<NotedHook&>(base).diary->lines.push_back("end of group");
    };
    stage.loop->add_end_of_group(hook);
    auto run_all = [&] {
        stage.diary.lines.clear();
        for (auto& watch : watches) {
            stage.poller->script.push_back({watch.get(), kReadable});
        }
        stage.loop->run_once(kNever);
        return groups_of(stage.diary.lines);
    };
    // A machine that gives the time to others makes a group long: that turn is tried again.
    auto eventually = [&](const char* wanted) {
        for (int tries = 0; tries < 100; tries++) {
            if (run_all() == wanted) {
                return true;
            }
        }
        return false;
    };
    EXPECT_TRUE(eventually("8 8 8 7"));
    // Behind each group once, and once more behind the rest of the turn.
    EXPECT_EQ(std::count(stage.diary.lines.begin(), stage.diary.lines.end(), "end of group"), 5);
    watches[3]->task.run = [](Task&) {
        Nanos until = monotonic_now() + 3 * kMillisecond;
        while (monotonic_now() < until) {
        }
    };
    EXPECT_TRUE(eventually("8 1 2 4 8 8"));
    hook.unlink();
}

TEST(LoopPhases, AnEventThatReadMuchIsTheLastOfItsGroup) {
    Stage stage;
    std::vector<std::unique_ptr<NotedWatch>> watches;
    for (int i = 0; i < 20; i++) {
        watches.push_back(std::make_unique<NotedWatch>(stage.diary, "event", "task"));
    }
    watches[9]->on_ready = [](Watch& base, uint32_t) {
        auto& self = static_cast<NotedWatch&>(base);
        self.diary->lines.push_back(self.text);
        self.diary->loop->enqueue(self.task);
        self.diary->loop->close_group();
    };
    for (auto& watch : watches) {
        stage.poller->script.push_back({watch.get(), kReadable});
    }
    stage.loop->run_once(kNever);
    EXPECT_EQ(groups_of(stage.diary.lines), "1 2 4 3 8 2");
}

TEST(LoopPhases, TheWaitIsAsLongAsNothingIsDue) {
    Stage stage;
    stage.loop->run_once(kNever);
    EXPECT_EQ(stage.poller->waits.back(), kNever);
    stage.loop->run_once(7 * kSecond);
    EXPECT_EQ(stage.poller->waits.back(), 7 * kSecond);
    NotedTimer timer;
    timer.diary = &stage.diary;
    timer.on_fire = [](Timer&) {};
    stage.loop->arm(timer, 3 * kSecond);
    stage.loop->run_once(kNever);
    EXPECT_LE(stage.poller->waits.back(), 3 * kSecond + 2 * kMillisecond);
    NotedTask task;
    task.diary = &stage.diary;
    task.text = "task";
    task.run = [](Task&) {};
    stage.loop->enqueue(task);
    stage.loop->run_once(kNever);
    EXPECT_EQ(stage.poller->waits.back(), 0);
    stage.loop->disarm(timer);
}

TEST(LoopPhases, AForkedChildOnlyForgets) {
    Stage stage;
    NotedWatch watch(stage.diary, "event", "task");
    ASSERT_FALSE(stage.loop->watch(watch));
    stage.poller->calls.clear();
    stage.loop->abandon();
    EXPECT_EQ(stage.poller->calls, std::vector<std::string>{"abandon"});
}

}  // namespace
}  // namespace stampede::loop
