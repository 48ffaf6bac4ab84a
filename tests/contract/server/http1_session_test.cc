// What an HTTP/1 session promises to peers and handlers, on connections in memory.
#include "contract/server/memory_server.h"

#include <gtest/gtest.h>

#include "proto/coding/encoder.h"

namespace stampede::testing {
namespace {

using Client = MemoryServer::Client;

size_t count_of(std::string_view text, std::string_view part) {
    size_t count = 0;
    for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) {
        count++;
    }
    return count;
}

constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

TEST(Http1Session, ResponsesAndKeepsTheConnection) {
    MemoryServer server;
    Client client = server.connect();
    client.send(kGet);
    std::string response = client.take();
    EXPECT_TRUE(response.starts_with("HTTP/1.1 200 OK\r\n")) << response;
    EXPECT_TRUE(response.ends_with("\r\n\r\nhello")) << response;
    EXPECT_NE(response.find("Content-Length: 5\r\n"), response.npos);
    EXPECT_TRUE(client.open());
    client.send(kGet);
    EXPECT_EQ(client.status(), 200);
    EXPECT_EQ(server.handler.handled, 2);
}

TEST(Http1Session, ByteByByteIsTheSameRequest) {
    MemoryServer server;
    Client client = server.connect();
    std::string request = "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody";
    for (char byte : request) {
        EXPECT_EQ(client.status(), 0);
        client.send(std::string_view(&byte, 1));
    }
    EXPECT_TRUE(client.take().ends_with("\r\n\r\nbody"));
}

TEST(Http1Session, PipelinedRequestsAreResponseedInOrder) {
    MemoryServer server;
    server.handler.response = [](server::Exchange& exchange) {
        response_with(exchange, exchange.text(exchange.head.path));
    };
    Client client = server.connect();
    std::string requests;
    for (int i = 0; i < 500; i++) {
        requests += "GET /" + std::to_string(i) + "- HTTP/1.1\r\nHost: a\r\n\r\n";
    }
    client.send(requests);
    std::string responses = client.take();
    EXPECT_EQ(server.handler.handled, 500);
    size_t at = 0;
    for (int i = 0; i < 500; i++) {
        size_t found = responses.find("\r\n\r\n/" + std::to_string(i) + "-", at);
        ASSERT_NE(found, responses.npos) << i;
        at = found;
    }
}

TEST(Http1Session, AnAsynchronousResponseHoldsBackTheNextRequest) {
    MemoryServer server;
    server::Exchange* kept = nullptr;
    server.handler.response = [&](server::Exchange& exchange) {
        exchange.hold();
        kept = &exchange;
    };
    Client client = server.connect();
    client.send(std::string(kGet) + std::string(kGet));
    EXPECT_EQ(server.handler.handled, 1);
    server::Exchange* first = kept;
    response_with(*first, "one");
    first->release();
    client.pump();
    EXPECT_EQ(server.handler.handled, 2);
    response_with(*kept, "two");
    kept->release();
    client.pump();
    std::string responses = client.take();
    EXPECT_LT(responses.find("one"), responses.find("two"));
}

TEST(Http1Session, AnExchangeOutlivesItsConnection) {
    MemoryServer server;
    server::Exchange* kept = nullptr;
    server.handler.response = [&](server::Exchange& exchange) {
        exchange.hold();
        kept = &exchange;
    };
    Client client = server.connect();
    client.send(kGet);
    client.peer->reset = true;
    client.pump();
    EXPECT_FALSE(client.open());
    EXPECT_FALSE(kept->writable());
    EXPECT_FALSE(kept->send_head({}, 0));
    EXPECT_FALSE(kept->finish());
    kept->release();
    EXPECT_EQ(server.handler.closed_count, 1);
}

TEST(Http1Session, NothingIsServedAfterConnectionClose) {
    MemoryServer server;
    Client client = server.connect();
    client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" + std::string(kGet));
    EXPECT_EQ(server.handler.handled, 1);
    EXPECT_EQ(count_of(client.take(), "HTTP/1.1 "), 1u);
    EXPECT_TRUE(client.peer->got_end);
}

TEST(Http1Session, Http10ClosesUnlessAskedToStay) {
    MemoryServer server;
    Client closing = server.connect();
    closing.send("GET / HTTP/1.0\r\n\r\n");
    EXPECT_EQ(closing.status(), 200);
    EXPECT_FALSE(closing.open());
    Client staying = server.connect();
    staying.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    EXPECT_NE(staying.take().find("Connection: keep-alive\r\n"), std::string::npos);
    EXPECT_TRUE(staying.open());
}

TEST(Http1Session, HeadAndNoContentHaveNoBody) {
    MemoryServer server;
    Client client = server.connect();
    client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n" + std::string(kGet));
    std::string responses = client.take();
    EXPECT_EQ(count_of(responses, "Content-Length: 5\r\n"), 2u);
    EXPECT_EQ(count_of(responses, "hello"), 1u);
    server.handler.response = [](server::Exchange& exchange) {
        response_with(exchange, "never", 204);
    };
    client.send(kGet);
    std::string empty = client.take();
    EXPECT_EQ(empty.find("never"), empty.npos);
    EXPECT_EQ(empty.find("Content-Length"), empty.npos);
}

TEST(Http1Session, StreamsAreChunkedAndNeverToHttp10) {
    MemoryServer server;
    server.handler.response = [](server::Exchange& exchange) {
        exchange.send_head({}, server::kUnknownLength);
        exchange.send_body("abc");
        exchange.finish();
    };
    Client client = server.connect();
    client.send(kGet);
    EXPECT_TRUE(client.take().ends_with("\r\n\r\n3\r\nabc\r\n0\r\n\r\n"));
    Client old = server.connect();
    old.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    std::string response = old.take();
    EXPECT_TRUE(response.ends_with("\r\n\r\nabc"));
    EXPECT_EQ(response.find("chunked"), response.npos);
    EXPECT_FALSE(old.open());
}

TEST(Http1Session, MoreOrLessThanTheWrittenLengthNeverConfusesThePeer) {
    MemoryServer server;
    server.handler.response = [](server::Exchange& exchange) {
        exchange.send_head({}, 4);
        exchange.send_body("abcdefgh");
        exchange.finish();
    };
    Client client = server.connect();
    client.send(kGet);
    EXPECT_TRUE(client.take().ends_with("\r\n\r\nabcd"));
    EXPECT_TRUE(client.open());
    server.handler.response = [](server::Exchange& exchange) {
        exchange.send_head({}, 4);
        exchange.send_body("ab");
        exchange.finish();
    };
    client.send(kGet);
    EXPECT_FALSE(client.open());
}

TEST(Http1Session, ReferencedBytesAndFilesKeepTheWrittenLengthToo) {
    static const std::string large(20000, 'x');
    std::FILE* file = std::tmpfile();
    std::fwrite(large.data(), 1, large.size(), file);
    std::fflush(file);
    int released = 0;
    MemoryServer server;
    server.handler.response = [&](server::Exchange& exchange) {
        exchange.send_head({}, 4);
        net::BytesRef bytes{large, &released, [](void* count) { ++*static_cast<int*>(count); }};
        if (exchange.text(exchange.head.path) == "/file") {
            exchange.send_file({::dup(::fileno(file)), 0, large.size()});
        }
        exchange.send_body_ref(bytes);
        exchange.finish();
        EXPECT_EQ(exchange.response_bytes(), 4u) << "for the access log";
    };
    Client client = server.connect();
    for (std::string_view request :
         {kGet, std::string_view("GET /file HTTP/1.1\r\nHost: a\r\n\r\n")}) {
        client.send(request);
        EXPECT_TRUE(client.take().ends_with("\r\n\r\nxxxx")) << request;
        EXPECT_TRUE(client.open());
    }
    EXPECT_EQ(released, 2);
    std::fclose(file);
}

TEST(Http1Session, ABadRequestBehindAGoodOneIsRefusedAfterIt) {
    MemoryServer server;
    Client client = server.connect();
    client.send(std::string(kGet) + "GET / HTTP/1.1\r\nBad Field: x\r\n\r\n" + std::string(kGet));
    std::string responses = client.take();
    EXPECT_EQ(server.handler.handled, 1);
    EXPECT_EQ(count_of(responses, "HTTP/1.1 200"), 1u);
    EXPECT_EQ(count_of(responses, "HTTP/1.1 400"), 1u);
    EXPECT_TRUE(client.peer->got_end);
}

TEST(Http1Session, TooLargeBodiesAreRefusedBeforeTheyCome) {
    server::ServiceSettings settings;
    settings.limits.body_bytes = 100;
    MemoryServer server(settings);
    Client declared = server.connect();
    declared.send(
        "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 101\r\n\r\n");
    EXPECT_EQ(declared.status(), 413);
    Client chunked = server.connect();
    chunked.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
    chunked.send("32\r\n" + std::string(50, 'x') + "\r\n");
    EXPECT_EQ(chunked.status(), 0);
    chunked.send("33\r\n" + std::string(51, 'x') + "\r\n");
    EXPECT_EQ(chunked.status(), 413);
    EXPECT_EQ(server.handler.handled, 0);
}

std::string gzip(std::string_view text) {
    auto encoder = proto::coding::Encoder::create(proto::coding::Coding::kGzip, 1);
    Buffer out;
    EXPECT_TRUE(encoder->encode(text, proto::coding::Flush::kFinish, out));
    return std::string(out.view());
}

TEST(Http1Session, ACompressedBodyOfTwoMembersMayBeCutBetweenThem) {
    server::ServiceSettings settings;
    settings.limits.decode_bodies = true;
    MemoryServer server(settings);
    Client client = server.connect();
    std::string first = gzip("one ");
    std::string second = gzip("two");
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: " +
                std::to_string(first.size() + second.size()) + "\r\n\r\n" + first);
    client.send(second);
    EXPECT_TRUE(client.take().ends_with("\r\n\r\none two"));
}

TEST(Http1Session, ContinueIsSentOnlyWhenTheBodyIsAwaited) {
    MemoryServer server;
    Client waiting = server.connect();
    waiting.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    EXPECT_EQ(waiting.take(), "HTTP/1.1 100 Continue\r\n\r\n");
    waiting.send("ok");
    EXPECT_EQ(waiting.status(), 200);
    Client eager = server.connect();
    eager.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nok");
    EXPECT_EQ(eager.status(), 200);
}

TEST(Http1Session, HalfARequestThenTheEndNeverReachesTheHandler) {
    MemoryServer server;
    for (std::string_view half :
         {"GET / HT", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc",
          "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"}) {
        Client client = server.connect();
        client.send(half);
        client.peer->ended = true;
        client.pump();
        EXPECT_FALSE(client.open()) << half;
    }
    EXPECT_EQ(server.handler.handled, 0);
    Client whole = server.connect();
    whole.peer->ended = true;
    whole.send(kGet);
    EXPECT_EQ(whole.status(), 200);
    EXPECT_FALSE(whole.open());
}

TEST(Http1Session, AHeadThatDripsIsRefusedAfterItsWholeTime) {
    server::ServiceSettings settings;
    settings.limits.header_time = 60 * kMillisecond;
    MemoryServer server(settings);
    Client dripping = server.connect();
    Client silent = server.connect();
    Nanos start = monotonic_now();
    bool refused = server.wait_for([&] {
        if (dripping.peer->to_server.empty() && dripping.open()) {
            dripping.send("G");
        }
        return dripping.status() == 408 && !silent.open();
    });
    EXPECT_TRUE(refused);
    EXPECT_GE(monotonic_now() - start, 50 * kMillisecond);
    EXPECT_EQ(silent.take(), "");
}

TEST(Http1Session, IdleConnectionsAreClosedQuietly) {
    server::ServiceSettings settings;
    settings.limits.idle_time = 30 * kMillisecond;
    MemoryServer server(settings);
    Client client = server.connect();
    client.send(kGet);
    client.take();
    EXPECT_TRUE(server.wait_for([&] { return !client.open(); }));
    EXPECT_EQ(client.take(), "");
}

TEST(Http1Session, ASilentBodyIsRefused) {
    server::ServiceSettings settings;
    settings.limits.body_gap = 30 * kMillisecond;
    MemoryServer server(settings);
    Client client = server.connect();
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc");
    EXPECT_TRUE(server.wait_for([&] { return client.status() == 408; }));
    EXPECT_EQ(server.handler.handled, 0);
}

TEST(Http1Session, APeerThatNeverReadsStopsTheIntakeAndIsCutOff) {
    server::ServiceSettings settings;
    settings.limits.pending_out = 10000;
    settings.times.write_stall = 50 * kMillisecond;
    MemoryServer server(settings);
    server.handler.response = [](server::Exchange& exchange) {
        response_with(exchange, std::string(4000, 'x'));
    };
    Client client = server.connect();
    client.peer->write_room = 0;
    std::string requests;
    for (int i = 0; i < 1000; i++) {
        requests += kGet;
    }
    client.send(requests);
    EXPECT_LT(server.handler.handled, 10);
    ASSERT_TRUE(client.open());
    EXPECT_LT(client.connection()->pending(), 20000u);
    EXPECT_TRUE(server.wait_for([&] { return !client.open(); }));
}

TEST(Http1Session, APeerThatReadsAgainGetsEverything) {
    server::ServiceSettings settings;
    settings.limits.pending_out = 10000;
    MemoryServer server(settings);
    server.handler.response = [](server::Exchange& exchange) {
        response_with(exchange, std::string(4000, 'x'));
    };
    Client client = server.connect();
    client.peer->write_room = 100;
    std::string requests;
    for (int i = 0; i < 50; i++) {
        requests += kGet;
    }
    client.send(requests);
    for (int i = 0; i < 3000 && server.handler.handled < 50; i++) {
        client.peer->write_room = 1000;
        client.pump();
    }
    client.peer->write_room = SIZE_MAX;
    client.pump();
    EXPECT_EQ(count_of(client.take(), "HTTP/1.1 200"), 50u);
}

TEST(Http1Session, DrainingResponsesWithCloseAndClosesTheIdle) {
    MemoryServer server;
    Client busy = server.connect();
    Client idle = server.connect();
    idle.send(kGet);
    server.service->drain();
    busy.send(kGet);
    EXPECT_NE(busy.take().find("Connection: close\r\n"), std::string::npos);
    EXPECT_FALSE(busy.open());
    EXPECT_TRUE(idle.open());
    server.service->connections().close_idle(server::ConnectionTable::Idle::kAll);
    server.loop->run_once(0);
    EXPECT_FALSE(idle.open());
}

TEST(Http1Session, ReferencedBodiesAreReleasedOnce) {
    static int released = 0;
    static std::string big(100000, 'b');
    MemoryServer server;
    server.handler.response = [](server::Exchange& exchange) {
        exchange.send_head({}, big.size());
        exchange.send_body_ref({big, nullptr, [](void*) { released++; }});
        exchange.finish();
    };
    Client client = server.connect();
    client.peer->write_room = 5000;
    client.send(kGet);
    EXPECT_EQ(released, 0);
    client.peer->write_room = SIZE_MAX;
    client.pump();
    EXPECT_EQ(released, 1);
    EXPECT_TRUE(client.take().ends_with(big));
    client.peer->write_room = 10;
    client.send(kGet);
    client.peer->reset = true;
    client.pump();
    EXPECT_EQ(released, 2);
}

TEST(Http1Session, TheOverloadedServerSaysSo) {
    server::ServiceSettings settings;
    settings.limits.max_concurrency = 1;
    MemoryServer server(settings);
    server.handler.response = [](server::Exchange&) {};
    Client first = server.connect();
    first.send(kGet);
    Client second = server.connect();
    second.send(kGet);
    EXPECT_EQ(second.status(), 503);
    EXPECT_EQ(first.status(), 0);
}

TEST(Http1Session, LostRequestsCanBeNamed) {
    MemoryServer server;
    server.handler.response = [](server::Exchange&) {};
    Client client = server.connect();
    client.send("GET /in/flight?x=1 HTTP/1.1\r\nHost: a\r\n\r\n");
    shm::WorkerLine& line = server.board->line(0);
    std::string named;
    for (const shm::InFlight& entry : line.in_flight) {
        if (entry.since != 0) {
            named.assign(entry.text, entry.length);
        }
    }
    EXPECT_EQ(named, "GET /in/flight?x=1");
    EXPECT_EQ(line.concurrency.get(), 1u);
    client.peer->reset = true;
    client.pump();
    EXPECT_EQ(line.concurrency.get(), 0u);
    for (const shm::InFlight& entry : line.in_flight) {
        EXPECT_EQ(entry.since, 0);
    }
}

}  // namespace
}  // namespace stampede::testing
