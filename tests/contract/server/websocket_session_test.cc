// What an upgraded connection promises to whoever fetches its messages, on connections in memory.
#include "server/websocket_session.h"

#include <gtest/gtest.h>

#include "contract/server/memory_server.h"
#include "proto/ws/writer.h"

namespace stampede::testing {
namespace {

using Client = MemoryServer::Client;
using Kind = proto::ws::ReadEvent::Kind;

constexpr std::string_view kRequest =
    "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: test\r\n\r\n";
constexpr server::FieldRef kFields[] = {{"Upgrade", "websocket"}};
constexpr std::string_view kResponse =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n";

// A server whose handler upgrades every request, and what its owner is told.
struct UpgradingServer : MemoryServer, server::WebSocketOwner {
    UpgradingServer() {
        handler.response = [this](server::Exchange& exchange) {
            auto fresh = std::make_unique<server::WebSocketSession>(
                exchange.service(), *exchange.connection(), proto::ws::ReadLimits{1000, 16},
                nullptr);
            session = fresh.get();
            session->set_owner(this);
            EXPECT_TRUE(exchange.upgrade(kFields, std::move(fresh)));
            EXPECT_EQ(exchange.connection(), nullptr);
            EXPECT_FALSE(exchange.finish());
        };
    }

    void on_input() override { inputs++; }
    void on_drained() override {}
    void on_progress() override {}
    void on_gone() override { session = nullptr; }

    server::WebSocketSession* session = nullptr;
    int inputs = 0;
};

std::string frame(uint8_t opcode, std::string_view payload) {
    Buffer out;
    proto::ws::append_frame(out, {opcode, true, 0, true, {1, 2, 3, 4}}, payload);
    return std::string(out.view());
}

TEST(WebSocketSession, TakesOverBehindTheRequest) {
    UpgradingServer server;
    Client client = server.connect();
    client.send(std::string(kRequest) + frame(1, "glued"));
    EXPECT_EQ(client.take(), kResponse);
    ASSERT_NE(server.session, nullptr);
    EXPECT_GE(server.inputs, 1);
    proto::ws::ReadEvent event = server.session->next();
    EXPECT_EQ(event.kind, Kind::kMessage);
    EXPECT_EQ(event.payload, "glued");
    EXPECT_EQ(server.session->next().kind, Kind::kNeedMore);
    client.send(frame(2, "more"));
    EXPECT_EQ(server.session->next().payload, "more");
    EXPECT_EQ(server.handler.handled, 1);
    EXPECT_EQ(server.service->exchanges().in_use(), 0u);
}

TEST(WebSocketSession, WhatNobodyFetchesStaysBounded) {
    UpgradingServer server;
    Client client = server.connect();
    client.send(kRequest);
    std::string flood;
    for (int i = 0; i < 2000; i++) {
        flood += frame(2, std::string(900, 'x'));
    }
    client.send(flood);
    EXPECT_GT(client.peer->to_server.size(), flood.size() / 2);  // left where it was
    int messages = 0;
    for (int round = 0; round < 5000 && messages < 2000; round++) {
        while (server.session->next().kind == Kind::kMessage) {
            messages++;
        }
        client.pump();
    }
    EXPECT_EQ(messages, 2000);
}

TEST(WebSocketSession, EndsAreTold) {
    UpgradingServer server;
    Client client = server.connect();
    client.send(kRequest);
    client.peer->ended = true;
    client.pump();
    ASSERT_NE(server.session, nullptr);
    EXPECT_TRUE(server.session->ended());
    server.session->close_after_flush();
    EXPECT_EQ(server.session, nullptr);
    EXPECT_FALSE(client.open());

    Client other = server.connect();
    other.send(kRequest);
    other.peer->reset = true;
    other.pump();
    EXPECT_EQ(server.session, nullptr);
}

TEST(WebSocketSession, ADrainingServiceSaysGoodbye) {
    UpgradingServer server;
    Client client = server.connect();
    client.send(kRequest);
    client.take();
    server.service->drain();
    server.service->connections().close_idle(server::ConnectionTable::Idle::kAll);
    client.pump();
    EXPECT_EQ(client.take(), "\x88\x02\x03\xe9");
    ASSERT_TRUE(client.open());
    client.send(frame(8, "\x03\xe9"));
    EXPECT_EQ(server.session->next().kind, Kind::kClose);
    server.session->close_after_flush();
    EXPECT_FALSE(client.open());
    EXPECT_EQ(server.service->connections().size(), 0u);
}

}  // namespace
}  // namespace stampede::testing
