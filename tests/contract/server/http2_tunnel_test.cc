// What a stream that became a connection promises (RFC 8441), on connections in memory.
#include "server/http2/tunnel.h"

#include <gtest/gtest.h>

#include "contract/server/memory_server.h"
#include "proto/ws/writer.h"
#include "server/websocket_session.h"

namespace stampede::testing {
namespace {

using Client = MemoryServer::Client;
using Kind = proto::ws::ReadEvent::Kind;

enum FrameType : char { kData = 0, kHeaders = 1, kReset = 3, kSettings = 4 };
enum FrameFlag : char { kEndStream = 1, kAck = 1, kEndHeaders = 4 };

std::string frame(char type, char flags, char stream, std::string_view payload) {
    auto byte = [](size_t value) { return static_cast<char>(value & 0xff); };
    std::string text{byte(payload.size() >> 16),
                     byte(payload.size() >> 8),
                     byte(payload.size()),
                     type,
                     flags,
                     0,
                     0,
                     0,
                     stream};
    return text.append(payload);
}

std::string field(std::string_view name, std::string_view value) {
    std::string text(1, '\0');
    text.append(1, static_cast<char>(name.size())).append(name);
    return text.append(1, static_cast<char>(value.size())).append(value);
}

std::string greeting() {
    return "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(kSettings, 0, 0, "") +
           frame(kSettings, kAck, 0, "");
}

std::string ask(char stream) {
    return frame(kHeaders, kEndHeaders, stream,
                 field(":method", "CONNECT") + field(":protocol", "websocket") +
                     field(":scheme", "http") + field(":path", "/") + field(":authority", "a"));
}

std::string text_frame(std::string_view payload) {
    Buffer out;
    proto::ws::append_frame(out, {proto::ws::kText, true, 0, true, {1, 2, 3, 4}}, payload);
    return std::string(out.view());
}

// A server that takes every tunnel it is asked for.
struct TunnelServer : MemoryServer, server::WebSocketOwner {
    static server::ServiceSettings settings() {
        server::ServiceSettings settings;
        settings.http2.ports = {true};
        settings.max_connections = 4;
        return settings;
    }

    TunnelServer() : MemoryServer(settings()) {
        handler.response = [this](server::Exchange& exchange) {
            seen = exchange.connection_id();
            if (refuse || !exchange.head.upgrade) {
                response_with(exchange, "plain");
                return;
            }
            auto fresh = std::make_unique<server::WebSocketSession>(
                exchange.service(), *exchange.connection(), proto::ws::ReadLimits{1 << 20, 16},
                nullptr);
            session = fresh.get();
            session->set_owner(this);
            EXPECT_TRUE(exchange.upgrade({}, std::move(fresh)));
        };
    }

    void on_input() override {}
    void on_drained() override {}
    void on_progress() override {}
    void on_gone() override { session = nullptr; }

    server::WebSocketSession* session = nullptr;
    int64_t seen = 0;
    bool refuse = false;
};

TEST(Http2Tunnel, IsAConnectionOfItsOwn) {
    TunnelServer server;
    Client client = server.connect();
    client.send(greeting() + ask(1) + frame(kData, 0, 1, text_frame("glued")));
    ASSERT_NE(server.session, nullptr);
    EXPECT_NE(server.seen, client.id);
    EXPECT_EQ(server.service->connections().size(), 2u);
    EXPECT_EQ(server.handler.opened_count, 2);
    EXPECT_EQ(server.session->next().payload, "glued");
    client.take();
    proto::ws::append_frame(server.session->out(), {}, "response");
    server.session->sent();
    client.pump();
    EXPECT_NE(client.take().find("response"), std::string::npos);
    EXPECT_EQ(server.service->exchanges().in_use(), 0u);
}

TEST(Http2Tunnel, EndsWithItsStreamAndWithItsCarrier) {
    TunnelServer server;
    Client client = server.connect();
    client.send(greeting() + ask(1));
    ASSERT_NE(server.session, nullptr);
    client.send(frame(kReset, 0, 1, std::string("\0\0\0\10", 4)));
    EXPECT_EQ(server.session, nullptr);
    EXPECT_EQ(server.service->connections().size(), 1u);
    client.send(ask(3));
    ASSERT_NE(server.session, nullptr);
    client.peer->reset = true;
    client.pump();
    EXPECT_EQ(server.session, nullptr);
    EXPECT_EQ(server.service->connections().size(), 0u);
    EXPECT_EQ(server.handler.closed_count, 3);
}

TEST(Http2Tunnel, ItsEndEndsTheStream) {
    TunnelServer server;
    Client client = server.connect();
    client.send(greeting() + ask(1));
    ASSERT_NE(server.session, nullptr);
    client.take();
    proto::ws::append_frame(server.session->out(), {}, "last");
    server.session->sent();
    server.session->close_after_flush();
    client.pump();
    EXPECT_EQ(server.session, nullptr);
    EXPECT_NE(client.take().find(frame(kData, kEndStream, 1, "\x80\4last")), std::string::npos);
    client.send(ask(3));
    ASSERT_NE(server.session, nullptr);
    client.take();
    server.session->connection().close_now(net::CloseCause::kTimeout);
    client.pump();
    EXPECT_NE(client.take().find(frame(kReset, 0, 3, std::string("\0\0\0\10", 4))),
              std::string::npos);
    EXPECT_TRUE(client.open());
}

TEST(Http2Tunnel, AnOrdinaryResponseIsNoTunnel) {
    TunnelServer server;
    server.refuse = true;
    Client client = server.connect();
    client.send(greeting() + ask(1));
    EXPECT_EQ(server.handler.handled, 1);
    EXPECT_EQ(server.service->connections().size(), 1u);
}

TEST(Http2Tunnel, CountsAsAConnection) {
    TunnelServer server;
    Client client = server.connect();
    client.send(greeting() + ask(1) + ask(3) + ask(5));
    EXPECT_EQ(server.service->connections().size(), 4u);
    client.send(ask(7));
    EXPECT_EQ(server.service->connections().size(), 4u);
    EXPECT_EQ(server.handler.handled, 3);
}

TEST(Http2Tunnel, WhatNobodyFetchesStaysBounded) {
    TunnelServer server;
    Client client = server.connect();
    client.send(greeting() + ask(1));
    ASSERT_NE(server.session, nullptr);
    std::string message = text_frame(std::string(16000, 'x'));
    uint64_t sent = 0;
    uint64_t window = 1u << 20;
    auto read_updates = [&] {
        std::string out = client.take();
        for (std::string_view rest = out; rest.size() >= 9;) {
            auto byte = [&](size_t at) { return static_cast<uint8_t>(rest[at]); };
            size_t length = size_t{byte(0)} << 16 | size_t{byte(1)} << 8 | byte(2);
            if (byte(3) == 8 && byte(8) == 1) {
                window += size_t{byte(9)} << 24 | size_t{byte(10)} << 16 | size_t{byte(11)} << 8 |
                          byte(12);
            }
            rest.remove_prefix(std::min(rest.size(), 9 + length));
        }
    };
    while (sent + message.size() <= window && sent < (64u << 20)) {
        client.send(frame(kData, 0, 1, message));
        sent += message.size();
        read_updates();
    }
    EXPECT_LT(sent, 8u << 20);
    int messages = 0;
    for (int i = 0; i < 1000 && server.session->next().kind == Kind::kMessage; i++) {
        messages++;
        client.pump();
    }
    read_updates();
    EXPECT_EQ(messages, static_cast<int>(sent / message.size()));
    EXPECT_GE(window, sent + message.size());  // given back
}

}  // namespace
}  // namespace stampede::testing
