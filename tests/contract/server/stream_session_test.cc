#include "server/stream_session.h"

#include <gtest/gtest.h>

#include "contract/server/memory_server.h"

namespace stampede::testing {
namespace {

using proto::frame::Kind;
using proto::frame::Verdict;
using server::StreamSession;

class Packets final : public server::StreamHandler {
public:
    std::vector<std::string> seen;
    std::string ends;  // a letter for each thing that happened
    bool takes = true;
    bool counts_calls = false;
    int progress = 0;
    StreamSession* session = nullptr;

    bool received(StreamSession& from, std::string_view bytes) override {
        session = &from;
        if (takes) {
            seen.emplace_back(bytes);
        }
        if (counts_calls) {
            from.call_begins(bytes.size());
        }
        return takes;
    }
    void malformed(StreamSession&, Verdict verdict) override {
        ends += verdict == Verdict::kTooLarge ? 'L' : 'M';
    }
    void buffer_changed(StreamSession&, bool full) override { ends += full ? 'f' : 'e'; }
    void progressed(StreamSession&) override { progress++; }
    void datagram(uint32_t, std::string_view, const os::Address&) override {}
    bool takes_datagrams() const override { return true; }
};

server::ServiceSettings with_rules(Kind kind) {
    server::ServiceSettings settings;
    server::StreamRules& rules = settings.ports.front().stream;
    rules.used = true;
    rules.framing.kind = kind;
    rules.framing.mark = "\n";
    rules.framing.max_size = 100;
    return settings;
}

struct OwnPackets {
    Packets packets;  // made before the server and gone after it
};

struct StreamServer : OwnPackets, MemoryServer {
    explicit StreamServer(const server::ServiceSettings& settings)
        : MemoryServer(settings, &packets) {}
};

using Strings = std::vector<std::string>;

TEST(StreamSession, HandsOverWhatComesWithoutFraming) {
    StreamServer server(with_rules(Kind::kNone));
    auto client = server.connect();
    client.send("one");
    client.send("two");
    EXPECT_EQ(server.packets.seen, (Strings{"one", "two"}));
    client.peer->ended = true;
    client.pump();
    EXPECT_FALSE(client.open());
    EXPECT_EQ(server.handler.closed_count, 1);
}

TEST(StreamSession, CutsPacketsWhateverTheReadsAre) {
    for (size_t piece = 1; piece < 9; piece++) {
        StreamServer server(with_rules(Kind::kMark));
        auto client = server.connect();
        client.peer->read_most = piece;
        client.send("a\nbc\n\nlast");
        EXPECT_EQ(server.packets.seen, (Strings{"a\n", "bc\n", "\n"})) << piece;
        client.send("\n");
        EXPECT_EQ(server.packets.seen.back(), "last\n");
    }
}

TEST(StreamSession, KeepsTheOrderInTheReadyPhase) {
    server::ServiceSettings settings = with_rules(Kind::kMark);
    settings.ports.front().stream.in_ready_phase = true;
    StreamServer server(settings);
    auto client = server.connect();
    client.peer->read_most = 3;
    client.send("a\nbc\n\nlast\n");
    EXPECT_EQ(server.packets.seen, (Strings{"a\n", "bc\n", "\n", "last\n"}));
}

TEST(StreamSession, ClosesAfterWhatIsNoPacketAndHandlesWhatCameBefore) {
    StreamServer server(with_rules(Kind::kMark));
    auto client = server.connect();
    client.send("good\n" + std::string(101, 'x') + "\nnever\n");
    EXPECT_EQ(server.packets.seen, (Strings{"good\n"}));
    EXPECT_EQ(server.packets.ends, "L");
    EXPECT_FALSE(client.open());
}

TEST(StreamSession, PausesAndResumes) {
    StreamServer server(with_rules(Kind::kMark));
    auto client = server.connect();
    client.send("a\n");
    StreamSession& session = *server.packets.session;
    session.pause();
    client.send("b\nc\n");
    EXPECT_EQ(server.packets.seen, (Strings{"a\n"}));
    session.resume();
    client.pump().pump();
    EXPECT_EQ(server.packets.seen, (Strings{"a\n", "b\n", "c\n"}));
}

TEST(StreamSession, DeliversNothingBeforeADelayedConnectionIsConfirmed) {
    server::ServiceSettings settings = with_rules(Kind::kNone);
    settings.ports.front().stream.delayed = true;
    StreamServer server(settings);
    auto client = server.connect();
    client.send("early");
    EXPECT_TRUE(server.packets.seen.empty());
    server.service->connections().find_stream(client.id)->resume();
    client.pump();
    EXPECT_EQ(server.packets.seen, (Strings{"early"}));
}

TEST(StreamSession, StopsReadingWhileCallsHoldTooMuch) {
    server::ServiceSettings settings = with_rules(Kind::kMark);
    settings.ports.front().stream.most_queued = 4;
    StreamServer server(settings);
    server.packets.counts_calls = true;
    auto client = server.connect();
    client.send("a\nb\nc\nd\n");
    EXPECT_EQ(server.packets.seen, (Strings{"a\n", "b\n"}));
    client.send("e\n");
    EXPECT_EQ(client.peer->to_server, "e\n");  // left to the kernel
    EXPECT_EQ(server.packets.session->bytes_in_calls(), 4u);
    server.packets.session->call_ends(2);
    client.pump();
    EXPECT_EQ(server.packets.seen.size(), 3u);
    for (size_t i = 0; i < 4; i++) {
        server.packets.session->call_ends(2);
        client.pump();
    }
    EXPECT_EQ(server.packets.seen, (Strings{"a\n", "b\n", "c\n", "d\n", "e\n"}));
}

TEST(StreamSession, LimitsTheCallsOfOneConnection) {
    StreamServer server(with_rules(Kind::kMark));
    server.packets.counts_calls = true;
    auto client = server.connect();
    client.send(std::string(3000, '\n'));
    EXPECT_EQ(server.packets.seen.size(), 1024u);
}

TEST(StreamSession, OffersAgainWhatCouldNotBeTaken) {
    StreamServer server(with_rules(Kind::kMark));
    server.packets.takes = false;
    auto client = server.connect();
    client.send("a\nb\n");
    EXPECT_TRUE(server.packets.seen.empty());
    client.peer->ended = true;
    client.pump();
    EXPECT_TRUE(client.open());
    server.packets.takes = true;
    server.packets.session->look_again();
    client.pump().pump();
    EXPECT_EQ(server.packets.seen, (Strings{"a\n", "b\n"}));
    EXPECT_FALSE(client.open());
}

TEST(StreamSession, TellsOfTheWatermarks) {
    server::ServiceSettings settings = with_rules(Kind::kNone);
    settings.ports.front().stream.high_watermark = 100;
    settings.ports.front().stream.low_watermark = 10;
    settings.ports.front().stream.room = 1000;
    StreamServer server(settings);
    auto client = server.connect();
    client.send("hello");
    client.peer->write_room = 0;
    net::Connection& connection = *client.connection();
    connection.cork().append(std::string(99, 'x'));
    connection.flush();
    EXPECT_EQ(server.packets.ends, "");
    connection.cork().append("x");
    connection.flush();
    EXPECT_EQ(server.packets.ends, "f");
    client.peer->write_room = 80;
    client.pump();
    EXPECT_EQ(server.packets.ends, "f");
    client.peer->write_room = 10;
    client.pump();
    EXPECT_EQ(server.packets.ends, "fe");
    EXPECT_GT(server.packets.progress, 0);
}

TEST(StreamSession, ClosesSilentPeersUnlessTheyAreGuarded) {
    server::ServiceSettings settings = with_rules(Kind::kNone);
    settings.ports.front().stream.idle_time = 30 * kMillisecond;
    StreamServer server(settings);
    auto silent = server.connect();
    auto guarded = server.connect();
    guarded.send("x");
    server.packets.session->guarded = true;
    EXPECT_TRUE(server.wait_for([&] { return !silent.open(); }));
    EXPECT_TRUE(guarded.open());
    server.packets.session->guarded = false;
    EXPECT_TRUE(server.wait_for([&] { return !guarded.open(); }));
}

TEST(StreamSession, DrainsWhenItsCallsHaveEnded) {
    StreamServer server(with_rules(Kind::kNone));
    server.packets.counts_calls = true;
    auto busy = server.connect();
    auto idle = server.connect();
    busy.send("x");
    server.service->drain();
    EXPECT_TRUE(idle.open());  // its peer may send one more packet
    server.service->connections().close_idle(server::ConnectionTable::Idle::kAll);
    EXPECT_FALSE(idle.open());
    EXPECT_TRUE(busy.open());
    server.packets.session->call_ends(1);
    busy.pump();
    EXPECT_FALSE(busy.open());
}

}  // namespace
}  // namespace stampede::testing
