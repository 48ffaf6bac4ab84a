// Bodies that an HTTP/1 session reads to where they are gathered, on connections in memory.
#include <gtest/gtest.h>

#include <map>

#include "contract/server/memory_server.h"

namespace stampede::testing {
namespace {

using Client = MemoryServer::Client;

// Counts what it gives, and gives none above a limit.
class CountingMemory final : public server::BodyMemory {
public:
    char* allocate(size_t size) override {
        if (size > most) {
            return nullptr;
        }
        char* bytes = static_cast<char*>(std::malloc(size));
        sizes[bytes] = size;
        largest = std::max(largest, size);
        return bytes;
    }
    char* grow(char* bytes, size_t size) override {
        char* fresh = allocate(size);
        if (fresh != nullptr) {
            std::memcpy(fresh, bytes, std::min(size, sizes[bytes]));
            free(bytes);
        }
        return fresh;
    }
    void free(char* bytes) override {
        ASSERT_EQ(sizes.erase(bytes), 1u);
        std::free(bytes);
    }

    std::map<char*, size_t> sizes;
    size_t most = SIZE_MAX;
    size_t largest = 0;
};

std::string post(const std::string& body, std::string_view fields = {}) {
    return "POST / HTTP/1.1\r\nHost: a\r\n" + std::string(fields) +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string numbered(size_t size) {
    std::string bytes;
    for (size_t i = 0; bytes.size() < size; i++) {
        bytes += std::to_string(i) + ",";
    }
    bytes.resize(size);
    return bytes;
}

class Http1Body : public ::testing::Test {
protected:
    explicit Http1Body(const server::ServiceSettings& settings = limits()) : server(settings) {
        server.handler.begins = [this](server::Exchange& exchange) {
            exchange.body.gather_in(memory);
        };
        server.handler.response = [this](server::Exchange& exchange) {
            bodies.emplace_back(exchange.body.view());
            gathered += exchange.body.block() != nullptr &&
                        exchange.body.block() == exchange.body.view().data();
            response_with(exchange, "ok");
        };
    }
    static server::ServiceSettings limits() {
        server::ServiceSettings settings;
        settings.limits.body_bytes = 4 << 20;
        settings.limits.body_gap = 500 * kMillisecond;  // sanitizers take a while for the largest
        return settings;
    }

    CountingMemory memory;  // outlives the exchanges
    std::vector<std::string> bodies;
    int gathered = 0;
    MemoryServer server;
};

TEST_F(Http1Body, TheWholeOfItIsInTheMemoryOfTheHandler) {
    for (size_t size : {8192u, 70000u, 131072u, 300000u, 1048576u}) {
        for (size_t piece : {SIZE_MAX, size_t{1000}, size_t{16384}}) {
            Client client = server.connect();
            client.peer->read_most = piece;
            client.send(post(numbered(size)));
            ASSERT_EQ(client.status(), 200) << size << " in pieces of " << piece;
            EXPECT_TRUE(bodies.back() == numbered(size)) << size << " in pieces of " << piece;
        }
    }
    EXPECT_EQ(gathered, 15);
    EXPECT_TRUE(memory.sizes.empty());
    EXPECT_LT(memory.largest, 1048576u + 4096u) << "doubling went past the announced length";
}

TEST_F(Http1Body, WhatFollowsItIsTheNextRequest) {
    Client client = server.connect();
    std::string all;
    for (int i = 0; i < 20; i++) {
        all += post(numbered(20000 + 3000 * static_cast<size_t>(i)));
        all += post(std::to_string(i));
        all += "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    }
    client.send(all);
    ASSERT_EQ(bodies.size(), 60u);
    for (size_t i = 0; i < 20; i++) {
        EXPECT_TRUE(bodies[3 * i] == numbered(20000 + 3000 * i)) << i;
        EXPECT_EQ(bodies[3 * i + 1], std::to_string(i));
        EXPECT_EQ(bodies[3 * i + 2], "");
    }
    EXPECT_GT(gathered, 0);
}

TEST_F(Http1Body, ALengthReservesNothingThatDoesNotCome) {
    Client client = server.connect();
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048576\r\n\r\n");
    EXPECT_LE(memory.largest, 128u << 10);
    client.send(std::string(100000, 'x'));
    EXPECT_LE(memory.largest, 128u << 10);
    client.send(std::string(100000, 'x'));
    EXPECT_LE(memory.largest, 512u << 10);
    EXPECT_EQ(memory.sizes.size(), 1u);
    EXPECT_TRUE(server.wait_for([&] { return client.status() == 408; }));
    EXPECT_TRUE(memory.sizes.empty());
}

TEST_F(Http1Body, AMemoryThatGivesNoneLeavesItToTheHeap) {
    for (size_t most : {size_t{0}, size_t{150} << 10, size_t{300} << 10}) {
        memory.most = most;
        Client client = server.connect();
        client.peer->read_most = 7000;
        client.send(post(numbered(500000)));
        ASSERT_EQ(client.status(), 200);
        EXPECT_TRUE(bodies.back() == numbered(500000)) << most;
    }
    EXPECT_EQ(gathered, 0);
    EXPECT_TRUE(memory.sizes.empty());
}

TEST_F(Http1Body, SmallHugeAndStreamedOnesAreInTheHeap) {
    Client client = server.connect();
    client.send(post(numbered(8191)));
    client.send(post(numbered((1 << 20) + 1)));
    server.handler.begins = [this](server::Exchange& exchange) {
        exchange.body.gather_in(memory);
        exchange.body.stream();
    };
    client.send(post(numbered(100000)));
    ASSERT_EQ(bodies.size(), 3u);
    EXPECT_TRUE(bodies[1] == numbered((1 << 20) + 1));
    EXPECT_EQ(memory.largest, 0u);
}

TEST_F(Http1Body, ThePeerThatLeavesLeavesNothing) {
    Client client = server.connect();
    client.send(post(numbered(200000)).substr(0, 150000));
    EXPECT_EQ(memory.sizes.size(), 1u);
    client.peer->reset = true;
    client.pump();
    EXPECT_FALSE(client.open());
    EXPECT_TRUE(memory.sizes.empty());
    EXPECT_EQ(server.handler.handled, 0);
}

TEST_F(Http1Body, ContinueIsSentBeforeIt) {
    Client client = server.connect();
    std::string request = post(numbered(100000), "Expect: 100-continue\r\n");
    size_t head = request.size() - 100000;
    client.send(request.substr(0, head));
    EXPECT_EQ(client.take(), "HTTP/1.1 100 Continue\r\n\r\n");
    client.send(request.substr(head, 50000));
    EXPECT_EQ(client.take(), "");
    client.send(request.substr(head + 50000));
    EXPECT_EQ(client.status(), 200);
    EXPECT_TRUE(bodies.at(0) == numbered(100000));
    EXPECT_EQ(gathered, 1);
}

}  // namespace
}  // namespace stampede::testing
