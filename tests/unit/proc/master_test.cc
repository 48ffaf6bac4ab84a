#include "proc/restart_pace.h"
#include "proc/master.h"
#include "proc/nursery.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "os/log.h"
#include "os/signal.h"

namespace stampede::proc {
namespace {

// A supervisor in a process of its own, whose processes tell on a pipe when they begin and end.
class MasterTest : public testing::Test {
protected:
    struct Event {
        char what;  // S: started, E: told to end, L: lost; R: all are ready, D: the reload is done;
                    // B: a boot process is there, F: a boot has failed
        int kind;
        unsigned worker;
        int pid;
        bool finish;  // it was told to finish all that waits
    };

    void start(MasterSettings settings, Nanos life = kNever, int millis_until_ready = 0) {
        millis_until_ready_ = millis_until_ready;
        ASSERT_EQ(::pipe(pipe_), 0);
        ASSERT_EQ(::pipe2(plans_, O_NONBLOCK), 0);
        plan(plan_first_);
        supervisor_ = ::fork();
        ASSERT_GE(supervisor_, 0);
        if (supervisor_ == 0) {
            supervise(settings, life);
        }
    }

    ~MasterTest() override {
        if (supervisor_ > 0) {
            ::kill(supervisor_, SIGKILL);
            ::waitpid(supervisor_, nullptr, 0);
        }
        for (int end : plans_) {
            ::close(end);
        }
        ::close(pipe_[0]);
        ::close(pipe_[1]);
    }

    [[noreturn]] void supervise(const MasterSettings& settings, Nanos life) {
        os::Log::get().configure({});
        auto loop = std::move(*loop::Loop::create());
        auto board = std::move(*shm::Scoreboard::create(lines_for(settings)));
        struct Owner {
            loop::Loop* loop;
            MasterTest* test;
        } owner{loop.get(), this};
        MasterEvents events;
        events.owner = &owner;
        events.iterate = [](void* self, Nanos wait) {
            static_cast<Owner*>(self)->loop->run_once(wait);
        };
        events.worker_failed = [](void*, uint32_t, const os::ChildExit&) {};
        events.worker_lost = [](void* self, const WorkerPlace& place, const os::ChildExit& how) {
            static_cast<Owner*>(self)->test->tell(
                {'L', static_cast<int>(place.kind), place.worker, how.pid, false});
        };
        events.serving = [](void* self) {
            static_cast<Owner*>(self)->test->tell({'R', 0, 0, 0, false});
        };
        events.before_reload = [](void*) {};
        events.after_reload = [](void* self) {
            static_cast<Owner*>(self)->test->tell({'D', 0, 0, 0, false});
        };
        events.stopping = [](void*) {};
        events.reopen_log = [](void*) {};
        events.boot_failed = [](void* self, std::string_view why) {
            static_cast<Owner*>(self)->test->tell({'F', 0, 0, static_cast<int>(why.size()), false});
        };
        Master master(*loop, *board, settings, events);
        Result<Role> role = master.run();
        if (role && *role == Role::kBoot) {
            serve(boot(master.boot_channel()), life);
        }
        if (role && *role == Role::kWorker) {
            serve(master.place(), life);
        }
        ::_exit(role ? 0 : 1);
    }

    // What a boot process does, by the letter in the pipe of the plans: 'b' boots, 'f' fails, 'h'
    // hangs, 'd' dies. No letter: it boots.
    WorkerPlace boot(int channel) {
        (void)os::SignalInbox::get().open();
        char plan = 'b';
        (void)!::read(plans_[0], &plan, 1);
        tell({'B', 0, 0, ::getpid(), false});
        Nursery nursery(channel);
        if (plan == 'f') {
            nursery.report_failure("on purpose");
            ::_exit(1);
        }
        if (plan == 'd') {
            ::_exit(3);
        }
        while (plan == 'h') {
            ::pause();
        }
        nursery.report_booted();
        Nursery::Events events;
        events.reopen_log = [](void*) {};
        return nursery.serve(events);
    }

    [[noreturn]] void serve(const WorkerPlace& place, Nanos life) {
        sigset_t ends;
        sigemptyset(&ends);
        sigaddset(&ends, SIGTERM);
        sigaddset(&ends, SIGINT);
        int kind = static_cast<int>(place.kind);
        tell({'S', kind, place.worker, ::getpid(), false});
        ::usleep(static_cast<useconds_t>(millis_until_ready_) * 1000);
        (void)!::write(place.channel, &kSayReady, 1);
        if (life != kNever && place.kind == PlaceKind::kUserProcess) {
            ::_exit(0);
        }
        int number = 0;
        sigwait(&ends, &number);
        char byte = 0;
        bool finish = ::read(place.channel, &byte, 1) == 1 && byte == kTellFinish;
        tell({'E', kind, place.worker, ::getpid(), finish});
        ::_exit(0);
    }

    void tell(const Event& event) { (void)!::write(pipe_[1], &event, sizeof(event)); }

    bool read_event(Event& event, int millis = 20'000) {
        pollfd wanted{pipe_[0], POLLIN, 0};
        return ::poll(&wanted, 1, millis) == 1 &&
               ::read(pipe_[0], &event, sizeof(event)) == static_cast<ssize_t>(sizeof(event));
    }
    // Those that have started, when all are ready.
    std::vector<Event> read_start() {
        std::vector<Event> events;
        Event event;
        while (read_event(event) && event.what != 'R') {
            events.push_back(event);
        }
        return events;
    }
    std::vector<Event> read_events(size_t count) {
        std::vector<Event> events;
        Event event;
        while (events.size() < count && read_event(event)) {
            events.push_back(event);
        }
        return events;
    }
    static std::string text(const std::vector<Event>& events) {
        std::string out;
        for (const Event& event : events) {
            out += event.what;
            out += std::to_string(event.worker) + (event.finish ? "+ " : " ");
        }
        return out;
    }
    static std::set<unsigned> workers(const std::vector<Event>& events) {
        std::set<unsigned> found;
        for (const Event& event : events) {
            found.insert(event.worker);
        }
        return found;
    }

    static MasterSettings settings(uint32_t workers, uint32_t tasks, uint32_t users) {
        MasterSettings out;
        out.workers = workers;
        out.task_workers = tasks;
        out.user_processes = users;
        return out;
    }

    int millis_until_ready_ = 0;
    void plan(const char* letters) { (void)!::write(plans_[1], letters, std::strlen(letters)); }
    // The next one of this kind, whatever comes before.
    bool await(char what, Event& event) {
        while (read_event(event)) {
            if (event.what == what) {
                return true;
            }
        }
        return false;
    }
    static MasterSettings booted(uint32_t workers) {
        MasterSettings out = settings(workers, 0, 0);
        out.boots = true;
        return out;
    }
    static pid_t parent_of(pid_t pid) {
        int parent = -1;
        std::string path = "/proc/" + std::to_string(pid) + "/stat";
        if (FILE* file = std::fopen(path.c_str(), "r")) {
            (void)!std::fscanf(file, "%*d %*s %*c %d", &parent);
            std::fclose(file);
        }
        return parent;
    }

    int pipe_[2] = {-1, -1};
    int plans_[2] = {-1, -1};
    const char* plan_first_ = "";
    pid_t supervisor_ = -1;
};

TEST_F(MasterTest, KindsAreNumberedAndEndOneAfterTheOther) {
    start(settings(2, 2, 1));
    std::vector<Event> started = read_start();
    ASSERT_EQ(started.size(), 5u);
    EXPECT_EQ(workers(started), (std::set<unsigned>{0, 1, 2, 3, 4}));
    for (const Event& event : started) {
        EXPECT_EQ(event.kind, event.worker < 2 ? 0 : event.worker < 4 ? 1 : 2);
    }
    ::kill(supervisor_, SIGTERM);
    std::vector<Event> ended = read_events(5);
    ASSERT_EQ(ended.size(), 5u);
    EXPECT_LT(ended[0].worker, 2u) << text(ended);
    EXPECT_LT(ended[1].worker, 2u) << text(ended);
    EXPECT_EQ(ended[4].worker, 4u) << text(ended);
    for (const Event& event : ended) {
        EXPECT_EQ(event.finish, event.kind == 1) << text(ended);
    }
    int status = -1;
    EXPECT_EQ(::waitpid(supervisor_, &status, 0), supervisor_);
    EXPECT_EQ(status, 0);
    supervisor_ = -1;
}

TEST_F(MasterTest, AReloadReplacesTheWorkersThenTheTaskWorkersInTheirPlace) {
    start(settings(2, 3, 1));
    ASSERT_EQ(read_start().size(), 6u);
    ::kill(supervisor_, SIGUSR1);
    std::vector<Event> events = read_events(11);
    // The last worker may end after the reload is complete: its successor serves already.
    EXPECT_EQ(std::erase_if(events, [](const Event& event) { return event.what == 'D'; }), 1u);
    ASSERT_EQ(events.size(), 10u) << text(events);
    std::map<unsigned, std::string> order;
    bool tasks = false;
    for (const Event& seen : events) {
        order[seen.worker] += seen.what;
        tasks |= seen.kind == 1;
        EXPECT_FALSE(tasks && seen.kind == 0 && seen.what == 'S') << text(events);
        EXPECT_FALSE(seen.finish) << text(events);
    }
    for (unsigned worker = 0; worker < 5; worker++) {
        // A worker's successor comes first; a task worker's comes when the place is free.
        EXPECT_EQ(order[worker], worker < 2 ? "SE" : "ES") << text(events);
    }
    EXPECT_EQ(order.count(5), 0u);
}

TEST_F(MasterTest, TaskWorkersCanBeReloadedAlone) {
    start(settings(1, 2, 0));
    ASSERT_EQ(read_start().size(), 3u);
    ::kill(supervisor_, SIGUSR2);
    std::vector<Event> events = read_events(5);
    ASSERT_EQ(events.size(), 5u);
    EXPECT_EQ(events[4].what, 'D');
    events.pop_back();
    EXPECT_EQ(workers(events), (std::set<unsigned>{1, 2})) << text(events);
}

TEST_F(MasterTest, AReloadDuringTheStartReplacesWhatWasForkedBefore) {
    start(settings(1, 1, 0), kNever, 300);
    ASSERT_EQ(read_events(2).size(), 2u);  // both are forked, none is ready
    ::kill(supervisor_, SIGUSR1);
    std::set<int> begun;
    Event event;
    while (read_event(event) && event.what != 'D') {
        if (event.what == 'S') {
            begun.insert(event.kind);
        }
    }
    EXPECT_EQ(event.what, 'D');
    EXPECT_EQ(begun, (std::set<int>{0, 1}));
}

TEST_F(MasterTest, KilledOnesAreToldOfAndReplaced) {
    start(settings(1, 1, 1));
    std::vector<Event> started = read_start();
    ASSERT_EQ(started.size(), 3u);
    for (const Event& victim : started) {
        ::kill(victim.pid, SIGKILL);
        std::vector<Event> events = read_events(2);
        ASSERT_EQ(events.size(), 2u);
        EXPECT_EQ(events[0].what, 'L');
        EXPECT_EQ(events[0].pid, victim.pid);
        EXPECT_EQ(events[1].what, 'S');
        EXPECT_EQ(events[1].worker, victim.worker);
    }
}

TEST_F(MasterTest, OldWorkersAreReplacedOneAtATime) {
    MasterSettings limited = settings(3, 1, 1);
    limited.most_age = 50 * kMillisecond;
    limited.limits_period = 5 * kMillisecond;
    start(limited, kNever, 20);
    ASSERT_EQ(read_start().size(), 5u);
    std::vector<Event> events = read_events(24);
    ASSERT_EQ(events.size(), 24u);
    for (size_t i = 0; i < events.size(); i += 2) {
        // Nobody is replaced before the one before has been, and ended.
        EXPECT_EQ(events[i].worker, events[i + 1].worker) << text(events);
        EXPECT_EQ(events[i].what, events[i].kind == 0 ? 'S' : 'E') << text(events);
        EXPECT_EQ(events[i + 1].what, events[i].kind == 0 ? 'E' : 'S') << text(events);
    }
    EXPECT_EQ(workers(events), (std::set<unsigned>{0, 1, 2, 3})) << text(events);
}

TEST_F(MasterTest, NoWorkerIsReplacedForMemoryThatItWasBornWith) {
    MasterSettings limited = settings(2, 1, 0);
    limited.most_memory = 1;
    limited.limits_period = kMillisecond;
    start(limited);
    ASSERT_EQ(read_start().size(), 3u);
    Event event;
    EXPECT_FALSE(read_event(event, 200));
}

TEST_F(MasterTest, PlacesMayBeWithoutAWorkerAtFirst) {
    MasterSettings some = settings(4, 1, 0);
    some.workers_at_start = 2;
    start(some);
    EXPECT_EQ(workers(read_start()), (std::set<unsigned>{0, 1, 4}));
    ::kill(supervisor_, SIGUSR1);
    std::vector<Event> events = read_events(7);
    EXPECT_EQ(workers(events), (std::set<unsigned>{0, 1, 4})) << text(events);
}

TEST_F(MasterTest, AUserProcessWhoseFunctionReturnsIsStartedAgainAtOnce) {
    Nanos began = monotonic_now();
    start(settings(1, 0, 1), 0);
    std::vector<Event> events = read_events(6);  // the worker, and the user process four times
    ASSERT_EQ(events.size(), 6u);
    EXPECT_LT(monotonic_now() - began, 1500 * kMillisecond);
}

TEST(RestartPace, RepeatsAreAtOnceUntilThereAreTooManyOfThem) {
    RestartPace pace;
    Nanos now = 1000 * kSecond;
    for (int i = 0; i < 200; i++) {
        EXPECT_EQ(pace.after_work(now), 0) << i;
    }
    EXPECT_EQ(pace.after_work(now), RestartPace::kLeastDistanceOfRepeats);
    EXPECT_EQ(pace.after_short_life(), 0);
    EXPECT_EQ(pace.after_short_life(), RestartPace::kFirstPause);
}

TEST_F(MasterTest, WorkersOfABootProcessAreChildrenOfTheSupervisor) {
    start(booted(3));
    std::vector<Event> started = read_start();
    ASSERT_EQ(started.size(), 4u);
    EXPECT_EQ(started[0].what, 'B');
    for (size_t i = 1; i < started.size(); i++) {
        EXPECT_EQ(parent_of(started[i].pid), supervisor_);
    }
    // One that is killed comes from the same boot process.
    ::kill(started[1].pid, SIGKILL);
    std::vector<Event> events = read_events(2);
    EXPECT_EQ(text(events).substr(0, 1), "L") << text(events);
    EXPECT_EQ(events[1].what, 'S');
    EXPECT_EQ(parent_of(events[1].pid), supervisor_);
    ::kill(supervisor_, SIGTERM);
    EXPECT_EQ(read_events(3).size(), 3u);
    int status = -1;
    EXPECT_EQ(::waitpid(supervisor_, &status, 0), supervisor_);
    EXPECT_EQ(status, 0);
    supervisor_ = -1;
}

TEST_F(MasterTest, AReloadWhoseBootFailsReplacesNobody) {
    start(booted(2));
    ASSERT_EQ(read_start().size(), 3u);
    for (const char* letter : {"f", "d"}) {
        plan(letter);
        ::kill(supervisor_, SIGUSR1);
        std::vector<Event> events = read_events(2);
        ASSERT_EQ(events.size(), 2u);
        EXPECT_EQ(events[0].what, 'B');
        EXPECT_EQ(events[1].what, 'F') << text(events);
    }
    Event event;
    EXPECT_FALSE(read_event(event, 200));
    ::kill(supervisor_, SIGUSR1);
    EXPECT_EQ(read_events(6).size(), 6u);  // the boot process, two that start, two that end, done
}

TEST_F(MasterTest, ABootThatHangsIsGivenUp) {
    MasterSettings hasty = booted(1);
    hasty.boot_time = 300 * kMillisecond;
    start(hasty);
    ASSERT_EQ(read_start().size(), 2u);
    plan("h");
    ::kill(supervisor_, SIGUSR1);
    Event boot;
    Event event;
    ASSERT_TRUE(await('B', boot));
    ASSERT_TRUE(await('F', event));
    Nanos until = monotonic_now() + 20 * kSecond;
    while (::kill(boot.pid, 0) == 0 && monotonic_now() < until) {
        ::usleep(1000);
    }
    EXPECT_NE(::kill(boot.pid, 0), 0);
}

TEST_F(MasterTest, ABootProcessThatDiesIsReplacedAndTheWorkersStay) {
    start(booted(2));
    std::vector<Event> started = read_start();
    ASSERT_EQ(started.size(), 3u);
    ::kill(started[0].pid, SIGKILL);
    ::kill(started[1].pid, SIGKILL);
    // The supervisor may hear of either death first; the worker's successor comes when another boot
    // process is there.
    std::vector<Event> events = read_events(3);
    ASSERT_EQ(events.size(), 3u);
    std::string first_two = {events[0].what, events[1].what};
    EXPECT_TRUE(first_two == "LB" || first_two == "BL") << text(events);
    EXPECT_EQ(events[2].what, 'S') << text(events);
    EXPECT_EQ(::kill(started[2].pid, 0), 0);
}

TEST_F(MasterTest, AFirstBootThatFailsIsTriedAgain) {
    plan_first_ = "ff";
    start(booted(1));
    std::vector<Event> events = read_start();
    EXPECT_EQ(text(events), "B0 F0 B0 F0 B0 S0 ");
}

}  // namespace
}  // namespace stampede::proc
