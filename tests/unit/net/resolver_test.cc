#include "net/resolver.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace stampede::net {
namespace {

// A name server on the same loop: one address for every question, with a time to live.
class Server : public loop::Watch {
public:
    Server(loop::Loop& loop, const char* address, uint32_t ttl) : loop_(loop), ttl_(ttl) {
        inet_pton(AF_INET, address, address_);
        fd = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        sockaddr_in name{};
        name.sin_family = AF_INET;
        name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        EXPECT_EQ(0, ::bind(fd, reinterpret_cast<sockaddr*>(&name), sizeof(name)));
        socklen_t size = sizeof(name);
        ::getsockname(fd, reinterpret_cast<sockaddr*>(&name), &size);
        port_ = ntohs(name.sin_port);
        interest = loop::kReadable;
        on_ready = [](loop::Watch& watch, uint32_t) { static_cast<Server&>(watch).answer(); };
        EXPECT_FALSE(loop_.watch(*this));
        loop_.ignore_for_liveness(1, 0);
    }
    ~Server() {
        loop_.unwatch(*this);
        ::close(fd);
    }
    std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

    int questions = 0;
    bool silent = false;

private:
    void answer() {
        char bytes[512];
        sockaddr_storage from{};
        socklen_t size = sizeof(from);
        long length =
            ::recvfrom(fd, bytes, sizeof(bytes) - 16, 0, reinterpret_cast<sockaddr*>(&from), &size);
        if (length < 17) {
            return;
        }
        questions++;
        if (silent) {
            return;
        }
        // The question as it came, without what follows it, then one answer.
        size_t end = 12;
        while (bytes[end] != 0) {
            end += static_cast<size_t>(static_cast<unsigned char>(bytes[end])) + 1;
        }
        end += 5;
        std::string reply(bytes, end);
        reply[2] = static_cast<char>(0x81);
        reply[3] = static_cast<char>(0x80);
        reply.replace(6, 6, std::string("\0\1\0\0\0\0", 6));
        uint32_t ttl = htonl(ttl_);
        reply += std::string("\xc0\x0c\0\1\0\1", 6) +
                 std::string(reinterpret_cast<char*>(&ttl), 4) + std::string("\0\4", 2) +
                 std::string(address_, 4);
        ::sendto(fd, reply.data(), reply.size(), 0, reinterpret_cast<sockaddr*>(&from), size);
    }

    loop::Loop& loop_;
    uint32_t ttl_;
    char address_[4];
    int port_ = 0;
};

struct Question : Resolver::Lookup {
    Question() {
        done = [](Resolver::Lookup& lookup, const Resolver::Answer& answer) {
            auto& self = static_cast<Question&>(lookup);
            self.answers++;
            self.status = answer.status;
            for (size_t i = 0; i < answer.count; i++) {
                self.found.push_back(answer.addresses[i].host());
            }
        };
    }
    int answers = 0;
    LookupStatus status = LookupStatus::kFailed;
    std::vector<std::string> found;
};

class ResolverTest : public testing::Test {
protected:
    void turn_until(const int& answers, int wanted) {
        Nanos deadline = monotonic_now() + 20 * kSecond;
        while (answers < wanted && monotonic_now() < deadline) {
            loop_->run_once(100 * kMillisecond);
        }
        ASSERT_EQ(wanted, answers);
    }
    void use(Resolver& resolver, const Server& server) {
        ResolverOptions options;
        options.channel.servers = server.address();
        resolver.configure(options);
    }

    std::unique_ptr<loop::Loop> loop_ = std::move(*loop::Loop::create());
};

TEST_F(ResolverTest, WhoeverAsksTheSameSharesOneQuestion) {
    Server server(*loop_, "10.1.2.3", 60);
    Resolver resolver(*loop_);
    use(resolver, server);
    Question first, second, other;
    resolver.resolve("name.test", AF_INET, first);
    resolver.resolve("NAME.test", AF_INET, second);
    resolver.resolve("other.test", AF_INET, other);
    EXPECT_TRUE(loop_->has_work());
    turn_until(other.answers, 1);
    turn_until(second.answers, 1);
    EXPECT_EQ(1, first.answers);
    EXPECT_EQ(std::vector<std::string>{"10.1.2.3"}, first.found);
    EXPECT_EQ(2, server.questions);
    EXPECT_FALSE(loop_->has_work());
    Question again;
    resolver.resolve("name.test", AF_INET, again);
    EXPECT_EQ(1, again.answers);  // at once, from the cache
    EXPECT_EQ(2, server.questions);
}

TEST_F(ResolverTest, AnAnswerThatHoldsNoTimeIsNotKept) {
    Server server(*loop_, "10.1.2.3", 0);
    Resolver resolver(*loop_);
    use(resolver, server);
    for (int i = 1; i <= 2; i++) {
        Question question;
        resolver.resolve("name.test", AF_INET, question);
        turn_until(question.answers, 1);
        EXPECT_EQ(i, server.questions);
    }
    EXPECT_EQ(0u, resolver.cached());
}

TEST_F(ResolverTest, TheCacheIsBounded) {
    Server server(*loop_, "10.1.2.3", 60);
    Resolver resolver(*loop_);
    ResolverOptions options;
    options.channel.servers = server.address();
    options.cache_capacity = 2;
    resolver.configure(options);
    for (const char* name : {"a.test", "b.test", "c.test"}) {
        Question question;
        resolver.resolve(name, AF_INET, question);
        turn_until(question.answers, 1);
    }
    EXPECT_EQ(2u, resolver.cached());
}

TEST_F(ResolverTest, TheLastWhoGivesUpTakesTheQuestionsWithIt) {
    Server server(*loop_, "10.1.2.3", 60);
    server.silent = true;
    Resolver resolver(*loop_);
    use(resolver, server);
    Question first, second;
    resolver.resolve("name.test", AF_INET, first);
    resolver.resolve("name.test", AF_INET, second);
    resolver.cancel(first);
    EXPECT_TRUE(loop_->has_work());
    EXPECT_EQ(1u, resolver.waiting());
    resolver.cancel(second);
    EXPECT_FALSE(loop_->has_work());
    EXPECT_EQ(0, first.answers + second.answers);
    EXPECT_EQ(0, loop_->watch_count());
    EXPECT_EQ(0u, loop_->timer_count());
}

TEST_F(ResolverTest, NamesThatAreNone) {
    Resolver resolver(*loop_);
    for (std::string name : {std::string(), std::string(300, 'a'), std::string("a\0b", 3)}) {
        Question question;
        resolver.resolve(name, AF_INET, question);
        EXPECT_EQ(1, question.answers);
        EXPECT_EQ(LookupStatus::kNotFound, question.status);
    }
}

TEST_F(ResolverTest, AChangedListOfServersIsNoticed) {
    std::string path = testing::TempDir() + "/resolver_test.conf";
    Resolver resolver(*loop_);
    ResolverOptions options;
    options.channel.resolv_conf = path;
    options.channel.try_millis = 100;
    options.channel.tries = 1;
    // Only the option counts here: this machine's port 53 is not ours to answer on.
    std::ofstream(path) << "nameserver 127.0.0.1\n";
    resolver.configure(options);
    Question before;
    resolver.resolve("name.test", AF_INET, before);
    turn_until(before.answers, 1);
    uint64_t made = resolver.channels_made();
    Question same;
    resolver.resolve("name2.test", AF_INET, same);
    turn_until(same.answers, 1);
    EXPECT_EQ(made, resolver.channels_made());
    std::ofstream(path) << "nameserver 127.0.0.2\nnameserver 127.0.0.3\n";
    Question after;
    resolver.resolve("name3.test", AF_INET, after);
    turn_until(after.answers, 1);
    EXPECT_EQ(made + 1, resolver.channels_made());
    unlink(path.c_str());
}

}  // namespace
}  // namespace stampede::net
