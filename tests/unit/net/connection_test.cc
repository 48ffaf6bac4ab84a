#include "net/connection.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "loop/epoll_poller.h"

namespace stampede::net {
namespace {

// Epoll, and how often it was told of a descriptor.
class CountingPoller final : public loop::Poller {
public:
    CountingPoller(int& added, int& removed)
        : poller_(std::move(*loop::EpollPoller::create())), added_(added), removed_(removed) {}

    Error add(loop::Watch& watch) override {
        added_++;
        return poller_->add(watch);
    }
    Error modify(loop::Watch& watch) override { return poller_->modify(watch); }
    void remove(loop::Watch& watch) override {
        removed_++;
        poller_->remove(watch);
    }
    void forget(loop::Watch& watch) override { poller_->forget(watch); }
    int wait(loop::Ready* out, int capacity, Nanos timeout) override {
        return poller_->wait(out, capacity, timeout);
    }
    int descriptor() const override { return poller_->descriptor(); }
    void abandon() override { poller_->abandon(); }

private:
    std::unique_ptr<loop::EpollPoller> poller_;
    int& added_;
    int& removed_;
};

struct Seen {
    std::string bytes;
    bool ended = false;
    bool closed = false;
};

// Notes what comes, and is over with a full stop.
class NotingSession final : public Session {
public:
    NotingSession(Connection& connection, Seen& seen) : connection_(connection), seen_(seen) {}

    void on_bytes(const char* data, size_t size) override {
        seen_.bytes.append(data, size);
        if (seen_.bytes.ends_with('.')) {
            connection_.cork().append("over");
            connection_.close_after_flush();
        }
    }
    void on_end() override { seen_.ended = true; }
    void on_drained() override {}
    void on_deadline() override {}
    void drain() override {}
    void on_closed() override { seen_.closed = true; }

private:
    Connection& connection_;
    Seen& seen_;
};

class NewConnection : public ::testing::Test {
protected:
    NewConnection()
        : loop_(std::move(*loop::Loop::create(std::make_unique<CountingPoller>(added_, removed_)))),
          hub_(*loop_) {
        EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends_), 0);
        connection_ = new Connection(hub_, ends_[0], 1, times_);
        connection_->set_session(std::make_unique<NotingSession>(*connection_, seen_));
        added_ = 0;  // without the loop's own
    }
    ~NewConnection() override {
        if (!seen_.closed) {
            connection_->close_now(CloseCause::kServer);
        }
        hub_.end_iteration();
        close(ends_[1]);
    }

    void say(std::string_view words) {
        EXPECT_EQ(write(ends_[1], words.data(), words.size()), static_cast<ssize_t>(words.size()));
    }
    std::string heard() {
        char bytes[64];
        ssize_t count = read(ends_[1], bytes, sizeof(bytes));
        return {bytes, count > 0 ? static_cast<size_t>(count) : 0};
    }

    int added_ = 0;
    int removed_ = 0;
    int ends_[2] = {-1, -1};
    Seen seen_;
    ConnectionTimes times_;
    std::unique_ptr<loop::Loop> loop_;
    Hub hub_;
    Connection* connection_ = nullptr;
};

TEST_F(NewConnection, ThatIsOverAtOnceIsNotRegistered) {
    say("all.");
    connection_->start();
    loop_->run_once(0);
    EXPECT_EQ(seen_.bytes, "all.");
    EXPECT_TRUE(seen_.closed);
    EXPECT_EQ(heard(), "over");
    EXPECT_EQ(added_, 0);
    EXPECT_EQ(removed_, 0);
}

// Its end is told by close() alone.
TEST_F(NewConnection, IsRegisteredAtTheEndOfTheIterationOnce) {
    connection_->start();
    loop_->run_once(0);
    EXPECT_EQ(added_, 1);
    say("first ");
    loop_->run_once(kSecond);
    EXPECT_EQ(seen_.bytes, "first ");
    say("last.");
    loop_->run_once(kSecond);
    EXPECT_EQ(seen_.bytes, "first last.");
    EXPECT_TRUE(seen_.closed);
    EXPECT_EQ(added_, 1);
    EXPECT_EQ(removed_, 0);
}

TEST(FirstReads, StopAfterSomeInVainAndStartAgainWithTheFirstThatFindsSomething) {
    FirstReads reads;
    for (int i = 0; i < 4; i++) {
        EXPECT_TRUE(reads.worth_a_try());
        reads.note(false);
    }
    int tried = 0;
    for (int i = 0; i < 160; i++) {
        tried += reads.worth_a_try() ? 1 : 0;
    }
    EXPECT_EQ(tried, 10);
    reads.note(true);
    EXPECT_TRUE(reads.worth_a_try());
}

// The first read saw the bytes only.
TEST_F(NewConnection, HearsOfAnEndThatFollowedItsFirstBytes) {
    say("all");
    shutdown(ends_[1], SHUT_WR);
    connection_->start();
    loop_->run_once(0);
    EXPECT_EQ(seen_.bytes, "all");
    EXPECT_FALSE(seen_.ended);
    loop_->run_once(kSecond);
    EXPECT_TRUE(seen_.ended);
    EXPECT_FALSE(seen_.closed);
}

TEST_F(NewConnection, ThatIsNotReadYetIsReadLater) {
    connection_->pause_reading();
    say("all");
    connection_->start();
    loop_->run_once(0);
    EXPECT_EQ(seen_.bytes, "");
    connection_->resume_reading();
    loop_->run_once(kSecond);
    EXPECT_EQ(seen_.bytes, "all");
}

TEST_F(NewConnection, ThatClosesBeforeTheEndOfItsTurnIsLeftAlone) {
    connection_->start();
    connection_->close_now(CloseCause::kServer);
    loop_->run_once(0);
    EXPECT_TRUE(seen_.closed);
    EXPECT_EQ(added_, 0);
}

}  // namespace
}  // namespace stampede::net
