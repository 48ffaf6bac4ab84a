// What an HTTP/2 session promises to peers and handlers, on connections in memory.
#include "contract/server/http2_frames.h"
#include "contract/server/memory_server.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>

namespace stampede::testing {
namespace {

using namespace http2;

using Client = MemoryServer::Client;

// POST http / (indexed), with a host.
std::string post_head() { return "\x83\x86\x84" + field("host", "a"); }

server::ServiceSettings settings_for_http2() {
    server::ServiceSettings settings;
    settings.limits.body_bytes = 100;
    settings.http2.ports = {true};
    return settings;
}

TEST(Http2Session, ResponsesARequest) {
    MemoryServer server(settings_for_http2());
    Client client = server.connect();
    client.send(greeting() + frame(kHeaders, kEndHeaders, 1, post_head()) +
                frame(kData, kEndStream, 1, "body"));
    std::string out = client.take();
    EXPECT_EQ(server.handler.handled, 1);
    EXPECT_EQ(count_frames(out, kHeaders, 1), 1);
    EXPECT_NE(out.find("body"), out.npos);
}

TEST(Http2Session, RefusedRequestThatTurnsMalformedIsForgotten) {
    MemoryServer server(settings_for_http2());
    Client client = server.connect();
    client.send(greeting() +
                frame(kHeaders, kEndHeaders, 1, post_head() + field("content-length", "101")) +
                frame(kHeaders, kEndHeaders | kEndStream, 1, field("UPPER", "1")));
    EXPECT_EQ(server.handler.handled, 0);
    EXPECT_EQ(count_frames(client.take(), kReset, 1), 1);
    EXPECT_EQ(server.board->line(0).concurrency.get(), 0u);
}

TEST(Http2Session, RefusedRequestWhosePeerLeavesIsForgotten) {
    MemoryServer server(settings_for_http2());
    Client client = server.connect();
    client.peer->ended = true;
    client.send(greeting() +
                frame(kHeaders, kEndHeaders, 1, post_head() + field("content-length", "101")));
    EXPECT_EQ(server.handler.handled, 0);
    EXPECT_FALSE(client.open());
    EXPECT_EQ(server.handler.closed_count, 1);
}

server::ServiceSettings settings_for_bodies() {
    server::ServiceSettings settings = settings_for_http2();
    settings.limits.body_bytes = 40000;
    settings.http2.initial_window_size = 40000;
    settings.http2.body_memory = 100000;
    return settings;
}

// Two frames of a body; with kEndStream all of it.
std::string body_of_30000(int32_t stream, char flags) {
    std::string half(15000, 'b');
    return frame(kData, 0, stream, half) + frame(kData, flags, stream, half);
}

TEST(Http2Session, BodiesThatWaitForEachOtherMakeRoomForTheOldest) {
    MemoryServer server(settings_for_bodies());
    Client client = server.connect();
    client.send(greeting());
    for (int32_t stream : {1, 3, 5, 7}) {
        client.send(frame(kHeaders, kEndHeaders, stream, post_head()) + body_of_30000(stream, 0));
    }
    std::string out = client.take();
    EXPECT_EQ(count_frames(out, kReset, 5), 0);
    EXPECT_EQ(count_frames(out, kReset, 7), 1);
    for (int32_t stream : {1, 3, 5}) {
        client.send(frame(kData, kEndStream, stream, "end"));
    }
    EXPECT_EQ(server.handler.handled, 3);
}

TEST(Http2Session, BodiesThatAreHandledHoldTheWindowBack) {
    server::ServiceSettings settings = settings_for_bodies();
    settings.http2.body_memory = 50000;
    MemoryServer server(settings);
    std::vector<server::Exchange*> kept;
    server.handler.response = [&](server::Exchange& exchange) {
        exchange.hold();
        kept.push_back(&exchange);
    };
    Client client = server.connect();
    client.send(greeting());
    (void)client.take();  // with the window that every connection gets
    for (int32_t stream : {1, 3, 5, 7}) {
        client.send(frame(kHeaders, kEndHeaders, stream, post_head()) +
                    body_of_30000(stream, kEndStream));
    }
    ASSERT_EQ(kept.size(), 4u);
    EXPECT_EQ(count_frames(client.take(), kWindow, 0), 0);
    for (server::Exchange* exchange : kept) {
        response_with(*exchange, "done");
        exchange->release();
    }
    client.pump();
    EXPECT_EQ(count_frames(client.take(), kWindow, 0), 1);
}

TEST(Http2Session, AStreamedBodyGetsWindowWhenItIsRead) {
    MemoryServer server(settings_for_bodies());
    server::Exchange* kept = nullptr;
    server.handler.begins = [](server::Exchange& exchange) {
        exchange.body.stream();
        exchange.body.set_room(1000);
        exchange.body.set_limit(60003);
    };
    server.handler.response = [&](server::Exchange& exchange) {
        exchange.hold();
        kept = &exchange;
    };
    Client client = server.connect();
    client.send(greeting() + frame(kHeaders, kEndHeaders, 1, post_head()) + body_of_30000(1, 0) +
                body_of_30000(1, 0));
    ASSERT_NE(kept, nullptr);
    EXPECT_EQ(kept->body.view().size(), 60000u);
    EXPECT_FALSE(kept->body.whole());
    EXPECT_EQ(count_frames(client.take(), kWindow, 1), 0);
    kept->consume_body(60000);
    client.pump();
    EXPECT_EQ(count_frames(client.take(), kWindow, 1), 1);
    client.send(frame(kData, kEndStream, 1, "end"));
    EXPECT_EQ(kept->body.view(), "end");
    EXPECT_TRUE(kept->body.whole());
    response_with(*kept, "done");
    kept->release();
}

// A file of this many bytes that nobody can find.
int make_file(size_t size) {
    std::FILE* file = std::tmpfile();
    std::string bytes(size, 'f');
    EXPECT_EQ(std::fwrite(bytes.data(), 1, size, file), size);
    std::fflush(file);
    int fd = ::dup(::fileno(file));
    std::fclose(file);
    return fd;
}

TEST(Http2Session, WhoIsResponseedEarlyMayStopSendingByHimself) {
    server::ServiceSettings settings = settings_for_http2();
    settings.times.linger = 40 * kMillisecond;
    MemoryServer server(settings);
    std::string too_long =
        frame(kHeaders, kEndHeaders, 1, post_head() + field("content-length", "101"));
    Client quick = server.connect();
    quick.send(greeting() + too_long + frame(kData, 0, 1, std::string(50, 'x')));
    EXPECT_EQ(count_frames(quick.peer->from_server, kHeaders, 1), 1);
    quick.send(frame(kData, kEndStream, 1, std::string(51, 'x')));
    Client patient = server.connect();
    patient.send(greeting() + too_long);
    EXPECT_EQ(count_frames(patient.peer->from_server, kReset, 1), 0);
    EXPECT_TRUE(server.wait_for(
        [&] { return count_frames(patient.pump().peer->from_server, kReset, 1) == 1; }));
    EXPECT_EQ(count_frames(quick.pump().peer->from_server, kReset, 1), 0);
    EXPECT_EQ(count_frames(quick.peer->from_server, kWindow, 1), 0);
}

// What the peer gets of a response that promises four bytes, and how often the rest was let go.
struct Kept {
    size_t bytes;
    int resets;
    int released;
};

Kept response_of_four(const std::function<void(server::Exchange&, int& released)>& send_more) {
    int released = 0;
    MemoryServer server(settings_for_http2());
    server.handler.response = [&](server::Exchange& exchange) {
        exchange.send_head({}, 4);
        send_more(exchange, released);
        exchange.finish();
    };
    Client client = server.connect();
    client.send(greeting() + frame(kHeaders, kEndHeaders | kEndStream, 1, post_head()));
    std::string out = client.take();
    EXPECT_TRUE(client.open());
    client.send(frame(kHeaders, kEndHeaders | kEndStream, 3, post_head()));
    std::string next = client.take();
    EXPECT_EQ(data_bytes(next, 3), data_bytes(out, 1)) << "the connection goes on";
    EXPECT_EQ(count_frames(next, kReset, 3), count_frames(out, kReset, 1));
    return {data_bytes(out, 1), count_frames(out, kReset, 1), released};
}

TEST(Http2Session, NeverMoreThanThePromisedLength) {
    static const std::string large(20000, 'x');
    auto send_ref = [](server::Exchange& exchange, int& released) {
        net::BytesRef bytes{large, &released, [](void* count) { ++*static_cast<int*>(count); }};
        exchange.send_body_ref(bytes);
    };
    Kept small = response_of_four([](auto& exchange, int&) { exchange.send_body("abcdefgh"); });
    EXPECT_EQ(small.bytes, 4u);
    EXPECT_EQ(small.resets, 0);
    Kept referenced = response_of_four([&](auto& exchange, int& released) {
        send_ref(exchange, released);
        send_ref(exchange, released);
    });
    EXPECT_EQ(referenced.bytes, 4u);
    EXPECT_EQ(referenced.resets, 0);
    EXPECT_EQ(referenced.released, 4) << "two for each response";
    Kept file = response_of_four([](auto& exchange, int&) {
        exchange.send_file({make_file(20000), 0, 20000});
        exchange.send_file({make_file(20000), 0, 20000});
    });
    EXPECT_EQ(file.bytes, 4u);
    EXPECT_EQ(file.resets, 0);
}

TEST(Http2Session, LessThanThePromisedLengthEndsTheStreamAlone) {
    Kept kept = response_of_four([](auto& exchange, int&) { exchange.send_body("ab"); });
    EXPECT_EQ(kept.resets, 1);
}

TEST(Http2Session, AFileThatBecameShorterEndsItsStreamAlone) {
    MemoryServer server(settings_for_http2());
    server.handler.response = [](server::Exchange& exchange) {
        if (exchange.stream_id() == 3) {
            response_with(exchange, "beside");
            return;
        }
        exchange.send_head({}, 50000);
        exchange.send_file({make_file(20000), 0, 50000});
        exchange.finish();
    };
    Client client = server.connect();
    client.send(greeting() + frame(kHeaders, kEndHeaders | kEndStream, 1, post_head()) +
                frame(kHeaders, kEndHeaders | kEndStream, 3, post_head()));
    std::string out = client.take();
    EXPECT_TRUE(client.open());
    EXPECT_EQ(count_frames(out, kReset, 1), 1);
    EXPECT_EQ(count_frames(out, kData, 3), 1);
    client.send(frame(kHeaders, kEndHeaders | kEndStream, 5, post_head()));
    EXPECT_EQ(count_frames(client.take(), kHeaders, 5), 1);
}

}  // namespace
}  // namespace stampede::testing
